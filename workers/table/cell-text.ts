/** Formats cells: text, direction, and marks so that colour is not the only indication. */
import type { Instrument } from "#contract/instrument.ts";
import { formatMoney, formatPercent, formatPrice } from "#contract/kernel/money.ts";
import { limitsOf } from "#contract/tick.ts";
import type { QuoteCellField } from "#workers/protocol.ts";
import { ASK, BID, HIGH, LAST, LOW, OPEN, REFERENCE, TURNOVER, VOLUME } from "./quote-table.ts";
import type { QuoteTable } from "./quote-table.ts";
import { shortNumber } from "#workers/short-number.ts";
import type { Units } from "#workers/short-number.ts";

/** Shown when there is no value. */
export const NOTHING = "--";
const MARKS = ["–", "▲", "▼"] as const;

/** 0 flat, 1 up, 2 down: an index into TONES. */
export function toneOf(difference: number): number {
  return difference > 0 ? 1 : difference < 0 ? 2 : 0;
}

const withMark = (tone: number, text: string): string => `${MARKS[tone] ?? ""} ${text}`;

/** A ratio in hundredths of a percent. */
export function basisPoints(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part * 10_000) / whole);
}

function changeText(table: QuoteTable, row: number, decimals: number, part: "change" | "percent" | "changeAndPercent"): string {
  const last = table.get(row, LAST);
  const reference = table.get(row, REFERENCE);
  if (last <= 0 || reference <= 0) return NOTHING;
  const difference = last - reference;
  const tone = toneOf(difference);
  // formatPrice shows 0 as "--", but 0 is a valid change.
  const amount = difference === 0 ? (0).toFixed(decimals) : formatPrice(Math.abs(difference), decimals);
  const percent = formatPercent(basisPoints(Math.abs(difference), reference), "never");
  if (part === "change") return withMark(tone, amount);
  return withMark(tone, part === "percent" ? percent : `${amount} (${percent})`);
}

function limitText(table: QuoteTable, row: number, instrument: Instrument, side: "up" | "down"): string {
  const limits = limitsOf(instrument, table.get(row, REFERENCE), Date.now());
  return limits === null ? NOTHING : formatPrice(limits[side], instrument.decimals);
}

function amplitudeText(table: QuoteTable, row: number): string {
  const high = table.get(row, HIGH);
  const low = table.get(row, LOW);
  const reference = table.get(row, REFERENCE);
  return high <= 0 || low <= 0 || reference <= 0 ? NOTHING : formatPercent(basisPoints(high - low, reference), "never");
}

const countText = (count: number, known: boolean, units: Units): string => (known ? shortNumber(count, units) : NOTHING);

/** The current text of a row's cell. */
export function cellText(field: QuoteCellField, table: QuoteTable, row: number, instrument: Instrument, units: Units): string {
  const { decimals } = instrument;
  switch (field) {
    case "last":
      return formatPrice(table.get(row, LAST), decimals);
    case "change":
    case "percent":
    case "changeAndPercent":
      return changeText(table, row, decimals, field);
    case "volume":
      return countText(table.get(row, VOLUME), table.get(row, REFERENCE) > 0, units);
    case "turnover":
      return countText(table.get(row, TURNOVER), table.get(row, REFERENCE) > 0, units);
    case "open":
      return formatPrice(table.get(row, OPEN), decimals);
    case "high":
      return formatPrice(table.get(row, HIGH), decimals);
    case "low":
      return formatPrice(table.get(row, LOW), decimals);
    case "reference":
      return formatPrice(table.get(row, REFERENCE), decimals);
    case "limitUp":
      return limitText(table, row, instrument, "up");
    case "limitDown":
      return limitText(table, row, instrument, "down");
    case "bid":
      return formatPrice(table.get(row, BID), decimals);
    case "ask":
      return formatPrice(table.get(row, ASK), decimals);
    case "amplitude":
      return amplitudeText(table, row);
  }
}

const PRICE_FIELDS: Partial<Record<QuoteCellField, number>> = {
  last: LAST,
  change: LAST,
  percent: LAST,
  changeAndPercent: LAST,
  open: OPEN,
  high: HIGH,
  low: LOW,
  bid: BID,
  ask: ASK,
};

/** The direction that colours a row's cell: its price against the reference. */
export function cellTone(field: QuoteCellField, table: QuoteTable, row: number): number {
  if (field === "limitUp") return 1;
  if (field === "limitDown") return 2;
  const place = PRICE_FIELDS[field];
  if (place === undefined) return 0;
  const value = table.get(row, place);
  const reference = table.get(row, REFERENCE);
  return value <= 0 || reference <= 0 ? 0 : toneOf(value - reference);
}

/** The text of a profit cell. */
export function profitText(
  field: "profit" | "returnRate" | "marketValue" | "openCost",
  of: { profitCents: number; returnBasisPoints: number; nowCents: number; openCents: number } | null,
): string {
  if (of === null) return NOTHING;
  switch (field) {
    case "profit":
      return formatMoney(of.profitCents, "always");
    case "returnRate":
      return formatPercent(of.returnBasisPoints);
    case "marketValue":
      return formatMoney(of.nowCents);
    case "openCost":
      return formatMoney(of.openCents);
  }
}
