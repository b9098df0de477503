/** Session store: opaque tokens kept as hashes, cached lookups, immediate revocation. */
import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { SIGN_IN_RESTRICTIONS } from "#contract/restriction.ts";
import type { SessionEnd } from "#contract/restriction.ts";
import type { Restriction } from "#contract/eligibility.ts";
import type { Account } from "#contract/kernel/id.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import type { SessionTable } from "#server/db/member-schema.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import { readTogether } from "#server/kernel/read-together.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Caller } from "./handler.ts";
import { deviceName } from "./session/device-name.ts";

/** Access to the demo members: nobody, users of this machine, or visitors who share them. */
export type DemoAccess = "off" | "private" | "shared";

/** A session expires this long after its last use. */
export const SESSION_MS = 30 * DAY_MS;
/** How long a revoked session stays in the table; sign-ins in a loop must not fill it. */
const REVOKED_KEPT_MS = DAY_MS;
/** Minimum step of the sliding expiry: one write a day instead of one per call. */
const SLIDE_MS = DAY_MS;
/** Minimum step of the time of last use. */
const USE_MS = 10 * MINUTE_MS;
/** How long a cached session is used before the database is read again: a restriction acts on it within a second. */
const CACHE_MS = SECOND_MS;
const MAX_CACHED = 20_000;
/** Maximum sessions of a member, more than one person's devices. Visitors who share the demo member have one each. */
export const SESSIONS_KEPT = 20;
const SHARED_SESSIONS_KEPT = 2_000;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

export interface OpenedSession {
  token: string;
  expiresAt: number;
}

/** How a session is opened. */
export interface Opening {
  /** The user agent of the device. */
  agent?: string | null;
  /** Whether the device has signed in to the account before; true by default. A new one holds withdrawals back. */
  isKnown?: boolean;
  /** The password that was verified, if any: a sign-in under way while it changes opens nothing. */
  passwordHash?: string;
}

export interface SessionStore {
  /**
   * Opens a session for a member and ends the oldest above the limit. The token is returned once; only its hash is stored.
   * @throws Refusal `ACC_BAD_CREDENTIALS` when the password has changed since it was verified
   */
  open(memberId: number, address: string, opening?: Opening): Promise<OpenedSession>;
  /** The caller behind a token and an account; null when the session is expired, revoked, unknown or another account's. */
  find(token: string, account: string): Promise<Caller | null>;
  /** Tells whether a token belongs to a session in memory. It costs no query, so it is safe to call before rate limiting. */
  holds(token: string): boolean;
  /** Tells whether a caller's session is still valid, by the database: what memory says may be a second old, and nobody asks again soon. */
  alive(caller: Caller): Promise<boolean>;
  /** Expiry of a caller's session in epoch milliseconds, if it is not used again. */
  expiresAt(caller: Caller): Promise<number>;
  /** Revokes a session, effective immediately in this process. */
  revoke(sessionHash: string): Promise<void>;
  /** The valid sessions of a member. */
  list(memberId: number): Promise<ListedSession[]>;
  /** Revokes all sessions of a member, except one if given, in one transaction with `change` if given. @returns how many */
  revokeAll(memberId: number, except: string | null, change?: (tx: Tx) => Promise<void>): Promise<number>;
  /** Ends all sessions of a member who may no longer sign in. */
  expel(memberId: number): Promise<void>;
  /** A session has ended on the leader: it is over here too. */
  noteEnd(sessionHash: string, why: SessionEnd): void;
  /** Why a session that is not found is over; of a token only to the account it was opened for. */
  whyEnded(session: { sessionHash: string } | { token: string; account: string }): Promise<SessionEnd>;
  /** Calls the listener with the hash of every session ended by this process or noted, and why. Returns an unsubscribe function. */
  onEnd(listener: (sessionHash: string, why: SessionEnd) => void): () => void;
}

export type ListedSession = Pick<SessionTable, "hash" | "device" | "address" | "created_at" | "last_used_at">;

interface CachedSession {
  caller: Caller;
  expiresAt: number;
  usedAt: number;
  readAt: number;
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Evicts the oldest entries above the cache limit. */
function trim(entries: Map<string, unknown> | Set<string>): void {
  for (const key of entries.keys()) {
    if (entries.size <= MAX_CACHED) return;
    entries.delete(key);
  }
}

const READ = `
SELECT session.hash, member.id, member.account, member.demo, session.expires_at, session.last_used_at
FROM session JOIN member ON member.id = session.member_id
WHERE session.hash = ANY ($1::text[]) AND session.revoked_at IS NULL AND session.expires_at > $2 AND NOT member.restrictions && $3::text[]`;

type SessionRow = Pick<SessionTable, "hash" | "expires_at" | "last_used_at"> & { id: number; account: string; demo: boolean };

/** Reads the valid ones of some sessions, by their hashes. A member's call costs a query each second: those of many who call at once are one. */
async function readSessions(
  { kysely }: Database,
  hashes: readonly string[],
  now: number,
  demo: DemoAccess,
): Promise<Map<string, CachedSession>> {
  const rows = await query<SessionRow>(kysely, READ, [hashes, now, Object.keys(SIGN_IN_RESTRICTIONS)]);
  const admitted = rows.filter((row) => !row.demo || demo !== "off");
  return new Map(
    admitted.map(({ id, account, hash, expires_at: expiresAt, last_used_at: usedAt, demo: isDemo }) => {
      const caller: Caller = { memberId: id, account: account as Account, sessionHash: hash };
      if (isDemo && demo === "shared") caller.shared = true;
      return [hash, { caller, expiresAt, usedAt: usedAt ?? 0, readAt: now }];
    }),
  );
}

/**
 * The sessions of a member above the limit, never the one just opened. The oldest end, but of a shared member first those of the same
 * address: one visitor who signs in again and again ends only their own.
 */
async function readExcess(
  database: Database,
  { member_id: memberId, hash: opened, address }: SessionTable,
  demo: DemoAccess,
): Promise<string[]> {
  const member = await database.kysely.selectFrom("member").select("demo").where("id", "=", memberId).executeTakeFirst();
  const shared = member?.demo === true && demo === "shared";
  const open = database.kysely
    .selectFrom("session")
    .select(["hash", "address"])
    .where("member_id", "=", memberId)
    .where("revoked_at", "is", null)
    .where("hash", "<>", opened)
    .orderBy("created_at", "desc")
    .orderBy("hash");
  const oldest = await open.offset((shared ? SHARED_SESSIONS_KEPT : SESSIONS_KEPT) - 1).execute();
  if (!shared || oldest.length === 0) return oldest.map(({ hash }) => hash);
  const key = addressKey(address);
  const all = (await open.execute()).toReversed();
  const own = all.filter((session) => addressKey(session.address) === key);
  const others = all.filter((session) => addressKey(session.address) !== key);
  return [...own, ...others].slice(0, oldest.length).map(({ hash }) => hash);
}

function newSession(memberId: number, address: string, at: number, agent: string | null): { token: string; session: SessionTable } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const session = {
    hash: hashOf(token),
    member_id: memberId,
    address,
    created_at: at,
    expires_at: at + SESSION_MS,
    revoked_at: null,
    device: deviceName(agent),
    last_used_at: at,
  };
  return { token, session };
}

/**
 * Stores a new session and deletes the member's ended ones. The member's row is locked, so that a change of the password either comes first
 * and is seen here, or comes later and ends this session. @throws Refusal `ACC_BAD_CREDENTIALS`
 */
async function storeSession(tx: Tx, session: SessionTable, { isKnown = true, passwordHash }: Opening): Promise<void> {
  const { member_id: memberId, created_at: at } = session;
  const member = await tx
    .updateTable("member")
    .set((row) => ({
      signed_in_at: row.fn.coalesce("signed_in_at", row.val(at)),
      // Not the first device of an account, and not a demo member's, whose secrets are printed.
      device_changed_at: sql<number>`CASE WHEN ${isKnown}::boolean OR demo OR signed_in_at IS NULL THEN device_changed_at ELSE ${at}::bigint END`,
    }))
    .where("id", "=", memberId)
    .$if(passwordHash !== undefined, (one) => one.where("password_hash", "=", passwordHash ?? ""))
    .returning("id")
    .executeTakeFirst();
  if (!member) throw new Refusal("ACC_BAD_CREDENTIALS");
  await tx
    .deleteFrom("session")
    .where("member_id", "=", memberId)
    .where((row) => row.or([row("expires_at", "<", at), row("revoked_at", "<", at - REVOKED_KEPT_MS)]))
    .execute();
  await tx.insertInto("session").values(session).execute();
}

const liveSessions = ({ kysely }: Database, memberId: number, at: number): Promise<ListedSession[]> =>
  kysely
    .selectFrom("session")
    .select(["hash", "device", "address", "created_at", "last_used_at"])
    .where("member_id", "=", memberId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", at)
    .execute();

/** Marks all sessions of a member as revoked, after `change` if given. @returns their keys */
async function endSessions(
  tx: Tx,
  memberId: number,
  except: string | null,
  at: number,
  change?: (tx: Tx) => Promise<void>,
): Promise<string[]> {
  await change?.(tx);
  const rows = await tx
    .updateTable("session")
    .set({ revoked_at: at })
    .where("member_id", "=", memberId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", at)
    .where("hash", "<>", except ?? "")
    .returning("hash")
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Why a member's sessions are over. */
function endOf(restrictions: readonly Restriction[]): SessionEnd {
  const [, code] = Object.entries(SIGN_IN_RESTRICTIONS).find(([restriction]) => restrictions.some((one) => one === restriction)) ?? [];
  return code ?? "ACC_SESSION_EXPIRED";
}

async function readEnd({ kysely }: Database, session: Parameters<SessionStore["whyEnded"]>[0]): Promise<SessionEnd> {
  const account = "token" in session ? session.account : null;
  const hash = "sessionHash" in session ? session.sessionHash : TOKEN.test(session.token) ? hashOf(session.token) : null;
  if (hash === null) return "ACC_SESSION_EXPIRED";
  const row = await kysely
    .selectFrom("session")
    .innerJoin("member", "member.id", "session.member_id")
    .select(["member.account", "member.restrictions"])
    .where("session.hash", "=", hash)
    .executeTakeFirst();
  return row && (account === null || row.account === account) ? endOf(row.restrictions) : "ACC_SESSION_EXPIRED";
}

/** Ends a member's sessions. Those revoked before may still be in memory and on open sockets. @returns all of them, and why they ended */
async function endAll({ kysely }: Database, memberId: number, at: number): Promise<{ why: SessionEnd; hashes: string[] }> {
  const member = await kysely.selectFrom("member").select("restrictions").where("id", "=", memberId).executeTakeFirst();
  await kysely.updateTable("session").set({ revoked_at: at }).where("member_id", "=", memberId).where("revoked_at", "is", null).execute();
  const all = await kysely.selectFrom("session").select("hash").where("member_id", "=", memberId).execute();
  return { why: endOf(member?.restrictions ?? []), hashes: all.map(({ hash }) => hash) };
}

/** Notes a use of a session and moves its expiry. */
async function slide({ kysely, writable }: Database, session: CachedSession, at: number): Promise<void> {
  // On a follower; the leader notes it with the next call that reaches it.
  if (!writable()) return;
  const expiresAt = at + SESSION_MS;
  const slides = expiresAt - session.expiresAt >= SLIDE_MS;
  if (!slides && at - session.usedAt < USE_MS) return;
  session.usedAt = at;
  if (slides) session.expiresAt = expiresAt;
  await kysely
    .updateTable("session")
    .set({ expires_at: session.expiresAt, last_used_at: at })
    .where("hash", "=", session.caller.sessionHash)
    .execute();
}

/** Opens the store. `now` is its clock. */
export function openSessions(database: Database, now: () => number = Date.now, demo: DemoAccess = "private"): SessionStore {
  const cache = new Map<string, CachedSession>();
  /** Revoked here: a lookup in progress at that moment must not cache the session again. */
  const revoked = new Set<string>();
  const listeners = new Set<(sessionHash: string, why: SessionEnd) => void>();
  const readOne = readTogether((hashes: readonly string[]) => readSessions(database, hashes, now(), demo));

  const lookUp = async (hash: string, cachedMs = CACHE_MS): Promise<CachedSession | null> => {
    const [before, at] = [cache.get(hash), now()];
    if (before && at - before.readAt < cachedMs && before.expiresAt > at) return before;
    const session = await readOne(hash);
    if (!session || revoked.has(hash)) {
      cache.delete(hash);
      return null;
    }
    await slide(database, session, at);
    if (revoked.has(hash)) return null;
    cache.set(hash, session);
    trim(cache);
    return session;
  };
  const forget = (sessionHash: string): void => {
    trim(revoked.add(sessionHash));
    cache.delete(sessionHash);
  };
  const end = (hashes: readonly string[], why: SessionEnd): void => {
    for (const hash of hashes) {
      forget(hash);
      for (const listener of listeners) listener(hash, why);
    }
  };
  const revoke = async (sessionHash: string): Promise<void> => {
    forget(sessionHash);
    await database.kysely.updateTable("session").set({ revoked_at: now() }).where("hash", "=", sessionHash).execute();
    end([sessionHash], "ACC_SESSION_EXPIRED");
  };

  return {
    async open(memberId, address, opening = {}) {
      const { token, session } = newSession(memberId, address, now(), opening.agent ?? null);
      await database.transaction((tx) => storeSession(tx, session, opening));
      for (const excess of await readExcess(database, session, demo)) await revoke(excess);
      return { token, expiresAt: session.expires_at };
    },
    async find(token, account) {
      const session = TOKEN.test(token) ? await lookUp(hashOf(token)) : null;
      return session?.caller.account === account ? session.caller : null;
    },
    holds: (token) => TOKEN.test(token) && cache.has(hashOf(token)),
    alive: async (caller) => (await lookUp(caller.sessionHash, 0)) !== null,
    expiresAt: async (caller) => (await lookUp(caller.sessionHash))?.expiresAt ?? now(),
    revoke,
    list: (memberId) => liveSessions(database, memberId, now()),
    async revokeAll(memberId, except, change) {
      const ended = await database.transaction((tx) => endSessions(tx, memberId, except, now(), change));
      end(ended, "ACC_SESSION_EXPIRED");
      return ended.length;
    },
    async expel(memberId) {
      const { why, hashes } = await endAll(database, memberId, now());
      end(hashes, why);
    },
    noteEnd: (sessionHash, why) => end([sessionHash], why),
    whyEnded: (session) => readEnd(database, session),
    onEnd: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
