/** Handlers of a signed-in member's secrets: the sign-in password and the fund password. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { epochMs, HOUR_MS } from "#contract/kernel/time.ts";
import { checkFundPassword } from "#server/accounts/fund-password.ts";
import type { OneTimeCodes } from "#server/accounts/one-time-code.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { hashSecret, verifySecret } from "#server/kernel/secret-hash.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import type { Handlers } from "./handler.ts";
import type { SessionStore } from "./session-store.ts";

export interface PasswordDeps {
  db: Database;
  sessions: SessionStore;
  sequencer: { rules: Pick<RuleSet, "of"> };
  codes: OneTimeCodes;
  security?: NoteSecurity;
  /** Epoch milliseconds. */
  now: () => number;
}

type Names = "changePassword" | "setFundPassword" | "changeFundPassword" | "requestFundCode" | "resetFundPassword";

/** Wrong sign-in passwords of one member in fifteen minutes: a stolen session must not serve to guess it. */
const WRONG = { points: 5, duration: 900 };
/** Codes typed by one member in fifteen minutes: they are also compared with codes for something else. */
const CODES = { points: 10, duration: 900 };

/** @throws Refusal `GEN_TOO_FREQUENT` */
async function count(limiter: RateLimiterMemory, memberId: number): Promise<void> {
  await limiter.consume(memberId).catch((error: unknown) => {
    throw error instanceof RateLimiterRes ? new Refusal("GEN_TOO_FREQUENT") : error;
  });
}

/** Stores a fund password. `changedAt` null when it holds no withdrawal back. */
async function writeFundPassword({ kysely }: Database, memberId: number, fundPassword: string, changedAt: number | null): Promise<void> {
  const secret = { fund_password_hash: await hashSecret(fundPassword), fund_password_changed_at: changedAt };
  await kysely
    .updateTable("member")
    .set({ ...secret, fund_password_tries: 0, fund_password_locked_until: null })
    .where("id", "=", memberId)
    .execute();
}

export function passwordHandlers(deps: PasswordDeps): Pick<Handlers, Names> {
  const { db, sessions, sequencer, codes, security = () => undefined, now } = deps;
  const { rules } = sequencer;
  const guesses = new RateLimiterMemory(WRONG);
  const codeGuesses = new RateLimiterMemory(CODES);
  const readMember = (memberId: number) => db.kysely.selectFrom("member").selectAll().where("id", "=", memberId).executeTakeFirstOrThrow();

  /** Checks the sign-in password. Counted before it is verified. @throws Refusal `GEN_TOO_FREQUENT`, `PWD_ORIGINAL_WRONG` */
  const checkCurrent = async (memberId: number, typed: string) => {
    const member = await readMember(memberId);
    await count(guesses, memberId);
    if (!(await verifySecret(member.password_hash, typed))) throw new Refusal("PWD_ORIGINAL_WRONG", {}, "current");
    await guesses.delete(memberId);
    return member;
  };
  const storeFundPassword = (memberId: number, fundPassword: string, changedAt: number | null) =>
    writeFundPassword(db, memberId, fundPassword, changedAt);
  return {
    async changePassword({ caller: { memberId, sessionHash, shared }, address }, body) {
      // Visitors share the demo member: none of them may lock the others out.
      if (shared) throw new Refusal("ACC_SHARED");
      await checkCurrent(memberId, body.current);
      await db.kysely
        .updateTable("member")
        .set({ password_hash: await hashSecret(body.password), password_changed_at: now() })
        .where("id", "=", memberId)
        .execute();
      const sessionsEnded = await sessions.revokeAll(memberId, sessionHash);
      security("passwordChanged", { memberId, address });
      return { sessionsEnded };
    },
    async setFundPassword({ caller: { memberId, shared }, address }, body) {
      if (shared) throw new Refusal("ACC_SHARED");
      const member = await checkCurrent(memberId, body.current);
      if (member.fund_password_hash !== null) throw new Refusal("PWD_FUND_EXISTS");
      // In a new account there is nothing to take over: its first fund password holds no withdrawal back.
      const isNew = now() - member.created_at < rules.of(memberId).account.slowHours * HOUR_MS;
      await storeFundPassword(memberId, body.fundPassword, isNew ? null : now());
      security("fundPasswordChanged", { memberId, address, reason: "set" });
      return null;
    },
    async changeFundPassword({ caller: { memberId, shared }, address }, body) {
      if (shared) throw new Refusal("ACC_SHARED");
      await checkFundPassword(db, memberId, body.current, { rules, now }, "current");
      await storeFundPassword(memberId, body.fundPassword, now());
      security("fundPasswordChanged", { memberId, address, reason: "change" });
      return null;
    },
    async requestFundCode({ caller: { memberId } }) {
      const { mobile, fund_password_hash: set } = await readMember(memberId);
      if (set === null) throw new Refusal("PWD_FUND_NOT_SET");
      // Members from before mobile numbers were kept have nowhere to send it.
      if (mobile === null) throw new Refusal("ACC_CODE_UNSENDABLE");
      const sent = await codes.send({ memberId, mobile }, "resetFundPassword", String(memberId));
      return { ...sent, expiresAt: epochMs(sent.expiresAt) };
    },
    async resetFundPassword({ caller: { memberId, shared }, address }, body) {
      if (shared) throw new Refusal("ACC_SHARED");
      const { fund_password_hash: set } = await readMember(memberId);
      if (set === null) throw new Refusal("PWD_FUND_NOT_SET");
      await count(codeGuesses, memberId);
      if (await codes.isForAnother(memberId, "resetFundPassword", body.oneTimeCode))
        throw new Refusal("PWD_SECRET_MISMATCH", {}, "oneTimeCode");
      await codes.take(memberId, "resetFundPassword", body.oneTimeCode);
      await storeFundPassword(memberId, body.fundPassword, now());
      security("fundPasswordChanged", { memberId, address, reason: "reset" });
      return null;
    },
  };
}
