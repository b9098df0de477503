/** Exact money and prices as integers (cents for money, ten-thousandths for prices), with parsing and formatting. */
import * as z from "zod/mini";

/** Money in hundredths of its currency unit. Always a safe integer; sums and profits may be negative. */
export const Cents = z.int().brand<"Cents">();
export type Cents = z.infer<typeof Cents>;

/** A price in ten-thousandths of its currency unit (TWD 1,085.00 = 10,850,000). Always a safe integer. */
export const Price = z.int().brand<"Price">();
export type Price = z.infer<typeof Price>;

/** Price units per currency unit. */
export const PRICE_ONE = 10_000;

/**
 * Brands an integer as cents.
 * @throws RangeError when `amount` is not a safe integer: money is never rounded by accident
 */
export function cents(amount: number): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not an exact amount of cents: ${amount}`);
  return amount as Cents;
}

/**
 * Brands an integer as a price.
 * @throws RangeError when `units` is not a safe integer
 */
export function price(units: number): Price {
  if (!Number.isSafeInteger(units)) throw new RangeError(`not an exact price: ${units}`);
  return units as Price;
}

/**
 * The value of `shares` at price `each`, in cents: exact for whole shares at prices on a tick of 0.01 or more, otherwise rounded down, or
 * up with `rounding`. `unitsPerWhole`: how many of `shares` are one whole of what the price is for, where a fraction of it trades.
 * @throws RangeError when the value is not a safe integer
 */
export function worth(each: Price, shares: number, unitsPerWhole = 1, rounding: "down" | "up" = "down"): Cents {
  const divisor = 100n * BigInt(unitsPerWhole);
  const added = rounding === "up" ? divisor - 1n : 0n;
  return cents(Number((BigInt(each) * BigInt(shares) + added) / divisor));
}

/** The price of one whole at which `shares` are worth `valueCents`, rounded to a ten-thousandth; `shares` and `unitsPerWhole` as in `worth`. */
export function priceOf(valueCents: number, shares: number, unitsPerWhole = 1): Price {
  const divisor = BigInt(shares);
  const twice = 2n * BigInt(valueCents) * 100n * BigInt(unitsPerWhole) + divisor;
  return price(Number(twice / (2n * divisor)));
}

/** Formats a number of units of `1 / unitsPerWhole` each, which is a power of ten: `150_000` of a hundred-millionth is `0.0015`. */
export function formatUnits(units: number, unitsPerWhole = 1): string {
  const whole = Math.floor(units / unitsPerWhole);
  const digits = String(unitsPerWhole).length - 1;
  const rest = String(units - whole * unitsPerWhole)
    .padStart(digits, "0")
    .replace(/0+$/, "");
  return digits === 0 || rest === "" ? grouped(String(whole)) : `${grouped(String(whole))}.${rest}`;
}

/** The same as input text: no separators. */
export const typedUnits = (units: number, unitsPerWhole = 1): string => formatUnits(units, unitsPerWhole).replaceAll(",", "");

/** Parses a typed quantity into units of `1 / unitsPerWhole` each; null when it is no number of them that is exact. */
export function parseUnits(text: string, unitsPerWhole = 1): number | null {
  const digits = String(unitsPerWhole).length - 1;
  const match = /^(\d{1,7})(?:\.(\d*))?$/.exec(text.replaceAll(",", "").trim());
  const rest = match?.[2] ?? "";
  if (!match || rest.length > digits || (digits === 0 && match[2] !== undefined)) return null;
  const units = Number(match[1]) * unitsPerWhole + Number(rest.padEnd(digits, "0"));
  return Number.isSafeInteger(units) ? units : null;
}

/** The typographic minus sign U+2212: as wide as a plus sign, unlike the hyphen. */
export const MINUS = "−";

/** Groups unsigned digits by thousands: "1234567" -> "1,234,567". Written by hand because Intl is fifteen times slower. */
export function grouped(digits: string): string {
  let out = digits;
  for (let at = digits.length - 3; at > 0; at -= 3) out = `${out.slice(0, at)},${out.slice(at)}`;
  return out;
}

function scaled(units: number, scale: number, decimals: number): string {
  const magnitude = Math.abs(units);
  const step = scale / 10 ** decimals;
  const rounded = Math.round(magnitude / step);
  const whole = Math.floor(rounded / 10 ** decimals);
  const text = grouped(String(whole));
  if (decimals === 0) return text;
  return `${text}.${String(rounded % 10 ** decimals).padStart(decimals, "0")}`;
}

/** Formats money for display: two decimals, thousands separators, `0.00` when empty or invalid (specification section 9). */
export function formatMoney(amount: number | null | undefined, sign: "minus" | "always" = "minus"): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return "0.00";
  const text = scaled(amount, 100, 2);
  if (amount < 0) return text === "0.00" ? text : MINUS + text;
  return sign === "always" && amount > 0 ? `+${text}` : text;
}

/** Formats an amount with its currency. */
export const formatTwd = (amount: number | null | undefined): string => `TWD ${formatMoney(amount)}`;

/** Formats a gain or a loss with its currency and its sign. */
export const formatGain = (amount: number): string => `TWD ${formatMoney(amount, "always")}`;

/** Formats a price for display, with the decimals its tick needs; `--` when there is no price. */
export function formatPrice(units: number | null | undefined, decimals = 2): string {
  if (units === null || units === undefined || !Number.isFinite(units) || units <= 0) return "--";
  return scaled(units, PRICE_ONE, decimals);
}

/** Formats a signed price difference for display: `+20.00`, `−1.50`, `0.00`. */
export function formatChange(units: number, decimals = 2): string {
  const text = scaled(units, PRICE_ONE, decimals);
  return units > 0 ? `+${text}` : units < 0 ? MINUS + text : text;
}

/** Formats hundredths of a percent for display: 188 -> `+1.88%`. */
export function formatPercent(basisPoints: number, sign: "always" | "never" = "always"): string {
  const text = `${scaled(basisPoints, 100, 2)}%`;
  if (sign === "never" || basisPoints === 0) return text;
  return basisPoints > 0 ? `+${text}` : MINUS + text;
}

/** Formats parts per million for display, without trailing zeros: 1425 -> `0.1425%`. */
export function formatRate(perMillion: number): string {
  return `${scaled(perMillion, 10_000, 4).replace(/\.?0+$/, "")}%`;
}

/** Parses a typed price ("1,085.5") into price units; null when it is not a number with at most four decimals. */
export function parsePrice(text: string): Price | null {
  const match = /^(\d{1,9})(?:\.(\d{0,4}))?$/.exec(text.replaceAll(",", "").trim());
  if (!match) return null;
  return price(Number(match[1]) * PRICE_ONE + Number((match[2] ?? "").padEnd(4, "0")));
}

/** Formats a price as input text: no separators, the given decimals. */
export function typedPrice(units: number, decimals = 2): string {
  return scaled(units, PRICE_ONE, decimals).replaceAll(",", "");
}
