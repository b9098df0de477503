/** The book of sessions: opaque tokens stored as hashes, looked up fast, ended at once. */
import { createHash, randomBytes } from "node:crypto";
import type { Account } from "#contract/kernel/id.ts";
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import type { Caller } from "./handler.ts";

/** Who may use the demo members: nobody, whoever sits at this machine, or visitors who share them. */
export type DemoAccess = "off" | "private" | "shared";

/** A session ends this long after it was last used. */
export const SESSION_MS = 30 * DAY_MS;
/** The end moves no more often than this: a write a day, not a write a call. */
const SLIDE_MS = DAY_MS;
/** How long a looked-up session is believed before the database is asked again. */
const BELIEVE_MS = 5 * SECOND_MS;
const KEPT_IN_MEMORY = 20_000;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

export interface OpenedSession {
  token: string;
  expiresAt: number;
}

export interface SessionStore {
  /** Open a session for a member. The token leaves this house once and is kept nowhere in it. */
  open(memberId: number, address: string): Promise<OpenedSession>;
  /** Who a token and an account stand for, or null when the session is dead, unknown, or someone else's. */
  find(token: string, account: string): Promise<Caller | null>;
  /** Whether a caller's session still lives. */
  alive(caller: Caller): Promise<boolean>;
  /** When a caller's session ends, in epoch milliseconds, if it is not used again. */
  expiresAt(caller: Caller): Promise<number>;
  /** End a session, at once for this process. */
  revoke(sessionHash: string): Promise<void>;
  /** Told the hash of every session ended here. Returns how to stop listening. */
  onEnd(listener: (sessionHash: string) => void): () => void;
}

interface Known {
  caller: Caller;
  expiresAt: number;
  readAt: number;
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Forget the oldest entries of a map or set beyond what is kept. */
function trim(kept: Map<string, unknown> | Set<string>): void {
  for (const key of kept.keys()) {
    if (kept.size <= KEPT_IN_MEMORY) return;
    kept.delete(key);
  }
}

async function readSession(database: Database, hash: string, now: number, demo: DemoAccess): Promise<Known | null> {
  const row = await database.kysely
    .selectFrom("session")
    .innerJoin("member", "member.id", "session.member_id")
    .select(["member.id", "member.account", "member.demo", "session.expires_at"])
    .where("session.hash", "=", hash)
    .where("session.revoked_at", "is", null)
    .where("session.expires_at", ">", now)
    .where("member.state", "=", "active")
    .executeTakeFirst();
  if (!row || (row.demo && demo === "off")) return null;
  const shared = row.demo && demo === "shared";
  const caller: Caller = { memberId: row.id, account: row.account as Account, sessionHash: hash, ...(shared ? { shared } : {}) };
  return { caller, expiresAt: row.expires_at, readAt: now };
}

/** Open the book. `now` is its clock. */
export function openSessions(database: Database, now: () => number = Date.now, demo: DemoAccess = "private"): SessionStore {
  const { kysely } = database;
  const known = new Map<string, Known>();
  /** Ended here: a look-up that was on its way meanwhile must not bring one back. */
  const ended = new Set<string>();
  const listeners = new Set<(sessionHash: string) => void>();

  const slide = async (session: Known): Promise<void> => {
    const expiresAt = now() + SESSION_MS;
    if (expiresAt - session.expiresAt < SLIDE_MS) return;
    session.expiresAt = expiresAt;
    await kysely.updateTable("session").set({ expires_at: expiresAt }).where("hash", "=", session.caller.sessionHash).execute();
  };

  const look = async (hash: string): Promise<Known | null> => {
    const before = known.get(hash);
    const at = now();
    if (before && at - before.readAt < BELIEVE_MS && before.expiresAt > at) return before;
    const session = await readSession(database, hash, at, demo);
    if (!session || ended.has(hash)) {
      known.delete(hash);
      return null;
    }
    await slide(session);
    if (ended.has(hash)) return null;
    known.set(hash, session);
    trim(known);
    return session;
  };

  return {
    async open(memberId, address) {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const at = now();
      const expiresAt = at + SESSION_MS;
      await kysely.deleteFrom("session").where("member_id", "=", memberId).where("expires_at", "<", at).execute();
      await kysely
        .insertInto("session")
        .values({ hash: hashOf(token), member_id: memberId, address, created_at: at, expires_at: expiresAt, revoked_at: null })
        .execute();
      return { token, expiresAt };
    },
    async find(token, account) {
      if (!TOKEN.test(token)) return null;
      const session = await look(hashOf(token));
      return session?.caller.account === account ? session.caller : null;
    },
    alive: async (caller) => (await look(caller.sessionHash)) !== null,
    expiresAt: async (caller) => (await look(caller.sessionHash))?.expiresAt ?? now(),
    async revoke(sessionHash) {
      ended.add(sessionHash);
      trim(ended);
      known.delete(sessionHash);
      await kysely.updateTable("session").set({ revoked_at: now() }).where("hash", "=", sessionHash).execute();
      for (const listener of listeners) listener(sessionHash);
    },
    onEnd(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
