/** Push subscriptions as rows: one per session, bounded per member, and used only while the session they belong to is alive. */
import { MAX_PUSH_SUBSCRIPTIONS } from "#contract/push-subscription.ts";
import type { PushLanguage } from "#contract/push-subscription.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { Subscription } from "./delivery.ts";

/** A subscription with the language of its notifications. */
export interface WordedSubscription extends Subscription {
  language: PushLanguage;
}

/** Whose subscription it is. */
export interface Owner {
  memberId: number;
  sessionHash: string;
}

export interface SubscriptionStore {
  /** Stores a subscription; an earlier one of the browser or the session is replaced, and above the limit the oldest end. */
  put(owner: Owner, subscription: WordedSubscription): Promise<void>;
  /** Ends a member's subscription. */
  remove(memberId: number, endpoint: string): Promise<void>;
  /** Ends the subscriptions of a session. */
  removeSession(sessionHash: string): Promise<void>;
  /** Ends a subscription that its push service no longer knows. */
  forget(endpoint: string): Promise<void>;
  /** The member's subscriptions whose session is alive. */
  of(memberId: number): Promise<WordedSubscription[]>;
  /** Tells, without a query, whether a member may have any. */
  mayHave(memberId: number): boolean;
}

const PUT = `
INSERT INTO push_subscription (endpoint, member_id, session_hash, p256dh, auth, language, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (endpoint) DO UPDATE SET member_id = excluded.member_id, session_hash = excluded.session_hash, p256dh = excluded.p256dh,
  auth = excluded.auth, language = excluded.language, created_at = excluded.created_at`;

/** A session is one browser, so that what it had before is outdated. */
const REPLACE = `DELETE FROM push_subscription WHERE session_hash = $1 AND endpoint <> $2`;

const TRIM = `
DELETE FROM push_subscription WHERE endpoint IN (
  SELECT endpoint FROM push_subscription WHERE member_id = $1 ORDER BY created_at DESC, endpoint OFFSET $2
)`;

const ALIVE = `
SELECT endpoint, p256dh, auth, language FROM push_subscription
JOIN session ON session.hash = session_hash JOIN member ON member.id = push_subscription.member_id
WHERE push_subscription.member_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND NOT member.restrictions && ARRAY['loginBanned', 'banned', 'disabled']
ORDER BY push_subscription.created_at`;

/** Opens the store. `now` is its clock. */
export async function openSubscriptions(db: Database, now: () => number): Promise<SubscriptionStore> {
  const { kysely } = db;
  const rows = await query<{ member_id: number }>(kysely, "SELECT DISTINCT member_id FROM push_subscription");
  const members = new Set(rows.map((row) => row.member_id));
  let stored = 0;
  return {
    async put({ memberId, sessionHash }, { endpoint, p256dh, auth, language }) {
      await db.transaction(async (tx) => {
        await query(tx, PUT, [endpoint, memberId, sessionHash, p256dh, auth, language, now()]);
        await query(tx, REPLACE, [sessionHash, endpoint]);
        await query(tx, TRIM, [memberId, MAX_PUSH_SUBSCRIPTIONS]);
      });
      stored += 1;
      members.add(memberId);
    },
    remove: async (memberId, endpoint) =>
      void (await query(kysely, "DELETE FROM push_subscription WHERE member_id = $1 AND endpoint = $2", [memberId, endpoint])),
    removeSession: async (sessionHash) =>
      void (await query(kysely, "DELETE FROM push_subscription WHERE session_hash = $1", [sessionHash])),
    forget: async (endpoint) => void (await query(kysely, "DELETE FROM push_subscription WHERE endpoint = $1", [endpoint])),
    async of(memberId) {
      const before = stored;
      const found = await query<WordedSubscription>(kysely, ALIVE, [memberId, now()]);
      // One stored meanwhile may be missing from what was read.
      if (found.length === 0 && stored === before) members.delete(memberId);
      return found;
    },
    mayHave: (memberId) => members.has(memberId),
  };
}
