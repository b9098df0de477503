/** Session store: opaque tokens kept as hashes, cached lookups, immediate revocation. */
import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Account } from "#contract/kernel/id.ts";
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import type { SessionTable } from "#server/db/member-schema.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import type { Caller } from "./handler.ts";

/** Access to the demo members: nobody, users of this machine, or visitors who share them. */
export type DemoAccess = "off" | "private" | "shared";

/** A session expires this long after its last use. */
export const SESSION_MS = 30 * DAY_MS;
/** How long a revoked session stays in the table; sign-ins in a loop must not fill it. */
const REVOKED_KEPT_MS = DAY_MS;
/** Minimum step of the sliding expiry: one write a day instead of one per call. */
const SLIDE_MS = DAY_MS;
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

export interface SessionStore {
  /** Opens a session for a member and ends the oldest above the limit. The token is returned once; only its hash is stored. */
  open(memberId: number, address: string): Promise<OpenedSession>;
  /** The caller behind a token and an account; null when the session is expired, revoked, unknown or another account's. */
  find(token: string, account: string): Promise<Caller | null>;
  /** Tells whether a token belongs to a session in memory. It costs no query, so it is safe to call before rate limiting. */
  holds(token: string): boolean;
  /** Tells whether a caller's session is still valid. */
  alive(caller: Caller): Promise<boolean>;
  /** Expiry of a caller's session in epoch milliseconds, if it is not used again. */
  expiresAt(caller: Caller): Promise<number>;
  /** Revokes a session, effective immediately in this process. */
  revoke(sessionHash: string): Promise<void>;
  /** Revokes all sessions of a member, except one if given. @returns how many */
  revokeAll(memberId: number, except: string | null): Promise<number>;
  /** Calls the listener with the hash of every session revoked by this process. Returns an unsubscribe function. */
  onEnd(listener: (sessionHash: string) => void): () => void;
}

interface CachedSession {
  caller: Caller;
  expiresAt: number;
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

async function readSession(database: Database, hash: string, now: number, demo: DemoAccess): Promise<CachedSession | null> {
  const row = await database.kysely
    .selectFrom("session")
    .innerJoin("member", "member.id", "session.member_id")
    .select(["member.id", "member.account", "member.demo", "session.expires_at"])
    .where("session.hash", "=", hash)
    .where("session.revoked_at", "is", null)
    .where("session.expires_at", ">", now)
    .where(sql<boolean>`NOT member.restrictions && ARRAY['loginBanned', 'banned', 'disabled']`)
    .executeTakeFirst();
  if (!row || (row.demo && demo === "off")) return null;
  const shared = row.demo && demo === "shared";
  const caller: Caller = { memberId: row.id, account: row.account as Account, sessionHash: hash, ...(shared ? { shared } : {}) };
  return { caller, expiresAt: row.expires_at, readAt: now };
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

function newSession(hash: string, memberId: number, address: string, at: number): SessionTable {
  return {
    hash,
    member_id: memberId,
    address,
    created_at: at,
    expires_at: at + SESSION_MS,
    revoked_at: null,
    device: "",
    last_used_at: at,
  };
}

/** Stores a new session and deletes the member's ended ones. */
async function storeSession({ kysely }: Database, session: SessionTable): Promise<void> {
  const { member_id: memberId, created_at: at } = session;
  await kysely
    .deleteFrom("session")
    .where("member_id", "=", memberId)
    .where((row) => row.or([row("expires_at", "<", at), row("revoked_at", "<", at - REVOKED_KEPT_MS)]))
    .execute();
  await kysely.insertInto("session").values(session).execute();
}

const liveSessions = ({ kysely }: Database, memberId: number, at: number): Promise<{ hash: string }[]> =>
  kysely
    .selectFrom("session")
    .select("hash")
    .where("member_id", "=", memberId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", at)
    .execute();

/** Opens the store. `now` is its clock. */
export function openSessions(database: Database, now: () => number = Date.now, demo: DemoAccess = "private"): SessionStore {
  const { kysely } = database;
  const cache = new Map<string, CachedSession>();
  /** Revoked here: a lookup in progress at that moment must not cache the session again. */
  const revoked = new Set<string>();
  const listeners = new Set<(sessionHash: string) => void>();

  const slide = async (session: CachedSession): Promise<void> => {
    const expiresAt = now() + SESSION_MS;
    if (expiresAt - session.expiresAt < SLIDE_MS) return;
    session.expiresAt = expiresAt;
    await kysely.updateTable("session").set({ expires_at: expiresAt }).where("hash", "=", session.caller.sessionHash).execute();
  };

  const lookUp = async (hash: string): Promise<CachedSession | null> => {
    const before = cache.get(hash);
    const at = now();
    if (before && at - before.readAt < CACHE_MS && before.expiresAt > at) return before;
    const session = await readSession(database, hash, at, demo);
    if (!session || revoked.has(hash)) {
      cache.delete(hash);
      return null;
    }
    await slide(session);
    if (revoked.has(hash)) return null;
    cache.set(hash, session);
    trim(cache);
    return session;
  };

  const revoke = async (sessionHash: string): Promise<void> => {
    revoked.add(sessionHash);
    trim(revoked);
    cache.delete(sessionHash);
    await kysely.updateTable("session").set({ revoked_at: now() }).where("hash", "=", sessionHash).execute();
    for (const listener of listeners) listener(sessionHash);
  };

  return {
    async open(memberId, address) {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const session = newSession(hashOf(token), memberId, address, now());
      await storeSession(database, session);
      for (const excess of await readExcess(database, session, demo)) await revoke(excess);
      return { token, expiresAt: session.expires_at };
    },
    async find(token, account) {
      if (!TOKEN.test(token)) return null;
      const session = await lookUp(hashOf(token));
      return session?.caller.account === account ? session.caller : null;
    },
    holds: (token) => TOKEN.test(token) && cache.has(hashOf(token)),
    alive: async (caller) => (await lookUp(caller.sessionHash)) !== null,
    expiresAt: async (caller) => (await lookUp(caller.sessionHash))?.expiresAt ?? now(),
    revoke,
    async revokeAll(memberId, except) {
      const rows = await liveSessions(database, memberId, now());
      const ended = rows.filter(({ hash }) => hash !== except);
      for (const { hash } of ended) await revoke(hash);
      return ended.length;
    },
    onEnd(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
