/**
 * Tests random auctions on a real broker against a slow reference: lots are given away one by one from what is published, and each member's
 * money and shares are reckoned from their bids alone, to the cent.
 */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Auction, AuctionDisclosure } from "#contract/auction.ts";
import type { Bid } from "#contract/bid.ts";
import type { Code } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import { randomFrom } from "#tests/server/simulation/random.ts";
import type { Random } from "#tests/server/simulation/random.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { announce, AT, bid, expectCleanBooks, moneyOf, newBidder, openAuctionBroker, passHours, pay, RICH } from "./fixture.ts";

const RUNS = Math.min(40, Number(process.env["PROPERTY_RUNS"]) || 6);
const MEMBERS = 5;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openAuctionBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** Prices on few ticks, so that ties are common; 500 price units are no tick above 50.00. */
const priceOf = (random: Random): number => 500_000 + 1_000 * random.int(0, 6);

interface Placed {
  member: number;
  bid: Bid;
}

/** Lots won of each ticket, one lot at a time to the highest price, then the lowest draw, of a bidder below the cap. */
function giveAway(auction: Auction, { secret, crowd }: AuctionDisclosure, placed: readonly Placed[]): Map<string, number> {
  const draw = (ticket: string): string =>
    createHmac("sha256", Buffer.from(secret, "hex")).update(`${auction.code}:${ticket}`).digest("hex");
  const all = [
    ...Array.from({ length: crowd.length / 2 }, (_, nth) => ({
      ticket: `C${nth}`,
      bidder: `C${nth}`,
      price: crowd[2 * nth] ?? 0,
      lots: crowd[2 * nth + 1] ?? 0,
    })),
    ...placed.map(({ member, bid: { bidNo, price, lots } }) => ({ ticket: bidNo, bidder: `M${member}`, price, lots })),
  ].toSorted((a, b) => b.price - a.price || (draw(a.ticket) < draw(b.ticket) ? -1 : 1));
  const won = new Map<string, number>();
  const ofBidder = new Map<string, number>();
  for (let lot = 0; lot < auction.lots; lot += 1) {
    const next = all.find((one) => (won.get(one.ticket) ?? 0) < one.lots && (ofBidder.get(one.bidder) ?? 0) < auction.capLots);
    if (!next) break;
    won.set(next.ticket, (won.get(next.ticket) ?? 0) + 1);
    ofBidder.set(next.bidder, (ofBidder.get(next.bidder) ?? 0) + 1);
  }
  return won;
}

/** Half of a value, and 4 % of it in whole NT$; a lot at price p is worth p × 10 cents. */
const worthOf = (price: number, lots: number): number => price * lots * 10;
const feeOf = (cents: number): number => Math.floor((cents * 4) / 10_000) * 100;

interface Expected {
  available: number;
  lots: number;
  costCents: number;
}

/** What a member has at the end: bids are debited in the order they were placed, while the money lasts. */
function reckon(startCents: number, bids: readonly { bid: Bid; lots: number; byHand: boolean }[]): Expected {
  let available = startCents;
  for (const { bid: one } of bids) available -= 40_000 + worthOf(one.price, one.lots) / 2;
  let lots = 0;
  let cost = 0;
  const settle = (chosen: typeof bids): void => {
    for (const one of chosen) {
      const value = worthOf(one.bid.price, one.lots);
      const due = value / 2 + feeOf(value);
      if (one.lots === 0 || available < due) continue;
      available -= due;
      lots += one.lots;
      cost += value + feeOf(value);
    }
  };
  settle(bids.filter(({ byHand }) => byHand));
  for (const one of bids) available += (worthOf(one.bid.price, one.bid.lots) - worthOf(one.bid.price, one.lots)) / 2;
  settle(bids.filter(({ byHand }) => !byHand));
  return { available, lots, costCents: cost };
}

it.each(Array.from({ length: RUNS }, (_, nth) => nth + 1))("agrees with the slow reference (seed %i)", async (seed) => {
  const random = randomFrom(seed);
  const crowd = Array.from({ length: random.int(0, 30) }, () => ({ price: priceOf(random), lots: random.int(1, 8) }));
  const lots = random.int(40, 120);
  const code: Code = await announce(broker, { lots, crowd });
  const cap = Math.floor(lots / 10);
  const start = new Map<number, number>();
  for (let nth = 0; nth < MEMBERS; nth += 1) {
    const cents = random.once(3) ? 2_000_000 * random.int(10, 80) : RICH;
    start.set(await newBidder(broker, cents), cents);
  }
  await passHours(broker, AT.opens);
  const placed: Placed[] = [];
  for (let nth = 0; nth < 4 * MEMBERS; nth += 1) {
    const member = random.pick([...start.keys()]);
    const asked = { price: priceOf(random), lots: random.int(1, cap) };
    // Not everybody has the money for every bid.
    const made = await bid(broker, member, code, asked).catch(() => null);
    if (made) placed.push({ member, bid: made });
  }
  await passHours(broker, AT.opened - AT.opens);
  const { auction, disclosure } = await broker.call("readAuction", placed[0]?.member ?? 0, { code });
  if (!disclosure) throw new Error("not opened");
  const won = giveAway(auction, disclosure, placed);
  const byHand = new Set<string>();
  for (const { member, bid: one } of placed) {
    if ((won.get(one.bidNo) ?? 0) === 0 || !random.once(2)) continue;
    const paid = await pay(broker, member, one.bidNo).catch(() => null);
    if (paid) byHand.add(one.bidNo);
  }
  await passHours(broker, AT.refunds - AT.opened);
  await passHours(broker, AT.payable - AT.refunds);
  await passHours(broker, AT.allotted - AT.payable);
  for (const [member, cents] of start) {
    const bids = placed
      .filter((one) => one.member === member)
      .map(({ bid: one }) => ({ bid: one, lots: won.get(one.bidNo) ?? 0, byHand: byHand.has(one.bidNo) }));
    const [held] = await query<{ lots: number; cost: number }>(
      broker.db.kysely,
      `SELECT coalesce(sum(filled_lots), 0)::integer AS lots, coalesce(sum(open_cents + open_fee_cents), 0)::bigint AS cost
       FROM "order" WHERE member_id = $1`,
      [member],
    );
    const { available, reserved } = await moneyOf(broker, member);
    expect({ available, lots: held?.lots, costCents: held?.cost }, `member ${member}`).toEqual(reckon(cents, bids));
    expect(reserved).toBe(0);
  }
  const sum = (of: (lots: number, price: number) => number): number =>
    [...won].reduce((total, [ticket, count]) => {
      const nth = Number(ticket.slice(1));
      const price = ticket.startsWith("C") ? disclosure.crowd[2 * nth] : placed.find(({ bid: one }) => one.bidNo === ticket)?.bid.price;
      return total + of(count, price ?? 0);
    }, 0);
  const soldLots = sum((count) => count);
  const average = soldLots === 0 ? null : Math.round(sum((count, price) => count * price) / soldLots / 100) * 100;
  expect(auction.outcome).toMatchObject({ lotsWon: soldLots, average, price: Math.min(650_000, average ?? 500_000) });
});
