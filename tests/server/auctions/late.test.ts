/** Tests auctions with late steps, steps that fail, and an auction that is void after its bids were reckoned. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { auctionTick } from "#server/offerings/auctions/auction-clock.ts";
import { prepareOpening } from "#server/offerings/auctions/awards.ts";
import { refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { announce, AT, bid, bidNow, crowdAt, expectCleanBooks, moneyOf, newBidder, openAuctionBroker, passHours, RICH } from "./fixture.ts";

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

/** The process fee of a bid, and the deposits of 4 lots at 55.00 and of 20 at 50.00. */
const FEE = 40_000;
const DEPOSIT = 11_000_000;
const LOST_DEPOSIT = 50_000_000;

it("gives back the deposit of a lost bid before another bid of the member forfeits its own", async () => {
  const code = await announce(broker, { crowd: crowdAt(520_000, 500) });
  const member = await newBidder(broker, DEPOSIT + LOST_DEPOSIT + 2 * FEE);
  await passHours(broker, AT.opens);
  const won = await bid(broker, member, code);
  const lost = await bid(broker, member, code, { price: 500_000, lots: 20 });
  await passHours(broker, AT.opened - AT.opens);
  expect((await bidNow(broker, member, lost.bidNo)).status).toBe("lost");
  // Both the refund and the deadline have passed when the clock ticks again.
  await passHours(broker, AT.payable - AT.opened + 0.1);
  expect((await bidNow(broker, member, won.bidNo)).status).toBe("paid");
});

it("is void where the bids are opened too late to be paid before the listing", async () => {
  const code = await announce(broker, { crowd: crowdAt(520_000, 500) });
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  await passHours(broker, AT.trades - 0.5 - AT.opens);
  expect(await bidNow(broker, member, bidNo)).toMatchObject({ status: "voided", wonLots: 0 });
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - FEE, reserved: 0 });
});

it("ends the time to pay after a late opening before the listing", async () => {
  const code = await announce(broker, { crowd: crowdAt(520_000, 500) });
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  // An opening in time leaves three hours, this one two.
  await passHours(broker, AT.trades - 2 - AT.opens);
  const { tradesFrom } = (await broker.call("readAuction", member, { code })).auction;
  expect(await bidNow(broker, member, bidNo)).toMatchObject({ status: "won", payableUntil: tradesFrom - MINUTE_MS });
});

it("tells nothing of what was reckoned before it was void", async () => {
  const code = await announce(broker, { crowd: crowdAt(520_000, 500) });
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  await passHours(broker, AT.closes - AT.opens);
  broker.clock.now += (AT.opened - AT.closes) * HOUR_MS;
  const [auction] = await query<{ id: number }>(broker.db.kysely, "SELECT id FROM auction WHERE code = $1", [code]);
  expect(await prepareOpening(broker.db, auction?.id ?? 0, broker.clock.now)).not.toBeNull();
  await query(broker.db.kysely, "DELETE FROM auction_sealed");
  await passHours(broker, 0);
  expect(await bidNow(broker, member, bidNo)).toMatchObject({ status: "voided", wonLots: 0, wonCents: 0, awardFeeCents: 0 });
});

it("tries a bid whose step fails again after ten seconds, not at each tick", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  await passHours(broker, AT.opened - AT.opens);
  await passHours(broker, AT.payable - AT.opened);
  await query(broker.db.kysely, "UPDATE bid SET code = 'NOSUCH' WHERE bid_no = $1", [bidNo]);
  broker.clock.now += (AT.allotted - AT.payable) * HOUR_MS;
  const faults: unknown[] = [];
  const { db, venue, sequencer, clock } = broker;
  const tick = auctionTick({ db, venue, sequencer, now: () => clock.now, report: (fault) => faults.push(fault) });
  for (let second = 0; second < 9; second += 1) {
    await tick();
    clock.now += 1_000;
  }
  expect(faults).toHaveLength(1);
  await query(broker.db.kysely, "UPDATE bid SET code = $2 WHERE bid_no = $1", [bidNo, code]);
  clock.now += 1_000;
  await tick();
  expect((await bidNow(broker, member, bidNo)).orderNo).not.toBeNull();
  broker.faults.length = 0;
});

it("takes no bid while the channel of shares is closed", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  await query(broker.db.kysely, `INSERT INTO rule (part, member_id, body) VALUES ('offering', $1, '{"channels": ["fund"]}')`, [member]);
  await broker.sequencer.rules.reload(broker.db.kysely);
  expect(await refusalOf(bid(broker, member, code))).toMatchObject({ code: "TRD_NEW_SHARE_CLOSED", field: "code" });
});
