/** The desk of facts: what a client that was away asks for. */
import type { Fact } from "#contract/fact.ts";
import type { Database } from "#server/db/database.ts";
import type { Handlers } from "./handler.ts";

/** The most facts of one answer. */
const MAX_FACTS = 500;

/** The desk's handlers. */
export function factHandlers({ db }: { db: Database }): Pick<Handlers, "factsSince"> {
  return {
    async factsSince({ caller }, { after }) {
      // The newest first: a fact that happens between the two reads is then one the caller asks for next, not one it skips.
      const tally = await db.kysely.selectFrom("tally").select("fact_n").where("member_id", "=", caller.memberId).executeTakeFirst();
      const rows = await db.kysely
        .selectFrom("fact")
        .select("body")
        .where("member_id", "=", caller.memberId)
        .where("n", ">", after)
        .orderBy("n")
        .limit(MAX_FACTS)
        .execute();
      const facts = rows.map((row) => row.body as Fact);
      return { facts, newest: Math.max(tally?.fact_n ?? 0, facts.at(-1)?.n ?? 0) };
    },
  };
}
