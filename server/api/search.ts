/** Handlers of searches: a member's recent ones and the popular ones of all members. */
import type { Answer } from "#contract/endpoints.ts";
import type { Code } from "#contract/kernel/id.ts";
import { DAY_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { HOT_DAYS, HOT_MEMBERS, HOT_SEARCHES, SEARCHES_KEPT } from "#contract/search.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

type Searches = Answer<"readSearches">;

/** Cache time of popular searches, because the query counts the searches of all members. */
export const HOT_KEPT_MS = MINUTE_MS;

const HOT = `
SELECT code, count(*)::integer AS members FROM search WHERE at > $1
GROUP BY code HAVING count(*) >= $2 ORDER BY count(*) DESC, code LIMIT $3`;

export function searchHandlers({ db, venue, now }: { db: Database; venue: Venue; now: () => number }) {
  const { kysely } = db;
  let cached: { at: number; hot: Promise<Searches["hot"]> } | null = null;

  const readHot = async (at: number): Promise<Searches["hot"]> => {
    const rows = await query<{ code: Code; members: number }>(kysely, HOT, [at - HOT_DAYS * DAY_MS, HOT_MEMBERS, HOT_SEARCHES]);
    return rows.filter(({ code }) => venue.instrument(code));
  };
  const hot = (): Promise<Searches["hot"]> => {
    const at = now();
    if (!cached || at - cached.at >= HOT_KEPT_MS) {
      const entry = { at, hot: readHot(at) };
      cached = entry;
      // A failed query is retried by the next caller.
      entry.hot.catch(() => {
        if (cached === entry) cached = null;
      });
    }
    return cached.hot;
  };
  const searches = async (memberId: number): Promise<Searches> => {
    const rows = await kysely
      .selectFrom("search")
      .select("code")
      .where("member_id", "=", memberId)
      .orderBy("at", "desc")
      .orderBy("code")
      .limit(SEARCHES_KEPT)
      .execute();
    return { mine: rows.map(({ code }) => code as Code), hot: await hot() };
  };

  return {
    readSearches: ({ caller }) => searches(caller.memberId),
    async noteSearch({ caller: { memberId } }, { code }) {
      if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      const at = now();
      await kysely
        .insertInto("search")
        .values({ member_id: memberId, code, at })
        .onConflict((conflict) => conflict.columns(["member_id", "code"]).doUpdateSet({ at }))
        .execute();
      return searches(memberId);
    },
    async clearSearches({ caller: { memberId } }) {
      await kysely.deleteFrom("search").where("member_id", "=", memberId).execute();
      return searches(memberId);
    },
  } satisfies Pick<Handlers, "readSearches" | "noteSearch" | "clearSearches">;
}
