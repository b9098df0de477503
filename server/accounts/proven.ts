/** Proves by the fund password that a payment is the member's own will. */
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { checkFundPassword } from "./fund-password.ts";
import type { FactSources } from "./member-facts.ts";

/**
 * Checks a typed fund password before a command is queued. @returns false where none is set: the command's decision then refuses, with the
 * first thing that is missing.
 * @throws Refusal `PWD_FUND_WRONG`, `PWD_FUND_LOCKED`
 */
export async function isProven(db: Database, memberId: number, typed: string, sources: FactSources): Promise<boolean> {
  try {
    await checkFundPassword(db, memberId, typed, sources);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "PWD_FUND_NOT_SET") return false;
    throw error;
  }
}
