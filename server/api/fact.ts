/** Handler of facts: the numbered events a client missed while it was disconnected. */
import type { Fact } from "#contract/fact.ts";
import type { Database } from "#server/db/database.ts";
import type { Handlers } from "./handler.ts";

/** Facts per reply. */
const MAX_FACTS = 500;

export function factHandlers({ db }: { db: Database }): Pick<Handlers, "factsSince"> {
  return {
    async factsSince({ caller }, { after }) {
      // Read the newest number first: a fact committed between the two reads is then fetched by the next call, not skipped.
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
