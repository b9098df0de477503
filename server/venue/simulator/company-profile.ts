/** Builds instrument profiles: the index and instruments to compare with, and fundamentals invented to fit price and turnover. */
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Code } from "#contract/kernel/id.ts";
import { PRICE_ONE, price } from "#contract/kernel/money.ts";
import { DAY_MS, epochMs, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Fundamentals, Profile } from "#contract/profile.ts";
import { paysDividends } from "./corporate-actions.ts";
import { ANCHOR_DAY } from "#server/venue/calendar/trading-calendar.ts";
import { mix, textKey, unit } from "#server/venue/seeded-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { figureOf } from "#server/venue/reference-data/fundamentals.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";
import type { Listing, ReferenceData } from "#server/venue/reference-data/listings.ts";
import type { Style } from "#server/venue/reference-data/style.ts";

const RELATED = 8;
const YEAR_MS = 365 * DAY_MS;
/** Funds that track something in this market. */
const DOMESTIC: readonly Style[] = ["m", "l", "r", "h", "t", "f"];

const MILLION = 1_000_000;

/** How many shares a share of a moment has become since, by stock dividends and splits. */
const grownSince = (actions: readonly CorporateAction[], since: number): number =>
  actions.reduce((all, { at, freeMillionths }) => (at > since ? all * (1 + freeMillionths / MILLION) : all), 1);

/** Invented figures of a company, per share of today; its dividend is what it really paid in this market. */
function fundamentalsOf(listing: Listing, paid: number, grown: number, key: Key | null): Fundamentals | null {
  const { instrument } = listing;
  if (instrument.kind !== "stock") return null;
  const anchor = listing.anchor / grown;
  const figures = figureOf(instrument.category);
  const code = textKey(instrument.code);
  const spread = (nth: number, width: number): number => Math.exp(width * (unit(mix(code, nth)) + unit(mix(code, nth + 1)) - 1));
  // A company without a dividend usually has no profit.
  const unprofitable = !(key && paysDividends(key)) && unit(mix(code, 0xa0)) < 0.6;
  const earned = anchor / (figures.priceEarnings * spread(0xa1, 0.5));
  const earnings = unprofitable ? -0.4 * earned : Math.max(earned, 1.15 * paid);
  const sales = (listing.anchor / (figures.priceSales * spread(0xa3, 0.7))) * (instrument.issuedThousands / 1000 / PRICE_ONE);
  return {
    earnings: Math.round(earnings / 100) * 100,
    book: price(Math.max(100, Math.round(anchor / (figures.priceBook * spread(0xa5, 0.5)) / 100) * 100)),
    dividend: price(paid),
    revenueMillions: Math.max(1, Math.round(sales)),
    revenueChange: Math.round(600 + 2_600 * (unit(mix(code, 0xa7)) + unit(mix(code, 0xa8)) - 1)),
  };
}

/** The benchmark index of an instrument: that of its own industry on its board if there is one, otherwise its board's. */
function indexOf({ instrument, style, basket }: Listing, listings: readonly Listing[]): Code | null {
  const boardIndex = (board: string): Code | null =>
    listings.find((one) => BOARD_INDICES.some((code) => code === one.instrument.code) && one.basket?.board === board)?.instrument.code ??
    null;
  if (basket) {
    const whole = boardIndex(basket.board);
    return whole === instrument.code ? null : whole;
  }
  const { kind, board, category } = instrument;
  if (kind !== "stock") return DOMESTIC.includes(style) && (kind === "etf" || kind === "etn") ? boardIndex(board) : null;
  const own = listings.find(
    (one) => one.basket?.board === board && one.basket.industries.length === 1 && one.basket.industries[0] === category,
  );
  return own?.instrument.code ?? boardIndex(board);
}

/** Instruments of the same category, the most similar in size first; without sizes, the nearest in the table. */
export function relatedTo(instrument: Instrument, instruments: readonly Instrument[], sizeOf: (one: Instrument) => number): Code[] {
  const size = sizeOf(instrument);
  const distance = (one: Instrument): number => {
    const other = sizeOf(one);
    return size > 0 && other > 0 ? Math.abs(Math.log(other / size)) : Math.abs(one.row - instrument.row);
  };
  return instruments
    .filter(({ board, category, row }) => board === instrument.board && category === instrument.category && row !== instrument.row)
    .map((one) => ({ code: one.code, distance: distance(one) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, RELATED)
    .map(({ code }) => code);
}

/** The history a profile needs. */
export interface Past {
  actions: readonly CorporateAction[];
  /** Highs and lows of the last year including today's; 0 for none. */
  highs: readonly number[];
  lows: readonly number[];
  now: number;
}

/** Builds a profile from the reference data and the past (`key`: the instrument's random key; null for an index). */
export function profileOf(referenceData: ReferenceData, listing: Listing, key: Key | null, past: Past): Profile {
  const { code, listedDay, tradesFrom } = listing.instrument;
  const { listings } = referenceData;
  const { actions, now } = past;
  const inYear = actions.filter(({ at }) => at > now - YEAR_MS && at <= now);
  const paid = Math.round(inYear.reduce((sum, { at, cash }) => sum + cash / grownSince(actions, at), 0));
  const grown = grownSince(actions, taipeiMidnight(ANCHOR_DAY));
  const highs = past.highs.filter((high) => high > 0);
  const lows = past.lows.filter((low) => low > 0);
  return {
    code,
    listedAt: tradesFrom > 0 ? epochMs(tradesFrom) : listedDay > 0 ? taipeiMidnight(listedDay) : null,
    issuedThousands: Math.floor(listing.instrument.issuedThousands * grown),
    fundamentals: fundamentalsOf(listing, paid, grown, key),
    yearHigh: highs.length > 0 ? price(Math.max(...highs)) : null,
    yearLow: lows.length > 0 ? price(Math.min(...lows)) : null,
    index: indexOf(listing, listings),
    related: relatedTo(
      listing.instrument,
      listings.map(({ instrument }) => instrument),
      ({ row, issuedThousands }) => (listings[row]?.anchor ?? 0) * issuedThousands,
    ),
  };
}
