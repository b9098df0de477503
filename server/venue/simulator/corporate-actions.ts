/** Ex-events: which dividends, rights issues and splits an instrument has, and the reference prices they make (domain.md 2.5). */
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
import type { Listing, Style } from "#server/venue/reference-data/listings.ts";

/** One ex-event, known as parts of the close before it: its exact terms need that close. */
export interface ExEvent {
  session: number;
  kind: ActionKind;
  /** Cash per share, of the close before. */
  cashShare: number;
  /** Free new shares per share, in millionths. */
  freeMillionths: number;
  /** New shares per share that may be paid for, in millionths, and what one costs, of the close before. */
  rightsMillionths: number;
  rightsShare: number;
}

/** What an ex-event comes to at a close, in price units. */
export interface Terms {
  cash: number;
  rightsPrice: number;
  reference: number;
}

const MILLION = 1_000_000;
const FIRST_YEAR = 2021;
/** As far ahead as anything is announced. */
const LAST_EVENT_DAY = Date.UTC(2031, 11, 31) / DAY_MS;
/** The last year in which shares become more: the shares issued of the table are those of its autumn, and of every day after it. */
const LAST_SHARE_YEAR = 2026;

/** The reference price after an ex-event, unrounded: to the last price unit, not to a tick. */
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

/** What an event comes to at the close before it. */
export function termsOf(event: ExEvent, kind: Kind, close: number): Terms {
  const cash = event.cashShare > 0 ? roundCash(event.cashShare * close) : 0;
  const rightsPrice = event.rightsMillionths > 0 ? toTick(kind, Math.round(event.rightsShare * close)) : 0;
  return { cash, rightsPrice, reference: exReference(close, { ...event, cash, rightsPrice }) };
}

/** The part of the close before that an event leaves, before its amounts are rounded. */
export function leftBy({ cashShare, freeMillionths, rightsMillionths, rightsShare }: ExEvent): number {
  return (1 - cashShare + (rightsShare * rightsMillionths) / MILLION) / (1 + (freeMillionths + rightsMillionths) / MILLION);
}

/** How many shares one share of before has become, the paid-for ones as far as they were a gift. */
export function growthBy(event: ExEvent): number {
  return (1 - event.cashShare) / leftBy(event);
}

interface Due {
  year: number;
  month: number;
  day: number;
}

/** First open days on or after a day, kept: thousands of events share a few hundred days. */
const openDays = new Map<number, number>();

function openDayFrom(day: number): number {
  let open = openDays.get(day);
  if (open !== undefined) return open;
  open = day;
  while (!tradesOn(open)) open += 1;
  openDays.set(day, open);
  return open;
}

/** The session on a calendar day, or on the next day the exchanges open. */
function sessionOf({ year, month, day }: Due, calendar: Calendar): number | null {
  const open = openDayFrom(Date.UTC(year, month - 1, day) / DAY_MS);
  // Where a day is compressed a hundred sessions and more are one day of the year: none of them is the ex-date.
  const none = open > LAST_EVENT_DAY || (calendar.hours === "compressed" && open > ANCHOR_DAY);
  return none ? null : calendar.sessionOn(open);
}

const PLAIN = { cashShare: 0, freeMillionths: 0, rightsMillionths: 0, rightsShare: 0 };
const LAST_YEAR = new Date(LAST_EVENT_DAY * DAY_MS).getUTCFullYear();
const yearsUntil = (last: number): number[] => Array.from({ length: last - FIRST_YEAR + 1 }, (_, nth) => FIRST_YEAR + nth);
const YEARS = yearsUntil(LAST_YEAR);
const SHARE_YEARS = yearsUntil(LAST_SHARE_YEAR);

/** How funds pay, by style: how often a year and how much of the price each time; those left out keep what they earn. */
const PAYOUTS: Partial<Record<Style, { months: readonly number[] | null; cashShare: number }>> = {
  m: { months: [1, 7], cashShare: 0.014 },
  t: { months: [10], cashShare: 0.018 },
  f: { months: [10], cashShare: 0.034 },
  h: { months: null, cashShare: 0.015 },
  b: { months: null, cashShare: 0.0105 },
};
/** Funds that pay every quarter do so in one of these rounds. */
const QUARTERS = [
  [1, 4, 7, 10],
  [2, 5, 8, 11],
] as const;
const REIT_PAYOUT = { months: [2, 8], cashShare: 0.012 };
const PREFERRED_PAYOUT = { months: [7], cashShare: 0.038 };

/** Luck of one event at a time, so that those published tell nothing of those to come. */
const of = (key: Key, what: number, which = 0): number => key.draw(PURPOSE.exEvent, what, which);

type Planned = Omit<ExEvent, "session"> & { due: Due };

function payouts(key: Key, { months, cashShare }: { months: readonly number[] | null; cashShare: number }): Planned[] {
  const paid = months ?? QUARTERS[of(key, 0x71) & 1] ?? [];
  return YEARS.flatMap((year) =>
    paid.map((month): Planned => {
      const luck = of(key, year, month);
      const due = { year, month, day: 15 + Math.floor(6 * unit(mix(luck, 1))) };
      return { ...PLAIN, kind: "dividend", cashShare: cashShare * (0.85 + 0.3 * unit(mix(luck, 2))), due };
    }),
  );
}

/** Whether a company shares its profit at all. */
export function paysDividends(key: Key): boolean {
  return unit(of(key, 0xd1)) < 0.85;
}

/** The yearly dividend, in summer, where some of it may come as shares. */
function dividends(key: Key, industry: string): Planned[] {
  if (!paysDividends(key)) return [];
  const usual = figureOf(industry).cashShare * (0.5 + 0.55 * (unit(of(key, 0xd2)) + unit(of(key, 0xd3))));
  const season = 10 + 104 * ((unit(of(key, 0xd4)) + unit(of(key, 0xd5))) / 2);
  const generous = unit(of(key, 0xd6)) < (industry === "17" ? 0.45 : 0.12);
  return YEARS.map((year): Planned => {
    const luck = of(key, 0xd00 + year);
    const due = { year, month: 6, day: Math.round(season + 8 * (unit(mix(luck, 1)) - 0.5)) };
    const freeMillionths =
      generous && year <= LAST_SHARE_YEAR && unit(mix(luck, 2)) < 0.6 ? 10_000 * (1 + Math.floor(unit(mix(luck, 3)) * 10)) : 0;
    return {
      ...PLAIN,
      kind: freeMillionths > 0 ? "stockDividend" : "dividend",
      cashShare: usual * (0.8 + 0.4 * unit(mix(luck, 4))),
      freeMillionths,
      due,
    };
  });
}

/** Now and then new shares for the shareholders' money, in spring. */
function rightsIssues(key: Key): Planned[] {
  return SHARE_YEARS.flatMap((year): Planned[] => {
    const luck = of(key, 0xe00 + year);
    if (unit(mix(luck, 1)) > 0.02) return [];
    const rightsMillionths = 5_000 * (10 + Math.floor(unit(mix(luck, 2)) * 21));
    const due = { year, month: 3, day: 10 + Math.floor(unit(mix(luck, 3)) * 70) };
    return [{ ...PLAIN, kind: "rights", rightsMillionths, rightsShare: 0.7 + 0.18 * unit(mix(luck, 4)), due }];
  });
}

/** Rarely one share becomes several, in winter; not where the shares before would have been dear beyond belief. */
function splits(key: Key, anchor: number): Planned[] {
  return SHARE_YEARS.flatMap((year): Planned[] => {
    const luck = of(key, 0xf00 + year);
    const ratio = [2, 4, 5, 10][mix(luck, 2) & 3] ?? 2;
    if (unit(mix(luck, 1)) > 0.005 || anchor * ratio > 20_000_000) return [];
    const due = { year, month: 1, day: 8 + Math.floor(unit(mix(luck, 3)) * 48) };
    return [{ ...PLAIN, kind: "split", freeMillionths: (ratio - 1) * MILLION, due }];
  });
}

function planned({ instrument, anchor, style }: Listing, key: Key): Planned[] {
  const { kind, category } = instrument;
  if (kind === "stock") return [...splits(key, anchor), ...rightsIssues(key), ...dividends(key, category)];
  if (kind === "preferred") return payouts(key, PREFERRED_PAYOUT);
  if (kind === "reit") return payouts(key, REIT_PAYOUT);
  const payout = kind === "etf" ? PAYOUTS[style] : undefined;
  return payout ? payouts(key, payout) : [];
}

/**
 * Every ex-event an instrument ever has, oldest first, at most one a session. Shares change only before the anchor day
 * (winter to summer), so that the shares issued of the table are those of today.
 */
export function exEventsOf(listing: Listing, key: Key, calendar: Calendar): ExEvent[] {
  // A company new to the market has nothing to share yet.
  if (listing.instrument.listedDay > 0) return [];
  return planned(listing, key)
    .flatMap(({ due, ...event }): ExEvent[] => {
      const session = sessionOf(due, calendar);
      return session === null || session < 1 ? [] : [{ session, ...event }];
    })
    .toSorted((a, b) => a.session - b.session)
    .filter((event, nth, all) => event.session !== all[nth - 1]?.session);
}
