/** Checks fund passwords: wrong tries are counted outside the caller's transaction, so that a refusal does not undo the count. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { verifySecret } from "#server/kernel/secret-hash.ts";
import type { FactSources } from "./member-facts.ts";

interface Row {
  hash: string | null;
  tries: number;
  locked_until: number | null;
}

/** Counts the try before it is verified, so that parallel ones cannot bypass the limit; locks at the last one. */
const COUNT = `
UPDATE member SET
  fund_password_tries = CASE WHEN fund_password_locked_until <= $2 THEN 1 ELSE fund_password_tries + 1 END,
  fund_password_locked_until = CASE
    WHEN fund_password_tries + 1 >= $3 AND (fund_password_locked_until IS NULL OR fund_password_locked_until > $2) THEN $4::bigint
    ELSE NULL END
WHERE id = $1 AND fund_password_hash IS NOT NULL AND (fund_password_locked_until IS NULL OR fund_password_locked_until <= $2)
RETURNING fund_password_hash AS hash, fund_password_tries AS tries, fund_password_locked_until AS locked_until`;

const READ =
  "SELECT fund_password_hash AS hash, fund_password_tries AS tries, fund_password_locked_until AS locked_until FROM member WHERE id = $1";

const RELEASE = "UPDATE member SET fund_password_tries = 0, fund_password_locked_until = NULL WHERE id = $1 AND fund_password_hash = $2";

/** Takes back a try that was counted and then not verified. */
const GIVE_BACK = `
UPDATE member SET fund_password_tries = greatest(0, fund_password_tries - 1), fund_password_locked_until = NULL
WHERE id = $1 AND fund_password_hash = $2`;

/** One check of a member at a time, so that a flood of one member's calls leaves the hashing to the others. */
const gate = new Gate({ atOnce: 1, waiting: 8, refusal: "GEN_TOO_FREQUENT" });

const locked = (until: number, at: number, field: string): Refusal =>
  new Refusal("PWD_FUND_LOCKED", { n: Math.max(1, Math.ceil((until - at) / MINUTE_MS)) }, field);

/**
 * Checks a typed fund password; `field` is the body field that a refusal names. Call it before the command's own transaction: a try counts even when the command is refused.
 * @throws Refusal `GEN_TOO_FREQUENT` when too many wait; `PWD_FUND_NOT_SET`; `PWD_FUND_WRONG` with the tries left as `n`; `PWD_FUND_LOCKED` with the minutes left as `n`
 */
export function checkFundPassword(
  db: Database,
  memberId: number,
  typed: string,
  sources: FactSources,
  field = "fundPassword",
): Promise<void> {
  return gate.run(String(memberId), () => check(db, memberId, typed, sources, field));
}

async function check(db: Database, memberId: number, typed: string, { rules, now }: FactSources, field: string): Promise<void> {
  const at = now();
  const { fundPasswordTries, fundPasswordLockMinutes } = rules.of(memberId).account;
  const until = at + fundPasswordLockMinutes * MINUTE_MS;
  const [counted] = await query<Row>(db.kysely, COUNT, [memberId, at, fundPasswordTries, until]);
  if (!counted?.hash) {
    const [row] = await query<Row>(db.kysely, READ, [memberId]);
    if (row?.hash && row.locked_until !== null) throw locked(row.locked_until, at, field);
    throw new Refusal("PWD_FUND_NOT_SET", {}, field);
  }
  const { hash } = counted;
  const isRight = await verifySecret(hash, typed).catch(async (error: unknown) => {
    await query(db.kysely, GIVE_BACK, [memberId, hash]);
    throw error;
  });
  if (isRight) {
    await query(db.kysely, RELEASE, [memberId, hash]);
    return;
  }
  const left = fundPasswordTries - counted.tries;
  if (left <= 0) throw locked(until, at, field);
  throw new Refusal("PWD_FUND_WRONG", { n: left }, field);
}
