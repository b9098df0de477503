/** The futures contracts of a venue's index: their months, expiries, quotes and settlement prices, all from the market without members' trades. */
import { CANDLE_FIELDS, CANDLE_STRIDE } from "#contract/candle.ts";
import { FUTURES_PRODUCTS, NARROW_SPREAD, WIDE_SPREAD, futuresLimits, futuresQuote, markOf, pricedLevel } from "#contract/futures-price.ts";
import type { FuturesProduct, PricedLevel } from "#contract/futures-price.ts";
import type { FuturesContract } from "#contract/futures.ts";
import { DAY_MS, epochMs, MINUTE_MS, TAIPEI_OFFSET_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";
import { isTrading } from "#server/venue/venue.ts";
import type { Venue } from "#server/venue/venue.ts";

/** The weighted index of the listed board. */
const INDEX = BOARD_INDICES[0];
/** The months in a row that are listed, and the quarterly ones after them. */
const NEAR_MONTHS = 3;
const QUARTERS = 3;
const AVERAGED_MINUTES = 30;
/** The day of a month that contracts expire on where months are a number of sessions. */
const COMPRESSED_EXPIRY = 18;
const CLOSE = CANDLE_FIELDS.indexOf("close");
const WEDNESDAY = 3;
/** While a share of this part of the index or more is not traded continuously, the index lags behind it. */
const HEAVY_PART = 0.01;

/** A month's contracts. */
export interface Delivery {
  month: string;
  /** The fee day they expire on, and the session of the index on it. */
  expiryDay: number;
  opensAt: number;
  closesAt: number;
}

/** The day of the month of its third Wednesday; `month` counts from 0. */
export function thirdWednesday(year: number, month: number): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return 15 + ((WEDNESDAY - first + 7) % 7);
}

/** The expiry in a month counted from the year 0, or on the next trading day. */
function deliveryIn(venue: Venue, month: number): Delivery {
  const [year, of] = [Math.floor(month / 12), month % 12];
  const day = thirdWednesday(year, of);
  const due = venue.months.next(day, taipeiMidnight(Date.UTC(year, of, day) / DAY_MS) - 1);
  return deliveryAt(venue, due);
}

function deliveryAt(venue: Venue, { month, at }: { month: string; at: number }): Delivery {
  const { opensAt, closesAt } = venue.state(at);
  return { month, expiryDay: venue.feeDay(at), opensAt, closesAt };
}

/** Per venue: the listed months, with the day they were computed for. */
const latest = new WeakMap<Venue, { day: string; deliveries: readonly Delivery[] }>();

/** Whether a month is a quarterly one: March, June, September, December; of numbered months every third. */
const isQuarterly = ({ month }: Delivery): boolean => Number(/\d+$/.exec(month)?.[0] ?? 0) % 3 === 0;

/** Whether a trading day lasts minutes, and months are numbered. */
const isCompressed = (venue: Venue, at: number): boolean => venue.months.next(COMPRESSED_EXPIRY, at).month.startsWith("M");

function* deliveriesFrom(venue: Venue, at: number): Generator<Delivery> {
  if (isCompressed(venue, at)) {
    // The session of the moment may be the one that a contract expires in.
    let due = venue.months.next(COMPRESSED_EXPIRY, venue.state(at).opensAt - 1);
    for (; ; due = venue.months.next(COMPRESSED_EXPIRY, due.at)) yield deliveryAt(venue, due);
  }
  const now = new Date(at + TAIPEI_OFFSET_MS);
  for (let month = now.getUTCFullYear() * 12 + now.getUTCMonth(); ; month += 1) yield deliveryIn(venue, month);
}

/** The months that are listed in the session of a moment, the nearest first; one that expires in it is among them. */
export function deliveries(venue: Venue, at: number): readonly Delivery[] {
  const today = venue.feeDay(at);
  const day = `${today} ${taipeiDay(at)}`;
  const known = latest.get(venue);
  if (known?.day === day) return known.deliveries;
  const found: Delivery[] = [];
  for (const one of deliveriesFrom(venue, at)) {
    if (found.length >= NEAR_MONTHS + QUARTERS) break;
    if (one.expiryDay >= today && (found.length < NEAR_MONTHS || isQuarterly(one))) found.push(one);
  }
  latest.set(venue, { day, deliveries: found });
  return found;
}

/** When trading of an expiring contract ends: at the beginning of the time its final settlement price is the average of. */
export function lastTradeAt({ opensAt, closesAt }: Pick<Delivery, "opensAt" | "closesAt">): number {
  // A session whose hours are shorter has as much less of it.
  return closesAt - Math.min(AVERAGED_MINUTES * MINUTE_MS, Math.floor((closesAt - opensAt) / 9));
}

/**
 * The index's level, its close on the day before, and what it lost to dividends between them in points; null where it is not known. Before
 * its first trade of a day it stands where the dividends have left it.
 */
export function indexLevels(venue: Venue): { row: number; last: number; close: number; dividend: number } | null {
  const row = venue.instrument(INDEX)?.row;
  if (row === undefined) return null;
  const { last, reference: close } = venue.quote(row);
  if (!(close > 0)) return null;
  const lost = venue.exDividend(row) ?? 0;
  return { row, last: last > 0 ? last : close - lost, close, dividend: Math.round(lost / 10_000) };
}

/** Per venue: the largest shares of the index, with the day they were looked up on. */
const heavy = new WeakMap<Venue, { day: number; rows: readonly number[] }>();

function heavyRows(venue: Venue, at: number): readonly number[] {
  const day = venue.feeDay(at);
  const known = heavy.get(venue);
  if (known?.day === day) return known.rows;
  const shares = venue.instruments
    .filter(({ kind, board, listedDay }) => kind === "stock" && board === "listed" && listedDay === 0)
    .map(({ row, issuedThousands }) => ({ row, value: venue.quote(row).reference * issuedThousands }));
  const total = shares.reduce((sum, { value }) => sum + value, 0);
  const rows = shares.filter(({ value }) => value > 0 && value >= total * HEAVY_PART).map(({ row }) => row);
  heavy.set(venue, { day, rows });
  return rows;
}

/** Whether the index follows its market now: while it trades, with none of its largest shares halted. */
export function followsIndex(venue: Venue, at: number): boolean {
  return venue.phase(at) === "open" && heavyRows(venue, at).every((row) => isTrading(venue, row, at));
}

/** Trading days count as days of the calendar, as fees count them. */
export const daysLeft = (venue: Venue, expiryDay: number, at: number): number => Math.max(0, expiryDay - venue.feeDay(at));

/** The settlement price of the day before the one that a moment is in, in points. */
export const settledBefore = (close: number, expiryDay: number, today: number): number => markOf(close, Math.max(0, expiryDay - today + 1));

/** Splits a contract's code. */
export function partsOf(code: string): { product: FuturesProduct; month: string } {
  const cut = code.indexOf("-");
  return { product: code.slice(0, cut) as FuturesProduct, month: code.slice(cut + 1) };
}

/**
 * What the contracts of an expiry are priced by at a moment: the level at which the shares of the index trade by their own prices, or the
 * index where that is not known. On its last day a contract comes to what the index will be, which is back at that level only later: it is
 * worth something between the two. Null where the index is not known.
 */
export function levelNow(venue: Venue, expiryDay: number, at: number): PricedLevel | null {
  const index = indexLevels(venue);
  if (!index) return null;
  const fair = venue.fairIndex?.(index.row, at) ?? null;
  if (fair === null) return pricedLevel(index.last, WIDE_SPREAD);
  if (daysLeft(venue, expiryDay, at) > 0) return pricedLevel(fair, NARROW_SPREAD);
  return pricedLevel((fair + index.last) / 2, NARROW_SPREAD, Math.abs(fair - index.last) / 2);
}

/** The price by which a position is valued at a moment; null where the index is not known. */
export function markNow(venue: Venue, expiryDay: number, at: number): number | null {
  const level = levelNow(venue, expiryDay, at);
  return level && markOf(level.units, daysLeft(venue, expiryDay, at));
}

/** What a contract that has not expired trades at now; null without a quote. */
export function quoteNow(venue: Venue, delivery: Pick<Delivery, "expiryDay">, at: number): { bid: number; ask: number } | null {
  const index = indexLevels(venue);
  if (!index || !venue.fresh(at, index.row) || !followsIndex(venue, at)) return null;
  // Where dividends are not known, a position would gain or lose them: nothing trades there.
  if (venue.exDividend(index.row) === null) return null;
  const { expiryDay } = delivery;
  const reference = settledBefore(index.close, expiryDay, venue.feeDay(at)) - index.dividend;
  const level = levelNow(venue, expiryDay, at);
  return level && futuresQuote(level, daysLeft(venue, expiryDay, at), reference);
}

/** Every contract that is listed, by product and month. */
export function contractsNow(venue: Venue, at: number): FuturesContract[] {
  const index = indexLevels(venue);
  if (!index) return [];
  return deliveries(venue, at).flatMap((delivery) => {
    const ends = lastTradeAt(delivery);
    const quote = at < ends ? quoteNow(venue, delivery, at) : null;
    const reference = settledBefore(index.close, delivery.expiryDay, venue.feeDay(at)) - index.dividend;
    return FUTURES_PRODUCTS.map((product): FuturesContract => {
      const { month } = delivery;
      const prices = { bid: quote?.bid ?? null, ask: quote?.ask ?? null, reference, ...futuresLimits(reference) };
      return { code: `${product}-${month}`, product, month, ...prices, lastTradeAt: epochMs(ends) };
    });
  });
}

/** The bars that contracts are settled by: what members add to the index as it is shown must not pay them. */
const settledBars = (venue: Venue): Venue["candles"] => venue.ownCandles ?? ((...asked) => venue.candles(...asked));

/**
 * The final settlement price: the average of the index at the ends of the minutes of its last half hour, or its close where it has no
 * minutes; in points.
 */
export async function finalPrice(venue: Venue, delivery: Pick<Delivery, "opensAt" | "closesAt">, fallback: number): Promise<number> {
  const { bars } = await settledBars(venue)(INDEX, "minute", delivery.closesAt, AVERAGED_MINUTES);
  const from = lastTradeAt(delivery);
  const closes: number[] = [];
  for (let at = 0; at < bars.length; at += CANDLE_STRIDE) {
    const [begins = 0, close = 0] = [bars[at], bars[at + CLOSE]];
    if (begins >= from && begins < delivery.closesAt && close > 0) closes.push(close);
  }
  const sum = closes.reduce((total, close) => total + close, 0);
  return Math.round((closes.length > 0 ? sum / closes.length : fallback) / 10_000);
}

/**
 * The closes of the index of the trading days from one fee day to before another, but the last of them: each with the fee day that began
 * after it. None where a trading day lasts minutes, for which no such bars are kept.
 */
export async function closesBetween(venue: Venue, since: number, day: number, now: number): Promise<{ begins: number; close: number }[]> {
  if (day - since <= 1 || isCompressed(venue, now)) return [];
  const { bars } = await settledBars(venue)(INDEX, "day", null, day - since + 2);
  const found: { day: number; close: number }[] = [];
  for (let at = 0; at < bars.length; at += CANDLE_STRIDE) {
    const [begins = 0, close = 0] = [bars[at], bars[at + CLOSE]];
    const of = venue.feeDay(taipeiMidnight(taipeiDay(begins)) + DAY_MS / 2);
    if (of >= since && of < day && close > 0) found.push({ day: of, close });
  }
  return found.slice(0, -1).map(({ close }, nth) => ({ begins: found[nth + 1]?.day ?? day, close }));
}

/** What the index lost to dividends on the fee days after one and before another, in points; where that is not known nothing was traded. */
export async function dividendsBetween(venue: Venue, since: number, day: number): Promise<{ day: number; points: number }[]> {
  const row = venue.instrument(INDEX)?.row;
  if (row === undefined || day - since <= 1) return [];
  const lost = (await venue.exDividends(row, since, day)) ?? [];
  return lost.map((one) => ({ day: one.day, points: Math.round(one.lost / 10_000) }));
}
