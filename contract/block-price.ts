/** The price of a block: its discount, and the lowest at which it may be bought. Apart from the schemas, so that importing it does not load zod. */
import { price } from "./kernel/money.ts";
import type { Price } from "./kernel/money.ts";

/** The least that a purchase here and a sale on the market cost, per million: a fee each, and the tax. */
interface RoundTrip {
  feePerMillion: number;
  taxPerMillion: number;
}

const MILLION = 1_000_000;
/** Fees and tax are rounded down to whole NT$, which a block must not make up for. */
const ROUNDING = 100;

/**
 * The costs that a block's discount stays below. Not only the buyer's own: somebody else may sell, with a seat's fee and an agent who
 * shares the rebate.
 */
export function roundTripOf(rule: RoundTrip, reward: { seatFeePerMillion: number; rebatePerMillion: number }): RoundTrip {
  const fee = Math.min(rule.feePerMillion, reward.seatFeePerMillion);
  return {
    feePerMillion: Math.floor((fee * (MILLION - reward.rebatePerMillion)) / MILLION),
    taxPerMillion: Math.max(0, rule.taxPerMillion - ROUNDING),
  };
}

/**
 * The lowest price at which a block may be bought while the market pays this much: buying here and selling there covers its fees and tax at
 * best, so it earns nothing.
 */
export function lowestBlockPrice(market: number, { feePerMillion, taxPerMillion }: RoundTrip): Price {
  const brings = BigInt(market) * BigInt(MILLION - feePerMillion - taxPerMillion);
  const costs = BigInt(MILLION + feePerMillion);
  return price(Number((brings + costs - 1n) / costs));
}

/** Whether an offer's price can be had now. */
export function isWithinCosts({ price: at, market }: { price: number; market: number }, costs: RoundTrip): boolean {
  return at >= lowestBlockPrice(market, costs);
}

/** A discount in hundredths of a percent, negative for a premium. */
export function discountOf(at: number, against: number): number {
  return against <= 0 ? 0 : Math.round(((against - at) * 10_000) / against);
}
