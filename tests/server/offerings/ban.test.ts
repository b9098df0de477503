/** Tests what a ban and a closed account mean for applications and stakes, and that their numbers tell nothing of others. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import { changeRestriction } from "#server/accounts/restriction.ts";
import { query } from "#server/db/database.ts";
import type { Issue } from "#server/venue/issue.ts";
import { refusalOf } from "#tests/support/trading.ts";
import { openFund, stakeIs, subscribe } from "#tests/server/funds/fixture.ts";
import {
  FEE,
  RICH,
  setRule,
  withdraw,
  apply,
  becomes,
  expectCleanBooks,
  moneyOf,
  newSubscriber,
  openOfferings,
  openWindow,
  reaches,
} from "./fixture.ts";
import type { OfferingBroker } from "./fixture.ts";

let broker: OfferingBroker;
let member: number;
beforeAll(async () => {
  broker = await openOfferings();
  member = await newSubscriber(broker);
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const ban = (memberId: number): Promise<unknown> =>
  broker.db.transaction((tx) =>
    changeRestriction(tx, { memberId, restriction: "banned", imposed: true, reason: "breach", words: "", at: broker.clock.now }),
  );

/** The dates of an issue that closes after some hours and is drawn long after. */
function closingAfter(hours: number): Partial<Issue> {
  const at = (count: number) => epochMs(broker.clock.now + count * HOUR_MS);
  return { closesAt: at(hours), drawnAt: at(20), payableUntil: at(21), allottedAt: at(22), tradesFrom: at(23) };
}

it("withdraws what can still be withdrawn, and leaves what was closed before", async () => {
  const banned = await newSubscriber(broker);
  const first = await openWindow(broker, member, closingAfter(2));
  const closed = await apply(broker, banned, first.offeringNo);
  broker.pass(1);
  await reaches(broker, member, first.code, "closed");
  const { offeringNo } = await openWindow(broker, member, closingAfter(10));
  const open = await apply(broker, banned, offeringNo);
  const others = await apply(broker, member, offeringNo);
  const stake = await subscribe(broker, banned, await openFund(broker, member));
  await ban(banned);
  expect(await becomes(broker, banned, open.subscriptionNo, "withdrawn")).toMatchObject({ reservedCents: 0 });
  await stakeIs(broker, banned, stake.stakeNo, { status: "withdrawn", reason: "banned", reservedCents: 0 });
  expect(await becomes(broker, banned, closed.subscriptionNo, "subscribing")).toMatchObject({ reservedCents: closed.reservedCents });
  await becomes(broker, member, others.subscriptionNo, "subscribing");
  expect(await moneyOf(broker, banned)).toEqual({
    available: RICH - 2 * FEE - closed.reservedCents,
    reserved: closed.reservedCents,
  });
});

it("numbers applications and stakes so that the number tells nothing of those of others, page by page", async () => {
  const who = await newSubscriber(broker);
  const numbers: string[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const { offeringNo } = await openWindow(broker, member, closingAfter(10));
    numbers.push((await apply(broker, who, offeringNo)).subscriptionNo);
  }
  for (const number of numbers) expect(number).toMatch(/^U[0-9a-f]{12}$/);
  const { items } = await broker.call("listSubscriptions", who, { cursor: null });
  expect(items.map(({ subscriptionNo }) => subscriptionNo)).toEqual(numbers.toReversed());
  const after = await broker.call("listSubscriptions", who, { cursor: numbers[1] ?? "" });
  expect(after.items.map(({ subscriptionNo }) => subscriptionNo)).toEqual(numbers.slice(0, 1));
  // Another member's number is no place in the list.
  expect((await broker.call("listSubscriptions", member, { cursor: numbers[1] ?? "" })).items).toEqual([]);
  const code = await openFund(broker, member);
  const stakes = [await subscribe(broker, who, code, { lots: 2 }), await subscribe(broker, who, code, { lots: 3 })];
  for (const { stakeNo } of stakes) expect(stakeNo).toMatch(/^E[0-9a-f]{12}$/);
  const [older, newer] = stakes;
  const page = await broker.call("listStakes", who, { cursor: newer?.stakeNo ?? "" });
  expect(page.items.map(({ stakeNo }) => stakeNo)).toEqual([older?.stakeNo]);
});

it("keeps the bar and the applications of a person who closes the account and opens another", async () => {
  const { kysely } = broker.db;
  const [old, fresh] = [await newSubscriber(broker), await newSubscriber(broker)];
  const { offeringNo } = await openWindow(broker, member, closingAfter(10));
  await withdraw(broker, old, (await apply(broker, old, offeringNo)).subscriptionNo);
  const another = await openWindow(broker, member, closingAfter(10));
  // As closing leaves it, with the person's ID number free for the new account.
  await query(
    kysely,
    `INSERT INTO closed_member (member_id, closed_at, id_number, identity_until, orders_until)
     SELECT $1, $3::bigint, id_number, $3::bigint, $3::bigint FROM member WHERE id = $2`,
    [old, fresh, broker.clock.now],
  );
  expect(await refusalOf(apply(broker, fresh, offeringNo))).toMatchObject({ code: "TRD_SINGLE_SUBSCRIPTION", params: { n: 1 } });
  await setRule(broker, fresh, { timesPerOffering: 2 });
  await apply(broker, fresh, offeringNo);
  await apply(broker, fresh, another.offeringNo);
  // The old account waived a win.
  await query(
    kysely,
    `UPDATE subscription SET status = 'waived', won_lots = 1, due_cents = 0, deposit_cents = 0 WHERE member_id = $1 AND offering_no = $2`,
    [old, offeringNo],
  );
  const third = await openWindow(broker, member, closingAfter(10));
  expect(await refusalOf(apply(broker, fresh, third.offeringNo))).toMatchObject({ code: "TRD_SUBSCRIBE_BARRED" });
  await query(
    kysely,
    `UPDATE subscription SET status = 'withdrawn', won_lots = NULL, due_cents = NULL WHERE member_id = $1 AND offering_no = $2`,
    [old, offeringNo],
  );
});
