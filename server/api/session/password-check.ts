/** Asks a signed-in member for the sign-in password again; a stolen session must not serve to guess it. */
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { countOrRefuse, limitInProcess } from "#server/kernel/limiter.ts";
import type { OpenLimiter } from "#server/kernel/limiter.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { verifySecret } from "#server/kernel/secret-hash.ts";

/** Wrong sign-in passwords of one member in fifteen minutes. */
const WRONG = { points: 5, seconds: (15 * MINUTE_MS) / SECOND_MS };

const readMember = ({ kysely }: Database, memberId: number) =>
  kysely.selectFrom("member").selectAll().where("id", "=", memberId).executeTakeFirstOrThrow();

export interface PasswordCheck {
  /** @returns the member. @throws Refusal `GEN_TOO_FREQUENT`, `PWD_ORIGINAL_WRONG` at the field `current` */
  check(memberId: number, typed: string): ReturnType<typeof readMember>;
}

/** One for all handlers, so that their guesses count together. `open` opens its limiter. */
export function openPasswordCheck(db: Database, open: OpenLimiter = limitInProcess): PasswordCheck {
  const guesses = open("password", WRONG);
  return {
    async check(memberId, typed) {
      const member = await readMember(db, memberId);
      // Counted before it is verified, so that parallel guesses cannot bypass the limit.
      await countOrRefuse(guesses, memberId);
      if (!(await verifySecret(member.password_hash, typed))) throw new Refusal("PWD_ORIGINAL_WRONG", {}, "current");
      await guesses.delete(memberId);
      return member;
    },
  };
}
