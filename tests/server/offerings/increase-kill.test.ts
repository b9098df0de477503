/**
 * Tests that the server may die at any statement of a capital increase (granting rights, setting the price, opening, closing, paying what
 * lapses, delivering): the next process goes on, and everything happened once.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { offeringClock } from "#server/offerings/offering-clock.ts";
import { startCorporateActions } from "#server/trading/clearing/start-of-day.ts";
import { sized } from "#tests/support/size.ts";
import { dyingAt, live } from "./dying.ts";
import { apply, moneyOf, newSubscriber } from "./fixture.ts";
import { openIncreases, readIncrease } from "./increase-fixture.ts";
import type { IncreaseBroker } from "./increase-fixture.ts";

/** Statements between two deaths. */
const STRIDE = sized(5, 1);

let broker: IncreaseBroker;
beforeAll(async () => {
  broker = await openIncreases();
});
afterAll(() => broker.db.close());

/** A process with nothing but the clock and the ex-events, on some days after the ex-date. @returns whether it died */
const liveOn = (db: Database, exAt: number, days: readonly number[]): Promise<boolean> =>
  live(db, broker, async function* steps(process) {
    const { venue, clock } = broker;
    const tick = offeringClock(process);
    for (const [nth, day] of days.entries()) {
      clock.now = Math.max(clock.now, exAt + day * DAY_MS + HOUR_MS);
      venue.setDay(taipeiMidnight(taipeiDay(clock.now)), taipeiMidnight(taipeiDay(clock.now) + 1));
      if (nth === 0) (await startCorporateActions(process))();
      await tick();
      yield await process.sequencer.idle();
    }
  });

/** Stops the broker and lets the clock live through some days, dying once. @returns whether it died */
async function surviveDeath(statements: number, exAt: number, days: readonly number[]): Promise<boolean> {
  await broker.stop();
  await broker.sequencer.idle();
  const hasDied = await liveOn(dyingAt(broker.db, statements), exAt, days);
  if (hasDied) expect(await liveOn(broker.db, exAt, days)).toBe(false);
  broker = await openIncreases(broker);
  return hasDied;
}

/** Sells everything, so that each life has the same positions to adjust. */
async function sellAll(member: number): Promise<void> {
  for (const { orderNo, filledLots } of (await broker.call("listPositions", member, {})).positions)
    expect(await broker.close(member, orderNo, { lots: filledLots })).toMatchObject({ status: "closed" });
}

it("may die at any statement, and everything happens once", async () => {
  let deaths = 0;
  const [buyer, idle] = [await newSubscriber(broker), await newSubscriber(broker)];
  for (let statements = 0; ; statements += STRIDE) {
    for (const member of [buyer, idle]) await broker.buy(member, 10);
    const { exAt } = broker.announce();
    await broker.tick();
    const { offeringNo } = (await readIncrease(broker, buyer)).offering;
    const before = [await moneyOf(broker, buyer), await moneyOf(broker, idle)];
    const died = [await surviveDeath(statements, exAt, [0, 1])];
    await broker.settled();
    await apply(broker, buyer, offeringNo, { lots: 1_000 });
    died.push(await surviveDeath(statements, exAt, [3, 5, 6]));
    deaths += died.filter(Boolean).length;
    // The price at the close is that of the ex-date's eve: what lapses is paid its worth of that day.
    const worth = (broker.event().reference - broker.event().rightsPrice) / 100;
    const [first, second] = before;
    expect(await moneyOf(broker, buyer)).toEqual({ available: (first?.available ?? 0) - 8_000_000 + Math.floor(500 * worth), reserved: 0 });
    expect(await moneyOf(broker, idle)).toEqual({ available: (second?.available ?? 0) + Math.floor(1_500 * worth), reserved: 0 });
    const rows = await query<{ facts: string[]; positions: number }>(
      broker.db.kysely,
      `SELECT (SELECT json_agg(type ORDER BY n) FROM fact WHERE fact.member_id = s.member_id AND body->'subscription'->>'subscriptionNo' = s.subscription_no) AS facts,
         (SELECT count(*)::integer FROM "order" WHERE "order".request_id = s.request_id) AS positions
       FROM subscription AS s WHERE offering_no = $1`,
      [offeringNo],
    );
    expect(rows).toEqual([{ facts: ["applied", "won", "paid", "allotted"].map((type) => `subscription.${type}`), positions: 1 }]);
    expect((await readIncrease(broker, buyer)).offering.phase).toBe("listed");
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
    if (!died.some(Boolean)) break;
    for (const member of [buyer, idle]) await sellAll(member);
  }
  expect(deaths).toBeGreaterThan(sized(5, 60));
}, 900_000);
