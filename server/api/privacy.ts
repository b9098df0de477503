/** Handlers of a member's own data: what keeps the account open, the export, and closing the account. */
import { DAY_MS, SECOND_MS, epochMs } from "#contract/kernel/time.ts";
import { EXPORTS_A_DAY } from "#contract/privacy.ts";
import { closeAccount, readClosing } from "#server/accounts/closing.ts";
import { exportData } from "#server/accounts/data-export.ts";
import type { PhotoStore } from "#server/accounts/photo-store.ts";
import type { AlertRegistry } from "#server/alerts/alert-registry.ts";
import { countOrRefuse, limitInProcess } from "#server/kernel/limiter.ts";
import type { OpenLimiter } from "#server/kernel/limiter.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { Handlers } from "./handler.ts";
import type { PasswordCheck } from "./session/password-check.ts";
import type { SessionStore } from "./session-store.ts";

export interface PrivacyDeps {
  db: Database;
  photos: PhotoStore;
  alerts: AlertRegistry;
  sessions: Pick<SessionStore, "expel">;
  passwords: PasswordCheck;
  openLimiter?: OpenLimiter | undefined;
  venue: Venue;
  sequencer: { rules: Pick<RuleSet, "of"> };
  security?: NoteSecurity;
  /** Epoch milliseconds. */
  now: () => number;
}

export function privacyHandlers(deps: PrivacyDeps): Pick<Handlers, "readClosing" | "exportData" | "closeAccount"> {
  const { db, photos, alerts, sessions, passwords, openLimiter = limitInProcess, security = () => undefined, now } = deps;
  const measure = { venue: deps.venue, rules: deps.sequencer.rules };
  const exports = openLimiter("exports", { points: EXPORTS_A_DAY, seconds: DAY_MS / SECOND_MS });
  return {
    readClosing: ({ caller }) => readClosing(db.kysely, caller.memberId, measure),
    async exportData({ caller: { memberId, account, shared }, address }, { current }) {
      // Visitors share the demo member: its sessions and messages are theirs too.
      if (shared) throw new Refusal("ACC_SHARED");
      await passwords.check(memberId, current);
      await countOrRefuse(exports, memberId);
      security("dataExported", { memberId, address });
      const archive = await exportData(db.kysely, photos, memberId, account);
      return { name: `${account}.zip`, base64: archive.toString("base64") };
    },
    async closeAccount({ caller: { memberId, shared }, address }, { current, givesUp }) {
      if (shared) throw new Refusal("ACC_SHARED");
      await passwords.check(memberId, current);
      const until = await closeAccount({ ...measure, db, alerts, endSessions: sessions.expel, now }, { memberId, givesUp });
      security("accountClosed", { memberId, address });
      return { identityUntil: epochMs(until.identityUntil), ordersUntil: epochMs(until.ordersUntil) };
    },
  };
}
