/** Tests what a ban does to applications and stakes, and that their numbers tell nothing of others. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import { changeRestriction } from "#server/accounts/restriction.ts";
import type { Issue } from "#server/venue/issue.ts";
import { openFund, stakeIs, subscribe } from "#tests/server/funds/fixture.ts";
import { FEE, RICH, apply, becomes, expectCleanBooks, moneyOf, newSubscriber, openOfferings, openWindow, reaches } from "./fixture.ts";
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
