/** Tests the opening with the venue's own crowd: the outcome is what the venue reckons, and a member's bid moves nobody's price but by its lots. */
import { expect, test } from "vitest";
import { capLotsOf } from "#contract/bid-price.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { openBids, openBidsSlices } from "#server/offerings/auctions/opening.ts";
import { bidNoOf, commitmentOf, drawOf, seal } from "#server/offerings/auctions/sealed-book.ts";
import type { AuctionRecord } from "#server/records/bid.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { Key } from "#server/venue/keyed-random.ts";
import { IssueSchedule } from "#server/venue/simulator/issue-schedule.ts";
import { IssueTermsReader } from "#server/venue/simulator/issue-terms.ts";
import type { IssueTerms } from "#server/venue/simulator/issue-terms.ts";
import { averageWinningPrice, crowdOf } from "#server/venue/simulator/offering-crowd.ts";
import { AUCTION_RULE } from "#tests/support/auction-rule.ts";

const OPENED = Date.UTC(2026, 6, 1, 2);

const recordOf = ({ code, auctionLots, minimumPrice, price }: IssueTerms): AuctionRecord => ({
  id: 1,
  market: "sandbox",
  code,
  status: "closed",
  opens_at: OPENED - 3 * HOUR_MS,
  closes_at: OPENED - HOUR_MS,
  opens_bids_at: OPENED,
  refunds_at: OPENED + HOUR_MS,
  payable_until: OPENED + 2 * HOUR_MS,
  allotted_at: OPENED + 3 * HOUR_MS,
  trades_from: OPENED + 4 * HOUR_MS,
  lots: auctionLots,
  lot_shares: 1000,
  minimum_price: minimumPrice,
  most_price: price,
  cap_lots: capLotsOf(AUCTION_RULE, auctionLots),
  terms: AUCTION_RULE,
  lead_broker: { zh: "", zhCn: "", en: "" },
  commitment: "",
  outcome: null,
  tied: null,
});

function auctions(): { terms: IssueTerms; crowd: ReturnType<ReturnType<typeof crowdOf>["bids"]> }[] {
  const key = Key.of(3, "issues");
  const reader = new IssueTermsReader(key, new IssueSchedule(calendarOf("always")));
  return Array.from({ length: 400 }, (_, number) => reader.read(number))
    .filter(({ auctioned }) => auctioned)
    .map((terms) => ({ terms, crowd: crowdOf(terms, key).bids() }));
}

test("without members the outcome is what the venue reckons from its crowd alone", () => {
  const all = auctions();
  expect(all.length).toBeGreaterThan(40);
  for (const { terms, crowd } of all) {
    const { outcome } = openBids(recordOf(terms), seal(crowd), [], OPENED);
    expect(outcome.price, terms.code).toBe(averageWinningPrice(terms, crowd));
    expect(outcome.bids).toBe(crowd.length);
    expect(outcome.lotsWon).toBe(
      Math.min(
        terms.auctionLots,
        crowd.reduce((sum, { lots }) => sum + lots, 0),
      ),
    );
  }
});

test("a member at the cut-off waits for the draw, and one above it wins", () => {
  for (const { terms, crowd } of auctions().slice(0, 30)) {
    const record = recordOf(terms);
    const book = seal(crowd);
    const cutOff = openBids(record, book, [], OPENED).outcome.cutOff ?? 0;
    const bid = {
      id: 7,
      bid_no: bidNoOf(terms.code, "00000000-0000-4000-8000-000000000007"),
      member_id: 1,
      lots: 2,
      deposit_cents: 100_000_000_000,
    };
    const won = (price: number): number => openBids(record, book, [{ ...bid, price }], OPENED).rows[0]?.won_lots ?? -1;
    expect(won(cutOff * 2)).toBe(2);
    expect(won(1)).toBe(Math.max(0, Math.min(2, terms.auctionLots - crowd.reduce((sum, { lots }) => sum + lots, 0))));
    const { tied } = openBids(record, book, [{ ...bid, price: cutOff }], OPENED);
    expect(tied.map(({ ticket }) => ticket)).toContain(bid.bid_no);
    const draws = tied.map(({ ticket }) => drawOf(book.secret, terms.code)(ticket));
    expect(draws).toEqual(draws.toSorted());
  }
});

test("a punctual opening moves nothing, a late one what follows", () => {
  const [first] = auctions();
  if (!first) throw new Error("no auction");
  const record = recordOf(first.terms);
  const openedAt = (late: number) => openBids(record, seal(first.crowd), [], OPENED + late);
  expect(openedAt(5 * SECOND_MS)).toMatchObject({ refundsAt: record.refunds_at, payableUntil: record.payable_until });
  expect(openedAt(5 * MINUTE_MS)).toMatchObject({
    refundsAt: record.refunds_at + 5 * MINUTE_MS,
    payableUntil: record.payable_until + 5 * MINUTE_MS,
  });
});

test("two seals of the same crowd have nothing in common, and any change shows", () => {
  const [first] = auctions();
  if (!first) throw new Error("no auction");
  const [one, other] = [seal(first.crowd), seal(first.crowd)];
  expect(one.secret).toMatch(/^[0-9a-f]{64}$/);
  const commitment = commitmentOf("N0001", one);
  expect(commitment).not.toBe(commitmentOf("N0001", other));
  const [price = 0, ...rest] = one.crowd;
  expect(commitmentOf("N0001", { ...one, crowd: [price + 100, ...rest] })).not.toBe(commitment);
  expect(commitmentOf("N0002", one)).not.toBe(commitment);
});

test("thousands of bids are opened in slices, between which everything else has its turn", () => {
  const [first] = auctions();
  if (!first) throw new Error("no auction");
  const bids = Array.from({ length: 5_000 }, (_, nth) => ({
    id: nth,
    bid_no: `A${nth.toString(16).padStart(12, "0")}`,
    member_id: nth % 500,
    price: first.terms.minimumPrice,
    lots: 1,
    deposit_cents: 1_000_000_000,
  }));
  const slices = openBidsSlices(recordOf(first.terms), seal(first.crowd), bids, OPENED);
  let turns = 0;
  while (!slices.next().done) turns += 1;
  expect(turns).toBeGreaterThan(10);
});
