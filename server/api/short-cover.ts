/** Handler of the coming days by which shorts must be covered. */
import type { Code } from "#contract/kernel/id.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import type { CoverDay } from "#contract/short-cover.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { coverWindows } from "#server/trading/order-entry/cover-windows.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Handlers } from "./handler.ts";

export interface ShortCoverApiDeps {
  db: Database;
  venue: Venue;
  sequencer: Pick<Sequencer, "rules">;
  now: () => number;
}

const SHORTS = `
SELECT DISTINCT code FROM "order"
WHERE member_id = $1 AND direction = 'fall' AND status IN ('pending', 'holding', 'readyToClose') AND filled_lots > closed_lots`;

export function shortCoverHandlers({ db, venue, sequencer, now }: ShortCoverApiDeps): Pick<Handlers, "listCoverDays"> {
  return {
    async listCoverDays({ caller: { memberId } }, { code }) {
      if (code !== null && !venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      const codes = code === null ? (await query<{ code: Code }>(db.kysely, SHORTS, [memberId])).map((one) => one.code) : [code];
      const windows = coverWindows(venue, sequencer.rules.of(memberId).shortCover, now());
      const days = codes.flatMap((one): CoverDay[] =>
        (windows.get(venue.instrument(one)?.row ?? -1) ?? []).map(({ reason, lastDay, againDay }) => ({
          code: one,
          reason,
          lastAt: taipeiMidnight(lastDay),
          againAt: taipeiMidnight(againDay),
        })),
      );
      return { days: days.toSorted((a, b) => a.lastAt - b.lastAt) };
    },
  };
}
