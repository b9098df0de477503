/** Handlers of a signed-in member's secrets: the sign-in, the fund and the channel password. */
import { epochMs, HOUR_MS } from "#contract/kernel/time.ts";
import { writeChannelPassword } from "#server/accounts/channel-password.ts";
import { checkFundPassword } from "#server/accounts/fund-password.ts";
import { noteChange } from "#server/accounts/security-notice.ts";
import type { OneTimeCodes } from "#server/accounts/one-time-code.ts";
import { countOrRefuse, limitInProcess } from "#server/kernel/limiter.ts";
import type { OpenLimiter } from "#server/kernel/limiter.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { hashSecret } from "#server/kernel/secret-hash.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import type { Handlers } from "./handler.ts";
import { openDevices } from "./session/known-device.ts";
import type { PasswordCheck } from "./session/password-check.ts";
import type { SessionStore } from "./session-store.ts";

export interface PasswordDeps {
  db: Database;
  sessions: SessionStore;
  sequencer: { rules: Pick<RuleSet, "of"> };
  codes: OneTimeCodes;
  passwords: PasswordCheck;
  openLimiter?: OpenLimiter | undefined;
  security?: NoteSecurity;
  /** Epoch milliseconds. */
  now: () => number;
}

type Names = "changePassword" | "setChannelPassword" | "setFundPassword" | "changeFundPassword" | "requestFundCode" | "resetFundPassword";

/** Codes typed by one member in fifteen minutes: they are also compared with codes for something else. */
const CODES = { points: 10, seconds: 900 };

interface NewFundPassword {
  memberId: number;
  fundPassword: string;
  at: number;
  /** A change holds withdrawals back, the first one of a new account does not. */
  slows: boolean;
  about: "fundPasswordSet" | "fundPasswordChanged";
}

/** Stores a fund password. */
async function writeFundPassword(db: Database, { memberId, fundPassword, at, slows, about }: NewFundPassword): Promise<void> {
  const secret = { fund_password_hash: await hashSecret(fundPassword), fund_password_changed_at: slows ? at : null };
  await db.transaction(async (tx) => {
    await tx
      .updateTable("member")
      .set({ ...secret, fund_password_tries: 0, fund_password_locked_until: null })
      .where("id", "=", memberId)
      .execute();
    await noteChange(tx, memberId, at, about);
  });
}

function channelPasswordHandler({ db, passwords, security = () => undefined, now }: PasswordDeps): Handlers["setChannelPassword"] {
  return async ({ caller: { memberId, shared }, address }, body) => {
    if (shared) throw new Refusal("ACC_SHARED");
    await passwords.check(memberId, body.current);
    await writeChannelPassword(db, memberId, body.channelPassword, now());
    security("channelPasswordChanged", { memberId, address });
    return null;
  };
}

function fundPasswordHandlers(deps: PasswordDeps): Pick<Handlers, Exclude<Names, "changePassword" | "setChannelPassword">> {
  const { db, codes, passwords, openLimiter = limitInProcess, security = () => undefined, now } = deps;
  const { rules } = deps.sequencer;
  const codeGuesses = openLimiter("typed codes", CODES);
  const readMember = (memberId: number) => db.kysely.selectFrom("member").selectAll().where("id", "=", memberId).executeTakeFirstOrThrow();
  const changeFundPassword = (memberId: number, fundPassword: string): Promise<void> =>
    writeFundPassword(db, { memberId, fundPassword, at: now(), slows: true, about: "fundPasswordChanged" });
  return {
    async setFundPassword({ caller: { memberId, shared }, address }, body) {
      if (shared) throw new Refusal("ACC_SHARED");
      const member = await passwords.check(memberId, body.current);
      if (member.fund_password_hash !== null) throw new Refusal("PWD_FUND_EXISTS");
      // In a new account there is nothing to take over: its first fund password holds no withdrawal back.
      const isNew = now() - member.created_at < rules.of(memberId).account.slowHours * HOUR_MS;
      await writeFundPassword(db, { memberId, fundPassword: body.fundPassword, at: now(), slows: !isNew, about: "fundPasswordSet" });
      security("fundPasswordChanged", { memberId, address, reason: "set" });
      return null;
    },
    async changeFundPassword({ caller: { memberId, shared }, address }, body) {
      if (shared) throw new Refusal("ACC_SHARED");
      await checkFundPassword(db, memberId, body.current, { rules, now }, "current");
      await changeFundPassword(memberId, body.fundPassword);
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
      await countOrRefuse(codeGuesses, memberId);
      if (await codes.isForAnother(memberId, "resetFundPassword", body.oneTimeCode))
        throw new Refusal("PWD_SECRET_MISMATCH", {}, "oneTimeCode");
      await codes.take(memberId, "resetFundPassword", body.oneTimeCode);
      await changeFundPassword(memberId, body.fundPassword);
      security("fundPasswordChanged", { memberId, address, reason: "reset" });
      return null;
    },
  };
}

export function passwordHandlers(deps: PasswordDeps): Pick<Handlers, Names> {
  const { db, sessions, passwords, security = () => undefined, now } = deps;
  const devices = openDevices(db);
  return {
    async changePassword({ caller: { memberId, sessionHash, shared }, address, device }, body) {
      // Visitors share the demo member: none of them may lock the others out.
      if (shared) throw new Refusal("ACC_SHARED");
      const before = await passwords.check(memberId, body.current);
      const passwordHash = await hashSecret(body.password);
      const sessionsEnded = await sessions.revokeAll(memberId, sessionHash, async (tx) => {
        const changed = await tx
          .updateTable("member")
          .set({ password_hash: passwordHash, password_changed_at: now() })
          .where("id", "=", memberId)
          .where("password_hash", "=", before.password_hash)
          .returning("id")
          .executeTakeFirst();
        // Another change came first: the old password is no longer right.
        if (!changed) throw new Refusal("PWD_ORIGINAL_WRONG", {}, "current");
        await noteChange(tx, memberId, now(), "passwordChanged");
      });
      // A new password makes every device unknown; this one stays known.
      device?.write(await devices.issue({ id: memberId, password_hash: passwordHash }));
      security("passwordChanged", { memberId, address });
      return { sessionsEnded };
    },
    setChannelPassword: channelPasswordHandler(deps),
    ...fundPasswordHandlers(deps),
  };
}
