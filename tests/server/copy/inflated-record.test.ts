/** Tests that no second account can make a mentor's record look better: what both trade with each other counts only as a loss. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openProfitOf, recordOf } from "#contract/mentor-record.ts";
import type { Mentor } from "#contract/copy.ts";
import { query } from "#server/db/database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { CAPITAL_CENTS, expectCleanBooks, mentor } from "./fixture.ts";
import type { TestMentor } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** A thin name with a wide spread. */
const spread = (bid: number, ask: number): void => broker.venue.set(0, { bids: [[bid, 50]], asks: [[ask, 50]], last: 100, reference: 100 });

async function told({ mentorNo }: TestMentor): Promise<Mentor> {
  const { mentors } = await broker.call("listMentors", await broker.newMember(), {});
  const found = mentors.find((one) => one.mentorNo === mentorNo);
  if (!found) throw new Error("no mentor");
  return found;
}

const ledgerProfit = async (member: number): Promise<number> =>
  (await query<{ sum: number }>(broker.db.kysely, `SELECT sum(profit_cents)::bigint AS sum FROM "order" WHERE member_id = $1`, [member]))[0]
    ?.sum ?? 0;

it("gains handed over inside the spread do not count, whichever of the two orders rested", async () => {
  spread(95, 105);
  const one = await mentor(broker);
  const second = await broker.newMember();
  const theirs = await broker.place(second, { lots: 5 });
  broker.clock.now += 1_000;
  // The second account's order rests at 96, and the mentor takes it; the mentor's then rests at 104, and the second account takes that.
  await broker.close(second, theirs.orderNo, { lots: 5, price: 96 });
  broker.clock.now += 1_000;
  const { orderNo } = await broker.place(one.member, { lots: 5, price: 96 });
  broker.clock.now += 1_000;
  await broker.close(one.member, orderNo, { lots: 5, price: 104 });
  broker.clock.now += 1_000;
  await broker.place(second, { lots: 5, price: 104 });
  expect(await ledgerProfit(one.member)).toBeGreaterThan(3_000_000);
  const { record } = await told(one);
  expect(record).toMatchObject({ closed: 1, won: 0, profitCents: 0, withMembers: 2 });
  const { items } = await broker.call("listMentorFills", second, { mentorNo: one.mentorNo, cursor: null });
  expect(items.map(({ withMember }) => withMember)).toEqual([true, true]);
  expect(recordOf(items, CAPITAL_CENTS)).toEqual(record);
});

it("what is lost to another member counts, and gains in the market count beside it", async () => {
  spread(95, 105);
  const one = await mentor(broker);
  const second = await broker.newMember();
  const lost = await broker.place(one.member, { lots: 1 });
  broker.clock.now += 1_000;
  await broker.place(second, { lots: 1, price: 97 });
  broker.clock.now += 1_000;
  await broker.close(one.member, lost.orderNo, { lots: 1, price: 97 });
  const afterLoss = await told(one);
  expect(afterLoss.record).toMatchObject({ won: 0, withMembers: 1, profitCents: await ledgerProfit(one.member) });
  expect(afterLoss.record.profitCents).toBeLessThan(-800_000);
  broker.clock.now += 1_000;
  const { orderNo } = await broker.place(one.member, { lots: 1 });
  broker.clock.now += 1_000;
  spread(108, 109);
  await broker.close(one.member, orderNo, { lots: 1 });
  expect((await told(one)).record).toMatchObject({ closed: 2, won: 1, withMembers: 1, profitCents: await ledgerProfit(one.member) });
});

it("what is held is valued within the book, not at a last trade beyond it", async () => {
  spread(99, 100);
  const one = await mentor(broker);
  await broker.place(one.member, { lots: 10 });
  broker.venue.set(0, { bids: [[99, 50]], asks: [[100, 50]], last: 109 });
  const { record, prices } = await told(one);
  expect(openProfitOf(record, prices)).toBeLessThan(0);
});
