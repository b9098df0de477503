/** Closes accounts: checks that nothing is open, ends the sessions, and erases at once, after five and after ten years. */
import type { Closing, Unfinished } from "#contract/privacy.ts";
import { KEPT_YEARS, UNFINISHED } from "#contract/privacy.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { cents } from "#contract/kernel/money.ts";
import { HOUR_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader, Tx } from "#server/db/database.ts";
import { lockMember } from "#server/db/member-lock.ts";
import { every } from "#server/kernel/every.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import type { Venue } from "#server/venue/venue.ts";
import { giveUp, readLeft, remainderOf } from "./remainder.ts";
import type { Left } from "./remainder.ts";
import { OWN_TABLES } from "./own-data.ts";
import type { Kept } from "./own-data.ts";

export interface ClosingDeps {
  db: Database;
  /** The alerts in memory. */
  alerts: { remove: (memberId: number, id: string) => void };
  /** Ends the member's sessions in memory, on open sockets and in the database. */
  endSessions?: ((memberId: number) => Promise<void>) | undefined;
  /** Epoch milliseconds. */
  now: () => number;
  report?: ((error: unknown) => void) | undefined;
}

/** Each counts what is open of one kind. */
const OPEN: Record<Exclude<Unfinished, "money">, string> = {
  positions: `"order" WHERE member_id = $1 AND status IN ('holding', 'readyToClose')`,
  orders: `"order" WHERE member_id = $1 AND status = 'pending'`,
  settlements: `(SELECT member_id, settled_at FROM settlement UNION ALL SELECT member_id, settled_at FROM entitlement) AS due
    WHERE member_id = $1 AND settled_at IS NULL`,
  blocks: "block_order WHERE member_id = $1 AND status IN ('pending', 'review')",
  bids: `bid WHERE member_id = $1 AND (status IN ('placed', 'won') OR (status = 'paid' AND order_no IS NULL)
    OR (refund_cents > 0 AND refunded_at IS NULL))`,
  deposits: "deposit WHERE member_id = $1 AND status IN ('pending', 'processing')",
  withdrawals: "withdrawal WHERE member_id = $1 AND status IN ('requested', 'underReview', 'processing')",
  loans: "loan WHERE member_id = $1 AND status IN ('offered', 'signed', 'drawn', 'overdue')",
  lendings: "lending WHERE member_id = $1 AND status IN ('offered', 'inProgress', 'recalled')",
  futures: "futures_position WHERE member_id = $1 AND status IN ('open', 'called')",
  options: "option_position WHERE member_id = $1 AND status IN ('open', 'called')",
  copies: "copy WHERE member_id = $1 AND status <> 'stopped'",
  strategies: "strategy_run WHERE member_id = $1 AND status <> 'stopped'",
  rebates: `rebate WHERE agent_id = $1 AND rebate_cents > 0
    AND NOT EXISTS (SELECT FROM rebate_payment AS paid WHERE paid.agent_id = rebate.agent_id AND paid.month = rebate.month)`,
  identity: "identity_submission WHERE member_id = $1 AND decided_at IS NULL",
  applications: "application WHERE member_id = $1 AND status IN ('pendingReview', 'waiting', 'processing')",
  restrictions: "member WHERE id = $1 AND restrictions <> '{}'",
};
const COUNTS = `SELECT ${Object.entries(OPEN)
  .map(([what, rows]) => `(SELECT count(*)::integer FROM ${rows}) AS "${what}"`)
  .join(", ")}`;
/** What a remainder is measured by. */
export interface Measure {
  venue: Venue;
  rules: Pick<RuleSet, "of">;
}

/** Money by currency. */
function sumUp(left: readonly Left[]): Closing["money"] {
  const sums = new Map<Currency, number>();
  for (const { currency, amountCents } of left) sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  return [...sums].map(([currency, sum]) => ({ currency, amountCents: cents(sum) }));
}

/** What keeps an account from being closed. */
export async function readClosing(on: Reader, memberId: number, { venue, rules }: Measure): Promise<Closing> {
  const [counts] = await query<Partial<Record<Unfinished, number>>>(on, COUNTS, [memberId]);
  const left = await readLeft(on, memberId);
  const remainderCents = remainderOf(left, venue, rules.of(memberId).funding.withdrawMinimumCents);
  const money = sumUp(left);
  const blocking = remainderCents === null ? money.length : 0;
  const count = (what: Unfinished): number => (what === "money" ? blocking : (counts?.[what] ?? 0));
  return { open: UNFINISHED.map((what) => ({ what, count: count(what) })).filter((one) => one.count > 0), money, remainderCents };
}

function yearsAfter(at: number, years: number): number {
  const date = new Date(at);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}

const ARCHIVE = `
INSERT INTO closed_member (member_id, closed_at, name, id_number, mobile, birth_date, identity_until, orders_until)
SELECT id, $2, name, id_number, mobile, birth_date, $3, $4 FROM member WHERE id = $1`;
/** No secret is left that could be right, and the ID number is free for a new account. */
const BLANK = `
UPDATE member SET name = '', id_number = 'closed-' || id, mobile = NULL, birth_date = NULL, password_hash = '', guarantee_hash = '',
  fund_password_hash = NULL, fund_password_tries = 0, fund_password_locked_until = NULL, fund_password_changed_at = NULL,
  password_changed_at = NULL, device_changed_at = NULL, channel_password_hash = NULL, signed_in_at = NULL, invitation_code = NULL, identity = 'unverified', restrictions = ARRAY['disabled']
WHERE id = $1`;

/** How a member closes the account. */
export interface ClosingWish {
  memberId: number;
  /** Whether a remainder below the smallest withdrawal is given up. */
  givesUp: boolean;
}

async function close(
  tx: Tx,
  { memberId, givesUp }: ClosingWish,
  measure: Measure,
  at: number,
): Promise<{ identityUntil: number; ordersUntil: number }> {
  // Every command is decided under this lock: nothing is opened that has not seen the closing.
  await lockMember(tx, memberId);
  const { open, remainderCents } = await readClosing(tx, memberId, measure);
  if (open.length > 0 || (remainderCents !== null && !givesUp)) throw new Refusal("ACC_CLOSE_OPEN");
  if (remainderCents !== null) await giveUp(tx, memberId, await readLeft(tx, memberId), at);
  const until = { identityUntil: yearsAfter(at, KEPT_YEARS.identity), ordersUntil: yearsAfter(at, KEPT_YEARS.orders) };
  await query(tx, ARCHIVE, [memberId, at, until.identityUntil, until.ordersUntil]);
  await query(tx, BLANK, [memberId]);
  return until;
}

/** What is left in tables whose other rows or columns stay. */
const ERASE_PARTS = [
  "UPDATE tally SET fact_n = 0 WHERE member_id = $1",
  `UPDATE trader SET warning_percent = NULL, max_order_cents = NULL, daily_loss_cents = NULL, slide_above_cents = NULL, locked_until = NULL,
    easing = NULL WHERE member_id = $1`,
  `UPDATE savings_plan SET status = 'ended', next_at = NULL, next_month = NULL, ended_at = (extract(epoch FROM now()) * 1000)::bigint
    WHERE member_id = $1 AND status <> 'ended'`,
  "UPDATE mentor SET removed_at = (extract(epoch FROM now()) * 1000)::bigint WHERE member_id = $1 AND removed_at IS NULL",
  "DELETE FROM voucher WHERE member_id = $1 AND status <> 'used'",
];

async function eraseTables(tx: Tx, memberId: number, kept: Kept): Promise<void> {
  for (const { table, by } of OWN_TABLES) {
    const isOf = OWN_TABLES.some((one) => one.table === table && one.kept === kept);
    if (isOf && table !== "closed_member") await query(tx, `DELETE FROM "${table}" WHERE "${by}" = $1`, [memberId]);
  }
}

/** Ends the sessions, then erases what no law keeps. Done again after a crash, until it is noted as done. */
async function finish({ db, alerts, endSessions, now }: ClosingDeps, memberId: number): Promise<void> {
  await endSessions?.(memberId);
  const alertIds = await query<{ id: string }>(db.kysely, "SELECT id FROM alert WHERE member_id = $1", [memberId]);
  await db.transaction(async (tx) => {
    await lockMember(tx, memberId);
    await eraseTables(tx, memberId, "closing");
    for (const text of ERASE_PARTS) await query(tx, text, [memberId]);
    await query(tx, "UPDATE closed_member SET erased_at = $2 WHERE member_id = $1", [memberId, now()]);
  });
  for (const { id } of alertIds) alerts.remove(memberId, id);
}

/** Closes an account for good. @throws Refusal `ACC_CLOSE_OPEN` */
export async function closeAccount(
  deps: ClosingDeps & Measure,
  wish: ClosingWish,
): Promise<{ identityUntil: number; ordersUntil: number }> {
  const at = deps.now();
  const until = await deps.db.transaction((tx) => close(tx, wish, deps, at));
  await finish(deps, wish.memberId);
  return until;
}

const UNFINISHED_CLOSINGS = "SELECT member_id AS id FROM closed_member WHERE erased_at IS NULL ORDER BY member_id";
const IDENTITY_DUE =
  "SELECT member_id AS id FROM closed_member WHERE identity_erased_at IS NULL AND identity_until <= $1 ORDER BY member_id";
const ORDERS_DUE = "SELECT member_id AS id FROM closed_member WHERE orders_erased_at IS NULL AND orders_until <= $1 ORDER BY member_id";

async function eraseIdentity({ db, now }: ClosingDeps, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    await eraseTables(tx, id, "identity");
    const text = `UPDATE closed_member SET name = NULL, id_number = NULL, mobile = NULL, birth_date = NULL, identity_erased_at = $2
      WHERE member_id = $1`;
    await query(tx, text, [id, now()]);
  });
}

async function eraseAccount({ db, now }: ClosingDeps, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    await query(tx, "UPDATE member SET account = 'closed-' || id WHERE id = $1", [id]);
    await query(tx, "UPDATE closed_member SET orders_erased_at = $2 WHERE member_id = $1", [id, now()]);
  });
}

/** Finishes closings that a crash interrupted, and erases what is not kept any longer. One member that fails stops no other. */
export async function eraseDue(deps: ClosingDeps): Promise<void> {
  const { db, now, report } = deps;
  const each = async (due: string, values: readonly unknown[], erase: (deps: ClosingDeps, id: number) => Promise<void>): Promise<void> => {
    for (const { id } of await query<{ id: number }>(db.kysely, due, values))
      await erase(deps, id).catch((error: unknown) => report?.(error));
  };
  await each(UNFINISHED_CLOSINGS, [], finish);
  await each(IDENTITY_DUE, [now()], eraseIdentity);
  await each(ORDERS_DUE, [now()], eraseAccount);
}

/** Erases what is due now and every hour. @returns a function that stops it */
export async function startErasure(deps: ClosingDeps): Promise<() => void> {
  await eraseDue(deps).catch((error: unknown) => deps.report?.(error));
  return every(HOUR_MS, () => eraseDue(deps), deps.report);
}
