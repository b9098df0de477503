/** Checks channel passwords: after some wrong tries each further one has to wait. Tries are counted outside the caller's transaction. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { hashSecret, verifySecret } from "#server/kernel/secret-hash.ts";
import { noteChange } from "./security-notice.ts";
import type { FactSources } from "./member-facts.ts";

interface Row {
  hash: string | null;
  tries: number;
  wait_until: number | null;
}

/** Counts the try before it is verified, so that parallel ones cannot bypass the wait. */
const COUNT = `
UPDATE member SET channel_password_tries = channel_password_tries + 1,
  channel_password_wait_until = CASE WHEN channel_password_tries + 1 >= $3 THEN $4::bigint ELSE NULL END
WHERE id = $1 AND channel_password_hash IS NOT NULL AND (channel_password_wait_until IS NULL OR channel_password_wait_until <= $2)
RETURNING channel_password_hash AS hash, channel_password_tries AS tries, channel_password_wait_until AS wait_until`;
const READ =
  "SELECT channel_password_hash AS hash, channel_password_tries AS tries, channel_password_wait_until AS wait_until FROM member WHERE id = $1";
const RELEASE =
  "UPDATE member SET channel_password_tries = 0, channel_password_wait_until = NULL WHERE id = $1 AND channel_password_hash = $2";
/** Takes back a try that was counted and then not verified. */
const GIVE_BACK = `
UPDATE member SET channel_password_tries = greatest(0, channel_password_tries - 1), channel_password_wait_until = NULL
WHERE id = $1 AND channel_password_hash = $2`;
const WRITE = "UPDATE member SET channel_password_hash = $2, channel_password_tries = 0, channel_password_wait_until = NULL WHERE id = $1";

/** One check of a member at a time, so that a flood of one member's calls leaves the hashing to the others. */
const gate = new Gate({ atOnce: 1, waiting: 8, refusal: "GEN_TOO_FREQUENT" });

const waits = (until: number, at: number): Refusal =>
  new Refusal("PWD_CHANNEL_LOCKED", { n: Math.max(1, Math.ceil((until - at) / MINUTE_MS)) }, "channelPassword");

async function read(on: Reader, memberId: number): Promise<Row | undefined> {
  const [row] = await query<Row>(on, READ, [memberId]);
  return row;
}

/** Whether a member has set one. */
export async function hasChannelPassword(on: Reader, memberId: number): Promise<boolean> {
  return ((await read(on, memberId))?.hash ?? null) !== null;
}

/** Stores a channel password; wrong tries are forgotten. */
export async function writeChannelPassword(db: Database, memberId: number, channelPassword: string, at: number): Promise<void> {
  const hash = await hashSecret(channelPassword);
  await db.transaction(async (tx) => {
    await query(tx, WRITE, [memberId, hash]);
    await noteChange(tx, memberId, at, "channelPasswordChanged");
  });
}

/**
 * Checks a typed channel password before a command is queued: a try counts even when the command is refused.
 * @returns false where none is set
 * @throws Refusal `GEN_TOO_FREQUENT` when too many wait; `PWD_CHANNEL_WRONG` with the tries left as `n`; `PWD_CHANNEL_LOCKED` with the minutes to wait as `n`
 */
export function isChannelPassword(db: Database, memberId: number, typed: string, sources: FactSources): Promise<boolean> {
  return gate.run(String(memberId), () => check(db, memberId, typed, sources));
}

async function check(db: Database, memberId: number, typed: string, { rules, now }: FactSources): Promise<boolean> {
  const at = now();
  const { channelPasswordTries: tries, channelPasswordWaitMinutes: minutes } = rules.of(memberId).funding;
  const until = at + minutes * MINUTE_MS;
  const [counted] = await query<Row>(db.kysely, COUNT, [memberId, at, tries, until]);
  if (!counted?.hash) {
    const row = await read(db.kysely, memberId);
    if (row?.hash && row.wait_until !== null) throw waits(row.wait_until, at);
    return false;
  }
  const { hash } = counted;
  const isRight = await verifySecret(hash, typed).catch(async (error: unknown) => {
    await query(db.kysely, GIVE_BACK, [memberId, hash]);
    throw error;
  });
  if (isRight) {
    await query(db.kysely, RELEASE, [memberId, hash]);
    return true;
  }
  const left = tries - counted.tries;
  if (left <= 0) throw waits(until, at);
  throw new Refusal("PWD_CHANNEL_WRONG", { n: left }, "channelPassword");
}
