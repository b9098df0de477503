/** Sets each instrument's trading eligibility: exchange warnings, day trading, margin and borrowing; the seed picks a few exceptions. */
import type { Instrument } from "#contract/instrument.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { mix, textKey, unit } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { FREE_DAYS } from "#server/venue/calendar/session-rules.ts";

/** Per thousand stocks: under disposition, under attention, not eligible for day trading, not marginable. */
const PER_MILLE = { disposition: 5, attention: 15, noDayTrade: 60, noMargin: 100 } as const;

/** Companies with more shares than this, in thousands, are too widely held for warnings or exclusions. */
const WIDELY_HELD = 1_000_000;

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
  if (picked(1, PER_MILLE.disposition)) {
    return { ...instrument, ...debut, watch: "disposition", dayTradable: false, marginable: false, shortable: false };
  }
  return {
    ...instrument,
    ...debut,
    watch: picked(2, PER_MILLE.attention) ? "attention" : "none",
    dayTradable: instrument.dayTradable && listed === 0 && !picked(3, PER_MILLE.noDayTrade),
    marginable: instrument.marginable && listed === 0 && !picked(4, PER_MILLE.noMargin),
  };
}
