/** When the companies of the simulated market close their registers: around each ex-date, and before the yearly meeting of shareholders. */
import { DAY_MS } from "#contract/kernel/time.ts";
import type { BookClosure } from "#server/venue/venue.ts";
import { ANCHOR_DAY, tradesOn, tradingDayFrom } from "#server/venue/calendar/trading-calendar.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { unit } from "#server/venue/seeded-random.ts";
import type { SeededMarket } from "./seeded-market.ts";

/** The register closes on the second trading day after the ex-date. */
const AFTER_EX_DAYS = 2;
/** Trading days are at most so many days apart, at new year. */
const LONGEST_DAYS = 20;
/** It is closed for sixty days before the yearly meeting (Company Act art. 165), which is held by the end of June. */
const BEFORE_MEETING_DAYS = 60;
const FIRST_MEETING = [5, 20] as const;
const MEETING_DAYS = 40;
/** Tells this draw from those of the ex-events. */
const MEETING = 0x3e7;

/** The day of a company's yearly meeting. */
function meetingDay(key: Key, year: number): number {
  let day = Date.UTC(year, FIRST_MEETING[0] - 1, FIRST_MEETING[1]) / DAY_MS;
  day += Math.floor(MEETING_DAYS * unit(key.draw(PURPOSE.exEvent, MEETING, year)));
  while (!tradesOn(day)) day += 1;
  return day;
}

/** What was asked of each market last: all jobs of one day ask for the same days. */
const lastAsked = new WeakMap<SeededMarket, { from: number; until: number; closures: readonly BookClosure[] }>();

/** The registers that close from one day to another, both as `taipeiDay` counts; none on days that hold more than one session. */
export function closuresOf(market: SeededMarket, from: number, until: number): readonly BookClosure[] {
  if (market.calendar.hours === "compressed" && until > ANCHOR_DAY) return [];
  const before = lastAsked.get(market);
  if (before?.from === from && before.until === until) return before.closures;
  const closures = findClosures(market, from, until);
  lastAsked.set(market, { from, until, closures });
  return closures;
}

/** Looks at the events of every instrument. */
function findClosures({ models, calendar }: SeededMarket, from: number, until: number): BookClosure[] {
  const years = [...new Set([from, until].map((day) => new Date(day * DAY_MS).getUTCFullYear()))];
  return models.flatMap((model, row): BookClosure[] => {
    if (!model || model.debut !== null) return [];
    const ex = model.events.flatMap(({ session, kind, freeMillionths }) => {
      const exDay = calendar.dayOf(session);
      const near = exDay <= until && exDay >= from - LONGEST_DAYS;
      const closes = { row, reason: kind, day: tradingDayFrom(exDay, AFTER_EX_DAYS), ex: { day: exDay, freeMillionths } };
      return near ? [closes] : [];
    });
    const { key } = model.parameters;
    const meetings =
      model.kind === "stock"
        ? years.map((year) => ({ row, reason: "meeting" as const, day: meetingDay(key, year) - BEFORE_MEETING_DAYS }))
        : [];
    return [...ex, ...meetings].filter(({ day }) => day >= from && day <= until);
  });
}
