/** The broker's own mentors in the sandbox: their accounts are made once, with the capital that their records begin with. */
import { randomUUID } from "node:crypto";
import { MENTOR_STRATEGIES } from "#contract/copy.ts";
import { cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { hashSecrets, insertMember } from "./new-member.ts";

/** NT$2,000,000. */
const CAPITAL_CENTS = cents(200_000_000);
const MISSING =
  "SELECT strategy FROM unnest($1::text[]) AS strategy WHERE strategy NOT IN (SELECT strategy FROM mentor WHERE strategy IS NOT NULL)";
const INSERT = `INSERT INTO mentor (mentor_no, member_id, strategy, capital_cents, since, acted_at)
VALUES ('T' || nextval('mentor_no'), $1, $2, $3, $4, $4)`;

/** Makes those that are missing; one that an operator removed stays removed. Nobody can sign in to their accounts. */
export async function openBrokerMentors(db: Database, at: number): Promise<void> {
  for (const { strategy } of await query<{ strategy: string }>(db.kysely, MISSING, [MENTOR_STRATEGIES])) {
    const secret = { password: randomUUID(), guaranteeCode: randomUUID() };
    const secrets = await hashSecrets(secret);
    const account = `mentor-${strategy}`;
    await db.transaction(async (tx) => {
      const member = {
        account,
        idNumber: account,
        name: account,
        identity: "verified" as const,
        depositCents: CAPITAL_CENTS,
        at,
        ...secret,
      };
      const id = await insertMember(tx, member, secrets);
      await query(tx, INSERT, [id, strategy, CAPITAL_CENTS, at]);
    });
  }
}
