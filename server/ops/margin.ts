/** `ops margin`: lists margin applications under review; with an account and `approve` or `reject` it decides one. */
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Command } from "./command.ts";

const VERDICTS = new Map([
  ["approve", "approved"],
  ["reject", "rejected"],
]);

async function list({ kysely }: Database): Promise<string> {
  const rows = await query<{ account: string; at: number; verdict: string | null }>(
    kysely,
    `SELECT account, margin_applied_at AS at, margin_verdict AS verdict FROM trader JOIN member ON id = member_id
     WHERE margin_status = 'pendingReview' ORDER BY margin_applied_at`,
  );
  if (rows.length === 0) return "No application is under review.";
  return rows.map(({ account, at, verdict }) => `${account} ${formatDateTime(at)} ${verdict ?? "undecided"}`).join("\n");
}

async function decide({ kysely }: Database, account: string, verdict: string): Promise<boolean> {
  const decided = await query(
    kysely,
    `UPDATE trader SET margin_verdict = $2 FROM member
     WHERE member.id = trader.member_id AND account = $1 AND margin_status = 'pendingReview' RETURNING member_id`,
    [account, verdict],
  );
  return decided.length > 0;
}

/** Lists or decides; the server applies a decision within seconds, or at its next start. */
export const decideMargin: Command = async (db, [account, decision = ""], say) => {
  if (account === undefined) {
    say(await list(db));
    return 0;
  }
  const verdict = VERDICTS.get(decision);
  if (verdict === undefined) say("Give approve or reject after the account.");
  else if (await decide(db, account, verdict)) {
    say(`${account} is ${verdict}.`);
    return 0;
  } else say(`${account} has no application under review.`);
  return 2;
};
