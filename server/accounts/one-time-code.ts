/** One-time codes: six digits, five minutes, three tries, stored as hashes, one live code per member and purpose. */
import { randomInt } from "node:crypto";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { countOrRefuse, limitInProcess } from "#server/kernel/limiter.ts";
import type { OpenLimiter } from "#server/kernel/limiter.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { hashSecret, verifySecret } from "#server/kernel/secret-hash.ts";
import type { CodePurpose, CodeSender } from "./code-sender.ts";

const LIFE_MS = 5 * MINUTE_MS;
const TRIES = 3;
/** Codes that one number or member may ask for in ten minutes. */
const ASKED = { points: 5, seconds: 600 };
/** The same in a day: with three tries a code, guessing goes on for years. */
const ASKED_IN_A_DAY = { points: 20, seconds: DAY_MS / SECOND_MS };

export interface SentOneTimeCode {
  expiresAt: number;
  /** The code, where the server shows it instead of sending it. */
  sandboxCode: string | null;
}

export interface OneTimeCodes {
  /**
   * Sends a code. Without a member nothing is sent, but the answer looks the same. `subject` is what was asked for, for the rate limit.
   * @throws Refusal `GEN_TOO_FREQUENT`, `ACC_CODE_UNSENDABLE`
   */
  send(to: { memberId: number; mobile: string } | null, purpose: CodePurpose, subject: string): Promise<SentOneTimeCode>;
  /** Takes a typed code, once. @throws Refusal `ACC_CODE_WRONG` when it is wrong, used, expired or was tried too often */
  take(memberId: number, purpose: CodePurpose, typed: string): Promise<void>;
  /** Tells whether a typed code is the member's live code for something else. */
  isForAnother(memberId: number, purpose: CodePurpose, typed: string): Promise<boolean>;
}

const STORE = `
INSERT INTO one_time_code (member_id, purpose, code_hash, expires_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (member_id, purpose) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0`;

/** Counts the try before it is verified, so that parallel ones cannot bypass the limit. */
const TRY = `
UPDATE one_time_code SET tries = tries + 1 WHERE member_id = $1 AND purpose = $2 AND expires_at > $3 AND tries < $4 RETURNING code_hash`;

/** Takes back a try that was counted and then not verified. */
const GIVE_BACK = "UPDATE one_time_code SET tries = tries - 1 WHERE member_id = $1 AND purpose = $2 AND code_hash = $3 AND tries > 0";

const newCode = (): string => String(randomInt(10 ** 6)).padStart(6, "0");
const wrong = (): Refusal => new Refusal("ACC_CODE_WRONG", {}, "oneTimeCode");

/** Opens the codes of a database. `now` is their clock; `report` gets what keeps a mail from being sent, `open` opens what counts them. */
export function openCodes(
  db: Database,
  sender: CodeSender,
  now: () => number,
  report: (error: unknown) => void = () => undefined,
  open: OpenLimiter = limitInProcess,
): OneTimeCodes {
  const limits = [open("codes", ASKED), open("codes of a day", ASKED_IN_A_DAY)];
  return {
    async send(to, purpose, subject) {
      if (sender.kind === "none") throw new Refusal("ACC_CODE_UNSENDABLE");
      for (const limit of limits) await countOrRefuse(limit, `${purpose} ${subject}`);
      const code = newCode();
      const expiresAt = now() + LIFE_MS;
      const codeHash = await hashSecret(code);
      if (to) {
        await query(db.kysely, STORE, [to.memberId, purpose, codeHash, expiresAt]);
        // Not waited for: how long it takes, or that it fails, would tell that there is such a member.
        if (sender.kind === "mail") void sender.send(to.mobile, code, purpose).catch(report);
      }
      return { expiresAt, sandboxCode: sender.kind === "sandbox" ? code : null };
    },
    async take(memberId, purpose, typed) {
      const [row] = await query<{ code_hash: string }>(db.kysely, TRY, [memberId, purpose, now(), TRIES]);
      if (!row) throw wrong();
      const isRight = await verifySecret(row.code_hash, typed).catch(async (error: unknown) => {
        await query(db.kysely, GIVE_BACK, [memberId, purpose, row.code_hash]);
        throw error;
      });
      if (!isRight) throw wrong();
      const used = await query(
        db.kysely,
        "DELETE FROM one_time_code WHERE member_id = $1 AND purpose = $2 AND code_hash = $3 RETURNING member_id",
        [memberId, purpose, row.code_hash],
      );
      if (used.length === 0) throw wrong();
    },
    async isForAnother(memberId, purpose, typed) {
      const rows = await query<{ code_hash: string }>(
        db.kysely,
        "SELECT code_hash FROM one_time_code WHERE member_id = $1 AND purpose <> $2 AND expires_at > $3",
        [memberId, purpose, now()],
      );
      for (const row of rows) if (await verifySecret(row.code_hash, typed)) return true;
      return false;
    },
  };
}
