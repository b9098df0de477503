/** Sets each instrument's trading eligibility: day trading, margin and borrowing; the seed picks a few exceptions, and what is watched is restricted. */
import type { Instrument } from "#contract/instrument.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { mix, textKey, unit } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { FREE_DAYS } from "#server/venue/calendar/session-rules.ts";
import { WIDELY_HELD } from "./watch-list.ts";
import type { Watch } from "./watch-list.ts";

/** Per thousand stocks: not eligible for day trading, not marginable. */
const PER_MILLE = { noDayTrade: 60, noMargin: 100 } as const;

/** The instrument with its eligibility in this market; `key`: the market's random key. */
export function tradingEligibility(instrument: Instrument, key: Key, calendar: Calendar): Instrument {
  const { kind, code, issuedThousands, listedDay } = instrument;
  const listed = listedDay > 0 ? calendar.sessionOn(listedDay) : 0;
  const debut = listed > 0 ? { tradesFrom: calendar.acceptsOrdersAt(listed), freeUntil: calendar.acceptsOrdersAt(listed + FREE_DAYS) } : {};
  // Digital currency trades round the clock or not at all.
  if (kind === "crypto") return { ...instrument, tradable: calendar.hours === "always" };
  if (kind !== "stock") return { ...instrument, ...debut };
  const bits = key.draw(PURPOSE.eligibility, textKey(code));
  const picked = (nth: number, perMille: number): boolean => issuedThousands < WIDELY_HELD && unit(mix(bits, nth)) * 1000 < perMille;
  return {
    ...instrument,
    ...debut,
    dayTradable: instrument.dayTradable && listed === 0 && !picked(3, PER_MILLE.noDayTrade),
    marginable: instrument.marginable && listed === 0 && !picked(4, PER_MILLE.noMargin),
  };
}

/** An instrument in a session in which the exchange watches it. */
export function watchedAs(instrument: Instrument, { level: watch, until }: Watch, calendar: Calendar): Instrument {
  if (watch !== "disposition") return { ...instrument, watch };
  return { ...instrument, watch, watchUntil: calendar.opensAt(until), dayTradable: false, marginable: false, shortable: false };
}
