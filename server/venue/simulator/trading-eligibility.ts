/** What an instrument may be traded by: the exchange's warnings, and who may day trade it or borrow for it; a few are set apart by the seed. */
import type { Instrument } from "#contract/instrument.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { mix, textKey, unit } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { FREE_DAYS } from "#server/venue/calendar/session-rules.ts";

/** Of a thousand stocks so many are under disposition, under attention, not to be day traded, not to be financed. */
const SHARES = { disposition: 5, attention: 15, noDayTrade: 60, noMargin: 100 } as const;

/** Companies of more shares than this, in thousands, are too widely held for the exchange to worry, or for anybody to refuse. */
const WIDELY_HELD = 1_000_000;

/** The instrument with its eligibility as a market has it; `luck`: what it is drawn from. */
export function tradingEligibility(instrument: Instrument, luck: Key, calendar: Calendar): Instrument {
  const { kind, code, issuedThousands, listedDay } = instrument;
  const listed = listedDay > 0 ? calendar.sessionOn(listedDay) : 0;
  const freeBefore = listed > 0 ? calendar.dayOf(listed + FREE_DAYS) : 0;
  if (kind !== "stock") return { ...instrument, freeBefore };
  const key = luck.draw(PURPOSE.eligibility, textKey(code));
  const apart = (nth: number, perMille: number): boolean => issuedThousands < WIDELY_HELD && unit(mix(key, nth)) * 1000 < perMille;
  if (apart(1, SHARES.disposition)) {
    return { ...instrument, freeBefore, watch: "disposition", dayTradable: false, marginable: false, shortable: false };
  }
  return {
    ...instrument,
    freeBefore,
    watch: apart(2, SHARES.attention) ? "attention" : "none",
    dayTradable: instrument.dayTradable && listed === 0 && !apart(3, SHARES.noDayTrade),
    marginable: instrument.marginable && listed === 0 && !apart(4, SHARES.noMargin),
  };
}
