/** The watchlist desk: the codes a member follows, in the member's order. */
import type { Code } from "#contract/kernel/id.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import type { Venue } from "#server/venue/port.ts";
import { Refusal } from "./desk.ts";
import type { Handlers } from "./desk.ts";

type WatchlistHandlers = Pick<Handlers, "readWatchlist" | "addWatch" | "removeWatch">;

async function readCodes(on: Reader, memberId: number): Promise<{ codes: Code[] }> {
  const rows = await on
    .selectFrom("watchlist")
    .select("code")
    .where("member_id", "=", memberId)
    .orderBy("place")
    .orderBy("added_at")
    .execute();
  return { codes: rows.map((row) => row.code as Code) };
}

const ADD = `
INSERT INTO watchlist (member_id, code, place, added_at)
SELECT $1, $2, coalesce(max(place), 0) + 1, $3 FROM watchlist WHERE member_id = $1
ON CONFLICT (member_id, code) DO NOTHING`;

/** The desk's handlers. */
export function watchlistDesk({ db: { kysely }, venue }: { db: Database; venue: Venue }): WatchlistHandlers {
  return {
    readWatchlist: ({ caller }) => readCodes(kysely, caller.memberId),
    async addWatch({ caller }, { code }) {
      if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      await query(kysely, ADD, [caller.memberId, code, Date.now()]);
      return readCodes(kysely, caller.memberId);
    },
    async removeWatch({ caller }, { code }) {
      await kysely.deleteFrom("watchlist").where("member_id", "=", caller.memberId).where("code", "=", code).execute();
      return readCodes(kysely, caller.memberId);
    },
  };
}
