/** Reads the facts that decide what a member may do, for `missingFor` of the contract. */
import { isMinor } from "#contract/birth-date.ts";
import type { MemberFacts, Restriction } from "#contract/eligibility.ts";
import type { IdentityStatus } from "#contract/identity.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs, HOUR_MS, taipeiDay } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import { readSigned } from "./agreements.ts";

interface Row {
  identity: IdentityStatus;
  restrictions: Restriction[];
  fund_password: boolean;
  credit_cents: number;
  password_changed_at: number | null;
  fund_password_changed_at: number | null;
  device_changed_at: number | null;
  birth_date: string | null;
  cards: number;
  card_added_at: number | null;
  address_added_at: number | null;
}

const READ = `
SELECT identity, restrictions, fund_password_hash IS NOT NULL AS fund_password, credit_cents,
  password_changed_at, fund_password_changed_at, device_changed_at, birth_date,
  (SELECT count(*)::integer FROM bank_card WHERE member_id = $1 AND removed_at IS NULL) AS cards,
  (SELECT max(added_at) FROM bank_card WHERE member_id = $1) AS card_added_at,
  (SELECT max(added_at) FROM wallet_address WHERE member_id = $1) AS address_added_at
FROM member JOIN trader ON trader.member_id = id WHERE id = $1`;

/** What `readMemberFacts` needs to know besides the database. */
export interface FactSources {
  rules: Pick<RuleSet, "of">;
  /** Current time in epoch milliseconds. */
  now: () => number;
}

/**
 * The facts of a member, consistent with the transaction they are read in. Further requirements read their facts here.
 * @throws Refusal `ACC_NOT_FOUND_OR_DISABLED` when there is no such member
 */
export async function readMemberFacts(tx: Reader, memberId: number, { rules, now }: FactSources): Promise<MemberFacts> {
  const [row] = await query<Row>(tx, READ, [memberId]);
  if (!row) throw new Refusal("ACC_NOT_FOUND_OR_DISABLED");
  const { debt } = await readBalances(tx, memberId);
  const { slowHours, adultYears } = rules.of(memberId).account;
  const { password_changed_at, fund_password_changed_at, device_changed_at, card_added_at, address_added_at } = row;
  const changes = [password_changed_at, fund_password_changed_at, device_changed_at, card_added_at, address_added_at];
  const changedAt = Math.max(0, ...changes.map(Number));
  const slowedUntil = changedAt + slowHours * HOUR_MS;
  const signed = (await readSigned(tx, memberId)).map(({ kind }) => kind);
  return {
    identity: row.identity,
    restrictions: row.restrictions,
    fundPassword: row.fund_password,
    agreements: signed,
    cards: row.cards,
    debtCents: cents(0 - debt),
    loanCents: cents(row.credit_cents),
    minor: isMinor(row.birth_date, taipeiDay(now()), adultYears),
    slowedUntil: changedAt > 0 && slowedUntil > now() ? epochMs(slowedUntil) : null,
  };
}
