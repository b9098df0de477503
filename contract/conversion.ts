/** Currency conversion: a quote at the venue's mid rate less a spread, locked for some seconds, and its acceptance. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { Currency, HOME_CURRENCY } from "./kernel/currency.ts";
import type { MidRate } from "./kernel/currency.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { Cents, cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/** Which amount the member gives: what is sold (`from`), or what is to be bought (`to`). */
export const CONVERSION_SIDES = ["sell", "buy"] as const;
export const ConversionSide = z.enum(CONVERSION_SIDES);
export type ConversionSide = z.infer<typeof ConversionSide>;

/** The broker's rule for conversions. */
export const ConversionRule = z.object({
  /** The part of the mid rate that the broker keeps at least. */
  spreadPerMillion: z.int(),
  /** How long a quote is locked. */
  quoteSeconds: z.int(),
  /** The most a member may convert within an hour, valued in TWD. */
  hourlyCents: Cents,
  /** Currencies that cannot be converted at the moment. */
  closed: z.array(Currency),
});
export type ConversionRule = z.infer<typeof ConversionRule>;

/** A rate for people: what one unit of `base` costs in `counter`, in decimals. */
export const ConversionRate = z.object({
  base: Currency,
  counter: Currency,
  /** The rate of the quote, spread included, and the mid rate it was made from. */
  rate: z.string(),
  mid: z.string(),
});
export type ConversionRate = z.infer<typeof ConversionRate>;

/** What a conversion exchanges; amounts in hundredths of their currency. */
const amounts = { from: Currency, to: Currency, fromCents: Cents, toCents: Cents, rate: ConversionRate };

export const ConversionQuote = z.object({
  quoteId: z.uuid(),
  ...amounts,
  side: ConversionSide,
  spreadPerMillion: z.int(),
  /** What rounding to a hundredth costs the member: less than 0.01 of the currency that was not typed. */
  rounding: z.string(),
  quotedAt: EpochMs,
  /** The quote can be accepted until this moment. */
  expiresAt: EpochMs,
});
export type ConversionQuote = z.infer<typeof ConversionQuote>;

export const Conversion = z.object({ conversionId: z.uuid(), ...amounts, at: EpochMs });
export type Conversion = z.infer<typeof Conversion>;

const MILLION = 1_000_000n;
/** Significant digits of a rate for people. */
const RATE_DIGITS = 6;

/** What `convert` computes from; the rates are those of one unit in TWD. */
export interface ConversionTerms {
  side: ConversionSide;
  /** In hundredths of the currency of the side, at least 1. */
  amount: number;
  fromMid: MidRate;
  toMid: MidRate;
  spreadPerMillion: number;
}

interface Fraction {
  n: bigint;
  d: bigint;
}

/** Units of `to` for one unit of `from`, at mid. */
const crossOf = (from: MidRate, to: MidRate): Fraction => ({
  n: BigInt(from.numerator) * BigInt(to.denominator),
  d: BigInt(from.denominator) * BigInt(to.numerator),
});

/** Both amounts of a conversion, rounded to a hundredth in the broker's favour; null where there is nothing to exchange. */
export function convert(terms: ConversionTerms): { fromCents: Cents; toCents: Cents; rounding: string } | null {
  const { side, amount, fromMid, toMid, spreadPerMillion } = terms;
  const mid = crossOf(fromMid, toMid);
  const rate: Fraction = { n: mid.n * (MILLION - BigInt(spreadPerMillion)), d: mid.d * MILLION };
  const given = BigInt(amount);
  // Sold: the member gets rounded down. Bought: the member pays rounded up.
  const { n, d } = side === "sell" ? rate : { n: rate.d, d: rate.n };
  const rest = (given * n) % d;
  const other = (given * n) / d + (side === "buy" && rest > 0n ? 1n : 0n);
  if (other < 1n || other > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const lost: Fraction = { n: side === "sell" ? rest : rest > 0n ? d - rest : 0n, d: d * 100n };
  const [fromCents, toCents] = side === "sell" ? [amount, Number(other)] : [Number(other), amount];
  return { fromCents: cents(fromCents), toCents: cents(toCents), rounding: decimal(lost, RATE_DIGITS) };
}

/** A fraction in decimals, cut after `places`. */
function decimal({ n, d }: Fraction, places: number): string {
  const scaled = String((n * 10n ** BigInt(places)) / d).padStart(places + 1, "0");
  return `${scaled.slice(0, -places)}.${scaled.slice(-places)}`;
}

/** A rate with six significant digits, and at least four decimals. */
function rateText(rate: Fraction): string {
  let places = 4;
  for (let least = 10n ** BigInt(RATE_DIGITS - 1); places < 12 && (rate.n * 10n ** BigInt(places)) / rate.d < least;) places += 1;
  return decimal(rate, places);
}

/** The rate of a pair for people: the price of the foreign currency in TWD, or of the dearer one where neither is TWD. */
export function rateOf(
  from: Currency,
  to: Currency,
  terms: Pick<ConversionTerms, "fromMid" | "toMid" | "spreadPerMillion">,
): ConversionRate {
  const mid = crossOf(terms.fromMid, terms.toMid);
  const kept = MILLION - BigInt(terms.spreadPerMillion);
  const dearer = mid.n >= mid.d;
  const byFrom = to === HOME_CURRENCY || (from !== HOME_CURRENCY && dearer);
  return byFrom
    ? { base: from, counter: to, rate: rateText({ n: mid.n * kept, d: mid.d * MILLION }), mid: rateText(mid) }
    : { base: to, counter: from, rate: rateText({ n: mid.d * MILLION, d: mid.n * kept }), mid: rateText({ n: mid.d, d: mid.n }) };
}

/** Tells whether a pair's mid rate moved by more than half the spread. */
export function hasMoved(
  before: Pick<ConversionTerms, "fromMid" | "toMid" | "spreadPerMillion">,
  now: Pick<ConversionTerms, "fromMid" | "toMid">,
): boolean {
  const then = crossOf(before.fromMid, before.toMid);
  const since = crossOf(now.fromMid, now.toMid);
  const difference = since.n * then.d - then.n * since.d;
  const size = difference < 0n ? -difference : difference;
  return size * 2n * MILLION > then.n * since.d * BigInt(before.spreadPerMillion);
}

/** In hundredths; bounded so that every result is a safe integer. */
const Amount = z.int("VAL_AMOUNT_EMPTY").check(z.minimum(1, "VAL_AMOUNT_EMPTY"), z.maximum(10_000_000_000_000, "VAL_AMOUNT_EMPTY"));

export const conversionEndpoints = {
  quoteConversion: endpoint({
    path: "/conversion/quote",
    access: "member",
    does: "Quote a conversion between two of the member's currencies, locked for some seconds; it replaces the member's earlier quote.",
    body: z.object({ from: Currency, to: Currency, side: ConversionSide, amount: Amount }),
    data: ConversionQuote,
    refusals: [
      "CUR_NOT_FOUND",
      "VAL_AMOUNT_EMPTY",
      "GEN_TOO_FREQUENT",
      ...eligibilityRefusals("convert"),
      "CUR_SAME",
      "CUR_NOT_OPEN",
      "FUND_BALANCE_INSUFFICIENT",
      "FUND_AVAILABLE_INSUFFICIENT",
      "CUR_HOURLY_MAX",
    ],
  }),
  acceptConversion: endpoint({
    path: "/conversion/accept",
    access: "member",
    does: "Accept the member's live quote: both amounts are exchanged at once, exactly as quoted.",
    body: z.object({ requestId: RequestId, quoteId: z.uuid() }),
    data: Conversion,
    refusals: [
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      "FUND_OP_IN_PROGRESS",
      ...eligibilityRefusals("convert"),
      "CUR_QUOTE_EXPIRED",
      "CUR_QUOTE_USED",
      "CUR_NOT_OPEN",
      "CUR_QUOTE_MOVED",
      "FUND_AVAILABLE_INSUFFICIENT",
      "CUR_HOURLY_MAX",
    ],
  }),
};
