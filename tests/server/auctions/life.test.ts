/** Auctions on a real broker: bids, their money to the cent, opening, payment, forfeiture, allotment, and what members are told. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Code } from "#contract/kernel/id.ts";
import { HOUR_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { prepareOpening } from "#server/offerings/auctions/awards.ts";
import { auctionStep } from "#server/offerings/auctions/auction-step.ts";
import { bidStep } from "#server/offerings/auctions/bid-step.ts";
import { reminder } from "#server/offerings/auctions/reminder.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import {
  announce,
  AT,
  bid,
  bidNow,
  crowdAt,
  expectCleanBooks,
  factsOf,
  moneyOf,
  newBidder,
  newId,
  openAuctionBroker,
  passHours,
  pay,
  RICH,
} from "./fixture.ts";

let broker: TestBroker;
beforeEach(async () => {
  broker = await openAuctionBroker();
});
afterEach(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** 4 lots at 55.00: 220,000.00, a deposit of a half, a fee of 400.00. */
const VALUE = 22_000_000;
const DEPOSIT = 11_000_000;
const FEE = 40_000;
/** 4 % of the value. */
const AWARD = 880_000;
const DUE = VALUE + AWARD - DEPOSIT;
const HELD = { available: RICH - DEPOSIT - FEE, reserved: DEPOSIT };

const readAuction = (member: number, code: Code) => broker.call("readAuction", member, { code });

it("holds the deposit and charges the fee of each bid, and a winner who pays by hand gets a position at the own price", async () => {
  const code = await announce(broker, { crowd: crowdAt(520_000, 500) });
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  expect((await readAuction(member, code)).auction).toMatchObject({ status: "bidding", lots: 200, capLots: 20, outcome: null });
  const placed = await bid(broker, member, code);
  expect(placed).toMatchObject({ status: "placed", valueCents: VALUE, depositCents: DEPOSIT, feeCents: FEE, wonLots: 0, dueCents: 0 });
  expect(await moneyOf(broker, member)).toEqual(HELD);
  await passHours(broker, AT.opened - AT.opens);
  const won = await bidNow(broker, member, placed.bidNo);
  expect(won).toMatchObject({ status: "won", wonLots: 4, wonCents: VALUE, awardFeeCents: AWARD, dueCents: DUE, refundCents: 0 });
  const { auction } = await readAuction(member, code);
  // 4 lots at 55.00 and 196 at 52.00 make 52.06.
  expect(auction.outcome).toMatchObject({ bids: 51, lotsBid: 504, lotsWon: 200, cutOff: 520_000, average: 520_600, price: 520_600 });
  const paid = await pay(broker, member, placed.bidNo);
  expect(paid).toMatchObject({ status: "paid", dueCents: 0, orderNo: null });
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - VALUE - AWARD - FEE, reserved: VALUE + AWARD });
  await passHours(broker, AT.allotted - AT.opened);
  const { orderNo } = await bidNow(broker, member, placed.bidNo);
  if (orderNo === null) throw new Error("no position");
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - VALUE - AWARD - FEE, reserved: 0 });
  const { order } = await broker.call("readOrder", member, { orderNo });
  expect(order).toMatchObject({ status: "holding", code, origin: "bid", filledLots: 4, openCents: VALUE, openFeeCents: AWARD });
  expect(order.lockedUntil).toBe(auction.tradesFrom);
  expect(factsOf(broker, member)).toEqual(["bid.placed", "bid.won", "bid.paid", "bid.allotted"]);
});

it("gives a loser the deposit back on the day after the opening, not before, and keeps the fee", async () => {
  const code = await announce(broker, { crowd: crowdAt(560_000, 500) });
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  await passHours(broker, AT.opened - AT.opens);
  expect(await bidNow(broker, member, bidNo)).toMatchObject({ status: "lost", wonLots: 0, refundCents: DEPOSIT, refundedAt: null });
  expect(await moneyOf(broker, member)).toEqual(HELD);
  await passHours(broker, AT.refunds - AT.opened);
  expect(await bidNow(broker, member, bidNo)).toMatchObject({ status: "lost", refundedAt: broker.clock.now });
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - FEE, reserved: 0 });
  expect(factsOf(broker, member)).toEqual(["bid.placed", "bid.lost", "bid.refunded"]);
  const inbox = await broker.call("listMessages", member, { cursor: null });
  expect(inbox.items[0]).toMatchObject({ kind: "auction", auction: { event: "bid.lost", bid: { bidNo } } });
});

it("fills a bid in part, gives back the deposit of the rest, and debits what is due at the deadline", async () => {
  // 197 of 200 lots go to the crowd above.
  const code = await announce(broker, { crowd: crowdAt(560_000, 197) });
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  await passHours(broker, AT.opened - AT.opens);
  // 3 of 4 lots: 165,000.00, of it 82,500.00 as deposit, 6,600.00 award fee.
  const due = 16_500_000 + 660_000 - 8_250_000;
  expect(await bidNow(broker, member, bidNo)).toMatchObject({
    status: "won",
    wonLots: 3,
    wonCents: 16_500_000,
    awardFeeCents: 660_000,
    dueCents: due,
    refundCents: 2_750_000,
  });
  await passHours(broker, AT.refunds - AT.opened);
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - FEE - 8_250_000, reserved: 8_250_000 });
  await passHours(broker, AT.payable - AT.refunds - 0.001);
  expect((await bidNow(broker, member, bidNo)).status).toBe("won");
  await passHours(broker, 0.001);
  expect(await bidNow(broker, member, bidNo)).toMatchObject({ status: "paid", dueCents: 0 });
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - FEE - 17_160_000, reserved: 17_160_000 });
  expect(factsOf(broker, member)).toEqual(["bid.placed", "bid.won", "bid.refunded", "bid.reminded", "bid.paid"]);
  const inbox = await broker.call("listMessages", member, { cursor: null });
  expect(inbox.items.slice(0, 3)).toMatchObject(["bid.paid", "bid.reminded", "bid.won"].map((event) => ({ auction: { event } })));
});

it("forfeits the deposit of a winner who cannot pay at the deadline, and nothing else", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker, DEPOSIT + FEE + DUE - 1);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  await passHours(broker, AT.opened - AT.opens);
  expect(await refusalOf(pay(broker, member, bidNo))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT", field: "bidNo" });
  await passHours(broker, AT.payable - AT.opened);
  expect(await bidNow(broker, member, bidNo)).toMatchObject({ status: "forfeited", dueCents: 0 });
  expect(await moneyOf(broker, member)).toEqual({ available: DUE - 1, reserved: 0 });
  expect(await refusalOf(pay(broker, member, bidNo))).toMatchObject({ code: "TRD_ORDER_NOT_PAYMENT", field: "bidNo" });
  await passHours(broker, AT.allotted);
  expect((await broker.call("listPositions", member, {})).positions).toEqual([]);
});

it("pays each bid of a member its own price, and lets nobody win more than a tenth", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const high = await bid(broker, member, code, { price: 600_000, lots: 15 });
  const low = await bid(broker, member, code, { price: 510_000, lots: 15 });
  const none = await bid(broker, member, code, { price: 505_000, lots: 3 });
  await passHours(broker, AT.opened - AT.opens);
  expect(await bidNow(broker, member, high.bidNo)).toMatchObject({ wonLots: 15, wonCents: 90_000_000 });
  expect(await bidNow(broker, member, low.bidNo)).toMatchObject({ wonLots: 5, wonCents: 25_500_000 });
  expect(await bidNow(broker, member, none.bidNo)).toMatchObject({ status: "lost", wonLots: 0 });
  const { auction, bids } = await readAuction(member, code);
  expect(auction.outcome).toMatchObject({ lotsWon: 20, cutOff: 510_000, average: 577_500, price: 577_500 });
  expect(bids.map(({ bidNo }) => bidNo)).toEqual([none.bidNo, low.bidNo, high.bidNo]);
});

it("sets the lottery's price: the winners' average, at most 1.3 times the minimum, or the minimum without bids", async () => {
  const member = await newBidder(broker);
  const dear = await announce(broker, { crowd: crowdAt(900_000, 500) });
  const empty = await announce(broker);
  await passHours(broker, AT.opened);
  expect((await readAuction(member, dear)).auction.outcome).toMatchObject({ average: 900_000, price: 650_000 });
  expect((await readAuction(member, empty)).auction.outcome).toMatchObject({ bids: 0, cutOff: null, average: null, price: 500_000 });
  const prices = await query(broker.db.kysely, "SELECT code, price FROM offering WHERE code = ANY ($1::text[]) ORDER BY code", [
    [dear, empty],
  ]);
  expect(prices).toEqual([
    { code: dear, price: 650_000 },
    { code: empty, price: 500_000 },
  ]);
});

it("is held for the crowd alone where the server was off all the time, so that its lottery gets a price", async () => {
  const member = await newBidder(broker);
  const crowd = crowdAt(520_000, 300);
  const late = await announce(broker, { crowd, late: AT.opened + 0.5 });
  const listed = await announce(broker, { crowd, late: AT.trades + 24 });
  for (const code of [late, listed]) {
    expect((await readAuction(member, code)).auction).toMatchObject({ status: "opened", outcome: { bids: 30, price: 520_000 } });
    expect(await refusalOf(bid(broker, member, code))).toMatchObject({ code: "AUC_ENDED", field: "code" });
  }
  const prices = await query<{ price: number }>(broker.db.kysely, "SELECT price FROM offering ORDER BY code");
  expect(prices).toEqual([{ price: 520_000 }, { price: 520_000 }]);
});

it("extends the time to pay, and the refunds, by as much as the opening is late", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  const { auction } = await readAuction(member, code);
  // The server was off for two hours.
  await passHours(broker, AT.opened - AT.opens + 2);
  const late = 2 * HOUR_MS;
  expect(await bidNow(broker, member, bidNo)).toMatchObject({ status: "won", payableUntil: auction.payableUntil + late });
  expect((await readAuction(member, code)).auction).toMatchObject({
    refundsAt: auction.refundsAt + late,
    payableUntil: auction.payableUntil + late,
  });
});

it("reminds who booked it when bidding begins, once, and nobody else", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  const other = await newBidder(broker);
  const requestId = newId();
  expect(await broker.call("bookAuction", member, { requestId, code })).toEqual({ code });
  expect(await broker.call("bookAuction", member, { requestId, code })).toEqual({ code });
  expect(await refusalOf(broker.call("bookAuction", member, { requestId: newId(), code }))).toMatchObject({
    code: "TRD_ALREADY_BOOKED",
    field: "code",
  });
  expect((await broker.call("listAuctions", member, {})).booked).toEqual([code]);
  await passHours(broker, AT.opens);
  await passHours(broker, 0.5);
  expect(factsOf(broker, member)).toEqual(["auction.started"]);
  expect(factsOf(broker, other)).toEqual([]);
  const inbox = await broker.call("listMessages", member, { cursor: null });
  expect(inbox.items[0]).toMatchObject({ kind: "auction", auction: { event: "auction.started", code, minimumPrice: 500_000 } });
  expect(await refusalOf(broker.call("bookAuction", other, { requestId: newId(), code }))).toMatchObject({
    code: "AUC_ENDED",
    field: "code",
  });
});

it("takes each step once when it is asked for twice in one batch", async () => {
  const code = await announce(broker, { crowd: crowdAt(560_000, 500) });
  const member = await newBidder(broker);
  await broker.call("bookAuction", member, { requestId: newId(), code });
  await broker.stop();
  /** The first command keeps the sequencer busy until the other two wait together. */
  const twice = (step: () => QueuedCommand<void>) =>
    Promise.all([{ memberIds: [], decide: () => undefined }, step(), step()].map((command) => broker.sequencer.submit(command)));
  const idOf = async (table: string): Promise<number> => {
    const [row] = await query<{ id: number }>(broker.db.kysely, `SELECT max(id) AS id FROM ${table}`);
    return row?.id ?? 0;
  };
  const auction = await idOf("auction");
  const booking = await idOf("auction_booking");
  broker.clock.now += AT.opens * HOUR_MS;
  await twice(() => auctionStep(auction));
  await twice(() => reminder(member, booking));
  const { bidNo } = await bid(broker, member, code);
  broker.clock.now += (AT.opened - AT.opens) * HOUR_MS;
  await twice(() => auctionStep(auction));
  const opening = await prepareOpening(broker.db, auction, broker.clock.now);
  await twice(() => auctionStep(auction, opening));
  await twice(() => bidStep(member, bidNo));
  broker.clock.now += (AT.refunds - AT.opened) * HOUR_MS;
  await twice(() => bidStep(member, bidNo));
  expect(factsOf(broker, member)).toEqual(["auction.started", "bid.placed", "bid.lost", "bid.refunded"]);
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - FEE, reserved: 0 });
});

it("reminds nobody of an auction that is void when it should start", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  await broker.call("bookAuction", member, { requestId: newId(), code });
  await query(broker.db.kysely, "DELETE FROM auction_sealed");
  await passHours(broker, AT.opens);
  expect((await readAuction(member, code)).auction.status).toBe("voided");
  expect(factsOf(broker, member)).toEqual([]);
  const [open] = await query<{ count: number }>(
    broker.db.kysely,
    "SELECT count(*)::integer AS count FROM auction_booking WHERE told_at IS NULL",
  );
  expect(open?.count).toBe(0);
});

it("costs nothing while nothing is due, and delivers at once what is paid by hand after the allotment's day", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  // So late that winners pay until the listing, after the day of the allotment.
  await passHours(broker, AT.allotted - AT.opens - 0.5);
  const { payableUntil } = await bidNow(broker, member, bidNo);
  await passHours(broker, 0.75);
  const { auction } = await readAuction(member, code);
  expect([broker.clock.now > auction.allottedAt, broker.clock.now < (payableUntil ?? 0)]).toEqual([true, true]);
  await pay(broker, member, bidNo);
  // The broker's own clock, which had nothing to do before.
  await vi.waitFor(async () => expect((await bidNow(broker, member, bidNo)).orderNo).not.toBeNull(), { timeout: 20_000, interval: 20 });
});

it("is void, with every deposit given back at once, when what was sealed does not agree with its hash", async () => {
  const code = await announce(broker, { crowd: crowdAt(520_000, 500) });
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  await query(
    broker.db.kysely,
    "UPDATE auction_sealed SET crowd = '[900000, 200]' FROM auction WHERE auction.id = auction_id AND code = $1",
    [code],
  );
  await passHours(broker, AT.opened - AT.opens);
  expect(await bidNow(broker, member, bidNo)).toMatchObject({ status: "voided", wonLots: 0 });
  const { auction, disclosure } = await readAuction(member, code);
  expect(auction).toMatchObject({ status: "voided", outcome: null });
  expect(disclosure).toBeNull();
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - FEE, reserved: 0 });
});

it("pays a debt with a deposit that comes back, and never with one that is held", async () => {
  const code = await announce(broker, { crowd: crowdAt(560_000, 500) });
  const member = await newBidder(broker, DEPOSIT + FEE);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  await broker.sequencer.submit({
    memberIds: [member],
    decide: (batch) => {
      batch.ledger.settle({ memberId: member, kind: "interest", orderNo: null, moves: [] }, [{ to: "interest", amount: 5_000 }]);
      batch.emit(member, { type: "wallet.changed", kind: "interest", currencies: ["TWD"] });
    },
  });
  await broker.settled();
  expect(await moneyOf(broker, member)).toEqual({ available: 0, reserved: DEPOSIT });
  expect((await bidNow(broker, member, bidNo)).status).toBe("placed");
  await passHours(broker, AT.opened - AT.opens);
  await passHours(broker, AT.refunds - AT.opened);
  expect(await moneyOf(broker, member)).toEqual({ available: DEPOSIT - 5_000, reserved: 0 });
});

it("does not stop for one bid whose step fails, which is tried again", async () => {
  // The test takes the steps: a failure on the broker's own clock could come after the faults were cleared.
  await broker.stop();
  await broker.settled();
  const code = await announce(broker);
  const members = await Promise.all([newBidder(broker), newBidder(broker), newBidder(broker)]);
  await passHours(broker, AT.opens);
  const bids = await Promise.all(members.map((member) => bid(broker, member, code)));
  await passHours(broker, AT.opened - AT.opens);
  await passHours(broker, AT.payable - AT.opened);
  await query(broker.db.kysely, "UPDATE bid SET code = 'NOSUCH' WHERE bid_no = $1", [bids[1]?.bidNo]);
  await passHours(broker, AT.allotted - AT.payable);
  const orders = async () =>
    Promise.all(bids.map(async ({ bidNo }, nth) => (await bidNow(broker, members[nth] ?? 0, bidNo)).orderNo !== null));
  expect(await orders()).toEqual([true, false, true]);
  expect(broker.faults.map(String)).toContainEqual(expect.stringContaining("NOSUCH"));
  await query(broker.db.kysely, "UPDATE bid SET code = $2 WHERE bid_no = $1", [bids[1]?.bidNo, code]);
  broker.faults.length = 0;
  await passHours(broker, 0.1);
  expect(await orders()).toEqual([true, true, true]);
});
