/** Auctions and bids for tests of the screens. */
import type { Auction } from "#contract/auction.ts";
import { bidCost } from "#contract/bid-price.ts";
import type { Bid } from "#contract/bid.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import { AUCTION_RULE } from "./auction-rule.ts";
import type { Plain } from "./plain.ts";

/** An auction that takes bids now, of 1,000 lots from NT$40 on. */
export function auctionOf(over: Partial<Plain<Auction>> = {}): Auction {
  const now = Date.now();
  const at = (days: number) => epochMs(now + days * DAY_MS);
  const auction: Auction = {
    code: "N0004" as Auction["code"],
    status: "bidding",
    opensAt: at(-1),
    closesAt: at(2),
    opensBidsAt: at(4),
    refundsAt: at(5),
    payableUntil: at(6),
    allottedAt: at(10),
    tradesFrom: at(11),
    lots: 1_000,
    lotShares: 1_000,
    minimumPrice: price(400_000),
    mostPrice: price(520_000),
    capLots: 100,
    terms: AUCTION_RULE,
    leadBroker: { zh: "北辰證券", zhCn: "北辰证券", en: "Northstar Securities" },
    commitment: "9f86d081884c7d659a2feaa0c55ad015",
    outcome: null,
  };
  return { ...auction, ...(over as Partial<Auction>) };
}

/** A sealed bid in that auction. */
export function bidOf(over: Partial<Plain<Bid>> = {}): Bid {
  const { lots = 3, price: each = 450_000 } = over;
  const { valueCents, depositCents, feeCents } = bidCost(auctionOf(), each, lots);
  const bid: Bid = {
    bidNo: "A000000000001",
    code: "N0004" as Bid["code"],
    status: "placed",
    price: price(each),
    lots,
    valueCents,
    depositCents,
    feeCents,
    wonLots: 0,
    wonCents: cents(0),
    awardFeeCents: cents(0),
    dueCents: cents(0),
    refundCents: cents(0),
    placedAt: epochMs(Date.now() - DAY_MS),
    openedAt: null,
    payableUntil: null,
    refundedAt: null,
    paidAt: null,
    endedAt: null,
    orderNo: null,
  };
  return { ...bid, ...(over as Partial<Bid>) };
}
