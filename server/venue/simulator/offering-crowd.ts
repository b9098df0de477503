/** The simulated crowd in an offering: how many apply, and how they bid; drawn so that nobody gains by following or copying it. */
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { toTick } from "#contract/tick.ts";
import type { OfferingCrowd, SealedBid } from "#server/venue/issue.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { normal, unit } from "#server/venue/seeded-random.ts";
import { winningRate } from "./issue-terms.ts";
import type { IssueTerms } from "./issue-terms.ts";

/** How far the number of applications is from the one that pays nothing. */
const NUMBER_SPREAD = 0.15;
/** An offering that is worth no application finds takers for at most this part of its lots. */
const UNWANTED = 0.9;
/** What a bidder pays besides the price: the award fee, and commission and tax of the sale. */
const BIDDING_COSTS = 0.04 + 0.001_425 + 0.003;
const BIDS = 240;
/** How widely bids differ, in logarithms, and how far the cut-off is from the expected worth less the costs. */
const BID_SPREAD = 0.05;
const CUT_SPREAD = 0.01;

const logit = (share: number): number => Math.log(share / (1 - share));

/** The bids of the crowd: they meet the lots offered at about the worth that it expects, less the costs. */
function bidsOf({ number, auctionLots, expected, minimumPrice }: IssueTerms, key: Key): SealedBid[] {
  const drawn = (nth: number): number => key.draw(PURPOSE.crowd, number, nth);
  const cover = 1.6 + 2 * unit(drawn(1));
  const cut = (expected / (1 + BIDDING_COSTS)) * Math.exp(CUT_SPREAD * normal(drawn(2)));
  const perBid = (auctionLots * cover) / BIDS;
  const bids: SealedBid[] = [];
  for (let nth = 0; nth < BIDS; nth += 1) {
    const place = (nth + unit(drawn(10 + 2 * nth))) / BIDS;
    const price = toTick(
      "stock",
      Math.round(cut * Math.exp(BID_SPREAD * (logit(1 / cover) - logit(Math.min(0.999, Math.max(0.001, place)))))),
    );
    const lots = Math.max(1, Math.round(perBid * (0.4 + 1.2 * unit(drawn(11 + 2 * nth)))));
    if (price >= minimumPrice) bids.push({ price, lots });
  }
  return bids.toSorted((a, b) => b.price - a.price);
}

/** The crowd of an issue; `key` is that of the issues' draws. */
export function crowdOf(terms: IssueTerms, key: Key): OfferingCrowd {
  return {
    applications(price) {
      const bits = key.draw(PURPOSE.crowd, terms.number);
      const rate = winningRate(terms, price);
      if (rate >= 1) return Math.max(1, Math.round(terms.lots * UNWANTED * unit(bits)));
      return Math.round((terms.lots / rate) * Math.exp(NUMBER_SPREAD * normal(bits) - (NUMBER_SPREAD * NUMBER_SPREAD) / 2));
    },
    lotsAsked: terms.lotsAsked,
    bids: () => (terms.auctioned ? bidsOf(terms, key) : []),
  };
}

/** The price of the lottery after an auction: the winners' average, at most the provisional price. */
export function averageWinningPrice({ auctionLots, minimumPrice, price }: IssueTerms, bids: readonly SealedBid[]): number {
  let left = auctionLots;
  let value = 0;
  for (const bid of bids) {
    const won = Math.min(left, bid.lots);
    value += won * bid.price;
    left -= won;
  }
  const cent = PRICE_ONE / 100;
  return left === auctionLots ? minimumPrice : Math.min(price, Math.round(value / (auctionLots - left) / cent) * cent);
}
