/** The currencies of the wallets, their mid rates in TWD, and the one place that knows in which units the venue quotes them. */
import * as z from "zod/mini";
import type { Code } from "./id.ts";
import { PRICE_ONE, cents } from "./money.ts";
import type { Cents } from "./money.ts";

export const CURRENCIES = ["TWD", "USD", "CNY", "HKD", "THB", "JPY", "VND", "MYR", "KRW"] as const;
export const Currency = z.enum(CURRENCIES, "CUR_NOT_FOUND");
export type Currency = z.infer<typeof Currency>;

/** The currency of all trading, and of every total over currencies. */
export const HOME_CURRENCY = "TWD" satisfies Currency;

/** Units of a currency that one quote of the venue prices. */
const QUOTED_UNITS: Record<Currency, number> = { TWD: 1, USD: 1, CNY: 1, HKD: 1, THB: 1, JPY: 100, VND: 1_000, MYR: 1, KRW: 100 };

/** The value of one unit of a currency in TWD, as an exact fraction of whole numbers. */
export interface MidRate {
  numerator: number;
  denominator: number;
}

/** One TWD is worth one TWD. */
const HOME_RATE: MidRate = { numerator: 1, denominator: 1 };

/** The instrument that prices a currency in TWD; null for TWD itself. */
export function pairOf(currency: Currency): Code | null {
  return currency === HOME_CURRENCY ? null : (`${currency}${HOME_CURRENCY}` as Code);
}

/** The mid rate from a quote of the currency's pair in price units: between bid and ask, else the last price; null without a price. */
export function midRate(currency: Currency, quote: { bid: number; ask: number; last: number } | null): MidRate | null {
  if (currency === HOME_CURRENCY) return HOME_RATE;
  if (!quote) return null;
  const twice = quote.bid > 0 && quote.ask > 0 ? quote.bid + quote.ask : 2 * quote.last;
  return twice > 0 ? { numerator: twice, denominator: 2 * PRICE_ONE * QUOTED_UNITS[currency] } : null;
}

/** The value of an amount in TWD cents at a mid rate, rounded down to a whole cent. */
export function homeValue(amount: number, { numerator, denominator }: MidRate): Cents {
  const value = BigInt(amount) * BigInt(numerator);
  const by = BigInt(denominator);
  // BigInt divides towards zero; an amount owed rounds down as well.
  return cents(Number(value / by - (value % by < 0n ? 1n : 0n)));
}
