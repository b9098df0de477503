/**
 * Generates ex-events (dividends, rights issues, splits) of the simulated market, and computes the reference prices they lead to
 * (domain.md 2.5).
 */
import type { ActionKind } from "#contract/corporate-action.ts";
import type { Kind } from "#contract/instrument.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { toTick } from "#contract/tick.ts";
import { ANCHOR_DAY, tradesOn } from "#server/venue/calendar/trading-calendar.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { figureOf } from "#server/venue/reference-data/fundamentals.ts";
import type { Listing } from "#server/venue/reference-data/listings.ts";
import type { Style } from "#server/venue/reference-data/style.ts";

/** One ex-event, with amounts as fractions of the close before it: its exact terms need that close. */
export interface ExEvent {
  session: number;
  kind: ActionKind;
  /** Cash per share, as a fraction of the close before. */
  cashShare: number;
  /** Free new shares per share, in millionths. */
  freeMillionths: number;
  /** New shares per share that may be subscribed, in millionths, and the price of one, as a fraction of the close before. */
  rightsMillionths: number;
  rightsShare: number;
}

/** The terms of an ex-event at a given close, in price units. */
export interface Terms {
  cash: number;
  rightsPrice: number;
  reference: number;
}

const MILLION = 1_000_000;
const FIRST_YEAR = 2021;
/** The last day up to which events are generated. */
const LAST_EVENT_DAY = Date.UTC(2031, 11, 31) / DAY_MS;
/** The shares issued in the tables are those of this year's autumn. */
const ANCHOR_YEAR = new Date(ANCHOR_DAY * DAY_MS).getUTCFullYear();
/** A share is not split below what was once the least par value, in price units. */
const LEAST_SPLIT_PRICE = 100_000;

/** The reference price after an ex-event, exact to the price unit, not rounded to a tick. */
export function exReference(
  close: number,
  event: { cash: number; freeMillionths: number; rightsMillionths: number; rightsPrice: number },
): number {
  const { cash, freeMillionths, rightsMillionths, rightsPrice } = event;
  return Math.round(((close - cash) * MILLION + rightsPrice * rightsMillionths) / (MILLION + freeMillionths + rightsMillionths));
}

/** Dividends come in round amounts, in price units. */
function roundCash(cash: number): number {
  const step = cash < 10_000 ? 100 : cash < 100_000 ? 500 : 5_000;
  return Math.max(100, Math.round(cash / step) * step);
}

/** The terms of an event at the close before it. */
export function termsOf(event: ExEvent, kind: Kind, close: number): Terms {
  const cash = event.cashShare > 0 ? roundCash(event.cashShare * close) : 0;
  const rightsPrice = event.rightsMillionths > 0 ? toTick(kind, Math.round(event.rightsShare * close)) : 0;
  return { cash, rightsPrice, reference: exReference(close, { ...event, cash, rightsPrice }) };
}

/** The fraction of the close before that remains after an event, before its amounts are rounded. */
export function remainingFraction({ cashShare, freeMillionths, rightsMillionths, rightsShare }: ExEvent): number {
  return (1 - cashShare + (rightsShare * rightsMillionths) / MILLION) / (1 + (freeMillionths + rightsMillionths) / MILLION);
}

/** How many shares one share becomes; subscribed shares count as far as they were below the market price. */
export function shareGrowth(event: ExEvent): number {
  return (1 - event.cashShare) / remainingFraction(event);
}

interface Due {
  year: number;
  month: number;
  day: number;
}

/** The first trading day on or after a day, cached: thousands of events share a few hundred days. */
const openDays = new Map<number, number>();

function openDayFrom(day: number): number {
  let open = openDays.get(day);
  if (open !== undefined) return open;
  open = day;
  while (!tradesOn(open)) open += 1;
  openDays.set(day, open);
  return open;
}

/**
 * The session on a calendar day, or on the next trading day. In compressed hours a hundred sessions or more share one calendar day: the first
 * of them can be the ex-date of a capital increase, and of nothing else.
 */
function sessionOf({ year, month, day }: Due, kind: ActionKind, calendar: Calendar): number | null {
  const open = openDayFrom(Date.UTC(year, month - 1, day) / DAY_MS);
  const excluded = open > LAST_EVENT_DAY || (calendar.hours === "compressed" && open > ANCHOR_DAY && kind !== "rights");
  return excluded ? null : calendar.sessionOn(open - 1) + 1;
}

const NO_TERMS = { cashShare: 0, freeMillionths: 0, rightsMillionths: 0, rightsShare: 0 };
const LAST_YEAR = new Date(LAST_EVENT_DAY * DAY_MS).getUTCFullYear();
const yearsUntil = (last: number): number[] => Array.from({ length: last - FIRST_YEAR + 1 }, (_, nth) => FIRST_YEAR + nth);
const YEARS = yearsUntil(LAST_YEAR);

/** How funds pay, by style: the months, and the fraction of the price each time; styles left out do not distribute. */
const PAYOUTS: Partial<Record<Style, { months: readonly number[] | null; cashShare: number }>> = {
  m: { months: [1, 7], cashShare: 0.014 },
  t: { months: [10], cashShare: 0.018 },
  f: { months: [10], cashShare: 0.034 },
  h: { months: null, cashShare: 0.015 },
  b: { months: null, cashShare: 0.0105 },
};
/** Quarterly: one of the sets of months. */
const TIMES_A_YEAR = 4;

/** How often funds of a style distribute in a year, and how much of the price together, in millionths. */
export function distributionsOf(style: Style): { distributions: number; yieldPerMillion: number } {
  const payout = PAYOUTS[style];
  if (!payout) return { distributions: 0, yieldPerMillion: 0 };
  const distributions = payout.months?.length ?? TIMES_A_YEAR;
  return { distributions, yieldPerMillion: Math.round(payout.cashShare * distributions * MILLION) };
}

/** Quarterly funds pay in one of these sets of months. */
const QUARTERS = [
  [1, 4, 7, 10],
  [2, 5, 8, 11],
] as const;
const REIT_PAYOUT = { months: [2, 8], cashShare: 0.012 };
const PREFERRED_PAYOUT = { months: [7], cashShare: 0.038 };

/** Each event is drawn on its own, so that published ones reveal nothing about those to come. */
const drawBits = (key: Key, what: number, which = 0): number => key.draw(PURPOSE.exEvent, what, which);

type Planned = Omit<ExEvent, "session"> & { due: Due };

function payouts(key: Key, { months, cashShare }: { months: readonly number[] | null; cashShare: number }): Planned[] {
  const paid = months ?? QUARTERS[drawBits(key, 0x71) & 1] ?? [];
  return YEARS.flatMap((year) =>
    paid.map((month): Planned => {
      const bits = drawBits(key, year, month);
      const due = { year, month, day: 15 + Math.floor(6 * unit(mix(bits, 1))) };
      return { ...NO_TERMS, kind: "dividend", cashShare: cashShare * (0.85 + 0.3 * unit(mix(bits, 2))), due };
    }),
  );
}

/** Whether a company pays dividends at all. */
export function paysDividends(key: Key): boolean {
  return unit(drawBits(key, 0xd1)) < 0.85;
}

/** The yearly dividend, in summer; part of it may be paid in shares. */
function dividends(key: Key, industry: string): Planned[] {
  if (!paysDividends(key)) return [];
  const cashYield = figureOf(industry).cashShare * (0.5 + 0.55 * (unit(drawBits(key, 0xd2)) + unit(drawBits(key, 0xd3))));
  const dayOfSeason = 10 + 104 * ((unit(drawBits(key, 0xd4)) + unit(drawBits(key, 0xd5))) / 2);
  const paysInShares = unit(drawBits(key, 0xd6)) < (industry === "17" ? 0.45 : 0.12);
  return YEARS.map((year): Planned => {
    const bits = drawBits(key, 0xd00 + year);
    const due = { year, month: 6, day: Math.round(dayOfSeason + 8 * (unit(mix(bits, 1)) - 0.5)) };
    const freeMillionths = paysInShares && unit(mix(bits, 2)) < 0.6 ? 10_000 * (1 + Math.floor(unit(mix(bits, 3)) * 10)) : 0;
    return {
      ...NO_TERMS,
      kind: freeMillionths > 0 ? "stockDividend" : "dividend",
      cashShare: cashYield * (0.8 + 0.4 * unit(mix(bits, 4))),
      freeMillionths,
      due,
    };
  });
}

/** Occasional rights issues, in spring, up to the anchor day; those after it are capital increases. */
function rightsIssues(key: Key): Planned[] {
  return yearsUntil(ANCHOR_YEAR).flatMap((year): Planned[] => {
    const bits = drawBits(key, 0xe00 + year);
    if (unit(mix(bits, 1)) > 0.02) return [];
    const rightsMillionths = 5_000 * (10 + Math.floor(unit(mix(bits, 2)) * 21));
    const due = { year, month: 3, day: 10 + Math.floor(unit(mix(bits, 3)) * 70) };
    return [{ ...NO_TERMS, kind: "rights", rightsMillionths, rightsShare: 0.7 + 0.18 * unit(mix(bits, 4)), due }];
  });
}

/** One share in so many has a capital increase in a year, at a day of its own. */
const INCREASES_A_YEAR = 0.06;
/** Capital increases begin so many days after the anchor day: they are announced before. */
const FIRST_INCREASE_DAY = ANCHOR_DAY + 14;

/** Capital increases, which are offerings to the holders. Each year's is drawn on its own. */
function capitalIncreases(key: Key): Planned[] {
  return YEARS.flatMap((year): Planned[] => {
    if (year < ANCHOR_YEAR) return [];
    const bits = drawBits(key, 0x1100 + year);
    if (unit(mix(bits, 1)) > INCREASES_A_YEAR) return [];
    const due = { year, month: 1 + Math.floor(unit(mix(bits, 3)) * 12), day: 1 + Math.floor(unit(mix(bits, 5)) * 28) };
    if (Date.UTC(due.year, due.month - 1, due.day) / DAY_MS < FIRST_INCREASE_DAY) return [];
    const rightsMillionths = 5_000 * (10 + Math.floor(unit(mix(bits, 2)) * 21));
    return [{ ...NO_TERMS, kind: "rights", rightsMillionths, rightsShare: 0.72 + 0.16 * unit(mix(bits, 4)), due }];
  });
}

/** Whether a share can be split at what it costs on the anchor day: before the split it was not, and after it is not, an implausible price. */
const isSplittable = (anchor: number, ratio: number, year: number): boolean =>
  year <= ANCHOR_YEAR ? anchor * ratio <= 20_000_000 : anchor / ratio >= LEAST_SPLIT_PRICE;

/** Rare splits, in winter. */
function splits(key: Key, anchor: number): Planned[] {
  return YEARS.flatMap((year): Planned[] => {
    const bits = drawBits(key, 0xf00 + year);
    const ratio = [2, 4, 5, 10][mix(bits, 2) & 3] ?? 2;
    if (unit(mix(bits, 1)) > 0.005 || !isSplittable(anchor, ratio, year)) return [];
    const due = { year, month: 1, day: 8 + Math.floor(unit(mix(bits, 3)) * 48) };
    return [{ ...NO_TERMS, kind: "split", freeMillionths: (ratio - 1) * MILLION, due }];
  });
}

function planned({ instrument, anchor, style }: Listing, key: Key): Planned[] {
  const { kind, category } = instrument;
  if (kind === "stock") return [...splits(key, anchor), ...rightsIssues(key), ...dividends(key, category), ...capitalIncreases(key)];
  if (kind === "preferred") return payouts(key, PREFERRED_PAYOUT);
  if (kind === "reit") return payouts(key, REIT_PAYOUT);
  const payout = kind === "etf" ? PAYOUTS[style] : undefined;
  return payout ? payouts(key, payout) : [];
}

/** All ex-events of an instrument, oldest first, at most one a session. The shares issued in the tables are those of the anchor day. */
export function exEventsOf(listing: Listing, key: Key, calendar: Calendar): ExEvent[] {
  // A newly listed company has no ex-events yet.
  if (listing.instrument.listedDay > 0) return [];
  return planned(listing, key)
    .flatMap(({ due, ...event }): ExEvent[] => {
      const session = sessionOf(due, event.kind, calendar);
      return session === null || session < 1 ? [] : [{ session, ...event }];
    })
    .toSorted((a, b) => a.session - b.session)
    .filter((event, nth, all) => event.session !== all[nth - 1]?.session);
}
