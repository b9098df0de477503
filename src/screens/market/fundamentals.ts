/** Calculates ratios of fundamentals that depend on the price. */
import { formatPercent, MINUS, PRICE_ONE } from "#contract/kernel/money.ts";
import type { Fundamentals, Profile } from "#contract/profile.ts";

/** Shown where a ratio is undefined: a loss has no price-earnings ratio. */
const NOTHING = "--";

const ratio = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : NOTHING);

export interface Ratios {
  /** Price divided by the earnings and by the book value of a share: `23.41`. */
  priceEarnings: string;
  priceBook: string;
  /** The dividend divided by the price: `2.15%`. */
  dividendYield: string;
}

/** The ratios at a price (ten-thousandths; 0 for none). */
export function ratiosAt({ earnings, book, dividend }: Fundamentals, price: number): Ratios {
  const known = price > 0;
  return {
    priceEarnings: known && earnings > 0 ? ratio(price / earnings) : NOTHING,
    priceBook: known && book > 0 ? ratio(price / book) : NOTHING,
    dividendYield: known ? formatPercent(Math.round((dividend * 10_000) / price), "never") : NOTHING,
  };
}

/** The market value of all issued shares, in whole currency units; null if nothing is issued or no price is known. */
export function marketValue({ issuedThousands }: Pick<Profile, "issuedThousands">, price: number): number | null {
  return issuedThousands > 0 && price > 0 ? Math.round((issuedThousands * 1000 * price) / PRICE_ONE) : null;
}

/** Formats an amount per share with two decimals; earnings can be negative. */
export function perShare(units: number): string {
  const text = (Math.abs(units) / PRICE_ONE).toFixed(2);
  return units < 0 && text !== "0.00" ? MINUS + text : text;
}

/** The position of a price in the year's range, 0 to 1; null where that is not known. */
export function placeInYear(price: number, low: number | null, high: number | null): number | null {
  if (price <= 0 || low === null || high === null || high <= low) return null;
  return Math.min(1, Math.max(0, (price - low) / (high - low)));
}
