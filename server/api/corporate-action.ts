/** Handler of corporate actions: the ex-dates of one instrument within its history, and those that are announced. */
import type { ExDate } from "#contract/corporate-action.ts";
import { taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

/** How many days ahead ex-dates are announced. */
const AHEAD_DAYS = 45;

/** The announced ex-dates of a row, the earliest first. */
function comingOf(venue: Venue, row: number, now: number): ExDate[] {
  const today = taipeiDay(venue.state(now).opensAt);
  return venue
    .bookClosures(today, today + AHEAD_DAYS)
    .flatMap(({ row: closed, reason: kind, ex }) =>
      closed === row && ex && ex.day > today && kind !== "meeting"
        ? [{ at: taipeiMidnight(ex.day), kind, freeMillionths: ex.freeMillionths }]
        : [],
    )
    .toSorted((a, b) => a.at - b.at);
}

export function corporateActionHandlers({ venue, now }: { venue: Venue; now: () => number }): Pick<Handlers, "listActions"> {
  return {
    listActions: async (_call, { code }) => {
      const instrument = venue.instrument(code);
      if (!instrument) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return { actions: await venue.actions(code), coming: comingOf(venue, instrument.row, now()) };
    },
  };
}
