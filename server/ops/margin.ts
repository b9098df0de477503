/**
 * `node server/ops/margin.ts`: list the applications for margin that are under review. With an account and `approve` or `reject`: decide
 * one; the house carries it out at once, or when it opens again.
 */
import process from "node:process";
import { openDatabase, query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { DataDirInUse } from "#server/db/lock.ts";
import { formatDateTime } from "#contract/kernel/time.ts";

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

async function decide({ kysely }: Database, account: string, verdict: string): Promise<string> {
  const decided = await query(
    kysely,
    `UPDATE trader SET margin_verdict = $2 FROM member
     WHERE member.id = trader.member_id AND account = $1 AND margin_status = 'pendingReview' RETURNING member_id`,
    [account, verdict],
  );
  if (decided.length > 0) return `${account} is ${verdict}.`;
  process.exitCode = 2;
  return `${account} has no application under review.`;
}

try {
  const db = await openDatabase({ dataDir: process.env["DATA_DIR"] ?? "./data", databaseUrl: process.env["DATABASE_URL"] });
  try {
    const [account, said = ""] = process.argv.slice(2);
    const verdict = VERDICTS.get(said);
    if (account === undefined) console.log(await list(db));
    else if (verdict === undefined) {
      console.error("Say approve or reject after the account.");
      process.exitCode = 2;
    } else console.log(await decide(db, account, verdict));
  } finally {
    await db.close();
  }
} catch (error) {
  if (!(error instanceof DataDirInUse)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
