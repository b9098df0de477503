/** The session desk: signing in, without ever saying what was wrong; signing out; coming back. */
import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Account } from "#contract/kernel/id.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import type { MemberState } from "#server/db/schema.ts";
import { Refusal } from "./desk.ts";
import type { Handlers } from "./desk.ts";
import type { Sessions } from "./session-book.ts";

type SessionHandlers = Pick<Handlers, "signIn" | "signOut" | "restoreSession">;

/** Wrong tries before one has to wait until the window is over; an address may house several people. */
const TRIES = { idNumber: 5, address: 20, windowSeconds: 300 };

const STATE_REFUSAL: Record<Exclude<MemberState, "active">, RefusalCode> = {
  loginBanned: "ACC_LOGIN_BANNED",
  banned: "ACC_BANNED",
  frozen: "ACC_FROZEN",
  disabled: "ACC_DISABLED",
};

/** Counts tries before they are checked, so that many at once cannot slip past; a right one gives its tries back. */
function openBrake() {
  const byIdNumber = new RateLimiterMemory({ points: TRIES.idNumber, duration: TRIES.windowSeconds });
  const byAddress = new RateLimiterMemory({ points: TRIES.address, duration: TRIES.windowSeconds });
  return {
    async press(idNumber: string, address: string): Promise<void> {
      try {
        await byAddress.consume(address);
        await byIdNumber.consume(idNumber);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw new Refusal("GEN_TOO_FREQUENT");
        throw error;
      }
    },
    async release(idNumber: string, address: string): Promise<void> {
      await byIdNumber.delete(idNumber);
      await byAddress.reward(address);
    },
  };
}

/** The desk's handlers. */
export function sessionDesk({ db, sessions }: { db: Database; sessions: Sessions }): SessionHandlers {
  const brake = openBrake();
  /** What an unknown ID number is checked against, so that it takes as long as a known one. */
  const nobody = hash(randomBytes(16));

  const readMember = (idNumber: string) =>
    db.kysely
      .selectFrom("member")
      .select(["id", "account", "state", "password_hash", "guarantee_hash"])
      .where("id_number", "=", idNumber)
      .executeTakeFirst();

  return {
    async signIn({ address }, { idNumber, password, guaranteeCode }) {
      await brake.press(idNumber, address);
      const member = await readMember(idNumber);
      const unknown = await nobody;
      const [passwordRight, guaranteeRight] = await Promise.all([
        verify(member?.password_hash ?? unknown, password),
        verify(member?.guarantee_hash ?? unknown, guaranteeCode),
      ]);
      if (!member || !passwordRight || !guaranteeRight) throw new Refusal("ACC_BAD_CREDENTIALS");
      await brake.release(idNumber, address);
      if (member.state !== "active") throw new Refusal(STATE_REFUSAL[member.state]);
      const session = await sessions.open(member.id, address);
      return { token: session.token, account: member.account as Account, expiresAt: epochMs(session.expiresAt) };
    },
    async signOut({ caller }) {
      await sessions.revoke(caller.sessionHash);
      return null;
    },
    restoreSession: async ({ caller }) => ({ account: caller.account, expiresAt: epochMs(await sessions.expiresAt(caller)) }),
  };
}
