/** Tests what an auction does to the lottery that follows: its price and its window, also when the bids are opened late, or never. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Code } from "#contract/kernel/id.ts";
import { HOUR_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { announceOfferings } from "#server/offerings/announce.ts";
import { offeringClock } from "#server/offerings/offering-clock.ts";
import { auctionTick } from "#server/offerings/auctions/auction-clock.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { announce, AT, crowdAt, expectCleanBooks, openAuctionBroker, passHours } from "./fixture.ts";

let broker: TestBroker;
beforeEach(async () => {
  broker = await openAuctionBroker();
  // The test takes the steps.
  await broker.stop();
  await broker.settled();
});
afterEach(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

async function offeringOf(code: Code): Promise<OfferingRecord> {
  const [row] = await query<OfferingRecord>(broker.db.kysely, "SELECT * FROM offering WHERE code = $1", [code]);
  if (!row) throw new Error(`no offering of ${code}`);
  return row;
}

const CROWD = crowdAt(520_000, 500);

it("opens no window behind the listing when the bids are opened after it", async () => {
  const code = await announce(broker, { crowd: CROWD });
  await passHours(broker, AT.opens);
  await passHours(broker, AT.trades + 1 - AT.opens);
  const row = await offeringOf(code);
  expect(row).toMatchObject({ price: 520_000, allotted_at: row.trades_from });
  expect(row.closes_at).toBeLessThan(row.trades_from);
  expect(row.opens_at).toBe(row.closes_at);
});

it("moves the window only as far as the listing allows, which leaves a shorter one", async () => {
  const code = await announce(broker, { crowd: CROWD });
  const before = await offeringOf(code);
  await passHours(broker, AT.opens);
  // One hour and a half late: the allotment may move by one.
  await passHours(broker, AT.refunds + 1.5 - AT.opens);
  expect(await offeringOf(code)).toMatchObject({
    opens_at: broker.clock.now,
    closes_at: before.closes_at + HOUR_MS,
    allotted_at: before.trades_from,
    trades_from: before.trades_from,
  });
});

it("has the price of its own market's auction, not of a void one with the same code", async () => {
  const code = await announce(broker, { crowd: CROWD });
  await query(
    broker.db.kysely,
    `INSERT INTO auction (market, code, status, opens_at, closes_at, opens_bids_at, refunds_at, payable_until, allotted_at, trades_from,
      lots, lot_shares, minimum_price, most_price, cap_lots, terms, lead_broker, commitment)
    SELECT 'old', code, 'notStarted', opens_at - 10000000, closes_at, opens_bids_at, refunds_at, payable_until, allotted_at, trades_from,
      lots, lot_shares, 100000, 130000, cap_lots, terms, lead_broker, commitment FROM auction WHERE code = $1`,
    [code],
  );
  await passHours(broker, 0.01);
  expect(await query(broker.db.kysely, "SELECT status FROM auction WHERE market = 'old'")).toEqual([{ status: "voided" }]);
  expect((await offeringOf(code)).price).toBeNull();
  await passHours(broker, AT.opens);
  await passHours(broker, AT.opened - AT.opens);
  expect((await offeringOf(code)).price).toBe(520_000);
});

it("takes the price of an auction that was over before its row was written", async () => {
  const code = await announce(broker, { crowd: CROWD });
  await query(broker.db.kysely, "DELETE FROM offering WHERE code = $1", [code]);
  const [issue] = broker.venue.issues(broker.clock.now).filter((one) => one.code === code);
  if (!issue) throw new Error("no issue");
  await query(broker.db.kysely, `UPDATE auction SET status = 'opened', tied = '[]', outcome = '{"price": 510000}' WHERE code = $1`, [code]);
  await announceOfferings({ db: broker.db, venue: broker.venue }, new Set(), broker.clock.now);
  const row = await offeringOf(code);
  expect(row.price).toBe(510_000);
  expect(row.secret_hash).not.toBeNull();
});

it("is priced when its window should open where nobody could, and void where its issue is gone", async () => {
  const codes = [await announce(broker, { crowd: CROWD }), await announce(broker, { crowd: CROWD })];
  const [priced, gone] = codes;
  if (!priced || !gone) throw new Error("no issue");
  await query(
    broker.db.kysely,
    `UPDATE auction SET status = 'opened', tied = '[]', outcome = '{"price": 510000}' WHERE code = ANY ($1::text[])`,
    [codes],
  );
  const { db, venue, sequencer, clock } = broker;
  const [issue] = venue.issues(clock.now).filter((one) => one.code === priced);
  if (!issue) throw new Error("no issue");
  venue.setIssues([{ issue, crowd: { applications: () => 1_000, lotsAsked: 0, bids: () => [] } }]);
  clock.now += AT.refunds * HOUR_MS;
  await offeringClock({ db, venue, sequencer, now: () => clock.now, report: (fault) => broker.faults.push(fault) })();
  expect(await offeringOf(priced)).toMatchObject({ price: 510_000, phase: "open" });
  expect(await offeringOf(gone)).toMatchObject({ price: null, phase: "void" });
});

it("is held also where the share was listed before its offering had a row, and sets the price of that offering", async () => {
  const code = await announce(broker, { crowd: CROWD });
  const { db, venue, sequencer, clock, faults } = broker;
  await query(db.kysely, "DELETE FROM auction_sealed");
  await query(db.kysely, "DELETE FROM auction WHERE code = $1", [code]);
  await query(db.kysely, "DELETE FROM offering WHERE code = $1", [code]);
  clock.now += (AT.trades + 1) * HOUR_MS;
  const report = (fault: unknown) => faults.push(fault);
  const tick = auctionTick({ db, venue, sequencer, now: () => clock.now, report });
  await tick();
  expect(await query(db.kysely, "SELECT code FROM auction")).toEqual([]);
  await announceOfferings({ db, venue, report }, new Set(), clock.now);
  expect((await offeringOf(code)).price).toBeNull();
  for (let step = 0; step < 4; step += 1) await tick();
  expect((await offeringOf(code)).price).toBe(520_000);
});
