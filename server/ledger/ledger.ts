/** The only code that moves money: reads balances under lock, posts movements in memory, writes them all at once. */
import type { CashEntryKind } from "#contract/cash-ledger.ts";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { defer, query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import type { Statement } from "#server/db/statement.ts";
import { BROKER_POCKETS, MEMBER_POCKETS, TRADING_BROKER_POCKETS, TRADING_POCKETS, WALLET_POCKETS, isBrokerPocket } from "./pocket.ts";
import type { MemberPocket, PocketKind } from "./pocket.ts";

/** Moves an amount in hundredths from one pocket to another of the same currency; member pockets belong to the posting's member. */
export interface Move {
  from: PocketKind;
  to: PocketKind;
  amount: number;
  /** TWD unless it is said. Pockets of other currencies are loaded by `openWallets`. */
  currency?: Currency;
}

export interface Posting {
  memberId: number;
  kind: CashEntryKind;
  orderNo: string | null;
  moves: readonly Move[];
  /**
   * For money that comes in (plus) or goes out (minus) in another currency than TWD: its value in TWD cents at the mid rate of now.
   * Counted as paid in from then on.
   */
  paidInCents?: number;
  /** The code of the future or the option that it is of. */
  series?: string;
}

/** An amount in cents that a member has to pay; the part their money does not cover becomes debt. */
export interface Payment {
  to: PocketKind;
  amount: number;
}

interface Pocket {
  id: number;
  balance: number;
  /** Balance as read from the database. */
  before: number;
}
interface PendingTx {
  member_id: number;
  kind: CashEntryKind;
  order_no: string | null;
  paid_in: number | null;
  series: string | null;
  lines: [pocketId: number, amount: number, balanceAfter: number | null][];
}

/** A pocket as it is stored. */
export interface PocketRow {
  id: number;
  member_id: number | null;
  kind: PocketKind;
  currency: Currency;
  balance: number;
}

const keyOf = (memberId: number | null, kind: PocketKind, currency: Currency): string => `${memberId ?? "broker"}:${kind}:${currency}`;

/** Insufficient money although the caller had to check first: a programming error, never a refusal. */
export class Overdrawn extends Error {}

/**
 * The pockets of some members inside one transaction: those that trading needs, and the wallets that were asked for. Postings show in
 * `balance` at once and in the database after `write`.
 */
export class Ledger {
  readonly #pockets: Map<string, Pocket>;
  #pending: PendingTx[] = [];

  constructor(rows: readonly PocketRow[]) {
    this.#pockets = new Map();
    this.#addRows(rows);
  }

  #addRows(rows: readonly PocketRow[]): void {
    for (const { member_id, kind, currency, id, balance } of rows) {
      const key = keyOf(member_id, kind, currency);
      if (!this.#pockets.has(key)) this.#pockets.set(key, { id, balance, before: balance });
    }
  }

  /** Loads more members' pockets; loaded ones stay as they are. */
  async join(tx: Tx, memberIds: readonly number[]): Promise<void> {
    this.#addRows(await readPockets(tx, memberIds));
  }

  /**
   * Loads every pocket of these members and of the broker in TWD and in these currencies, and creates those that do not exist yet. The members must
   * be locked, as for `openLedger`.
   */
  async openWallets(tx: Tx, memberIds: readonly number[], foreign: readonly Currency[]): Promise<void> {
    const currencies = [...new Set<Currency>([HOME_CURRENCY, ...foreign])];
    const read = (): Promise<PocketRow[]> => query<PocketRow>(tx, READ_WALLETS, [memberIds, currencies, BROKER_POCKETS]);
    const rows = await read();
    const known = new Set(rows.map(({ member_id, kind, currency }) => keyOf(member_id, kind, currency)));
    const wanted = currencies.flatMap((currency) => [
      ...memberIds.flatMap((memberId) => WALLET_POCKETS.map((kind) => keyOf(memberId, kind, currency))),
      ...BROKER_POCKETS.map((kind) => keyOf(null, kind, currency)),
    ]);
    if (wanted.every((key) => known.has(key))) {
      this.#addRows(rows);
      return;
    }
    await query(tx, CREATE_WALLETS, [memberIds, currencies, BROKER_POCKETS, WALLET_POCKETS]);
    this.#addRows(await read());
  }

  #pocket(memberId: number, kind: PocketKind, currency: Currency = HOME_CURRENCY): Pocket {
    const pocket = this.#pockets.get(keyOf(isBrokerPocket(kind) ? null : memberId, kind, currency));
    if (!pocket) throw new Error(`pocket ${kind} of member ${memberId} in ${currency} is not loaded`);
    return pocket;
  }

  /** Number of posted transactions not written yet. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Balance of a member's pocket in hundredths of its currency, including postings so far. */
  balance(memberId: number, kind: MemberPocket, currency: Currency = HOME_CURRENCY): Cents {
    return cents(this.#pocket(memberId, kind, currency).balance);
  }

  /** A member's debt in cents including postings so far, and the part of it incurred by them. */
  debt(memberId: number): { owed: Cents; incurred: Cents } {
    const { balance, before } = this.#pocket(memberId, "debt");
    return { owed: cents(0 - balance), incurred: cents(before - balance) };
  }

  /** Repays a member's debt from one of their pockets, at most `most` cents. @returns the amount repaid */
  repay(memberId: number, from: MemberPocket, orderNo: string | null = null, most = Number.POSITIVE_INFINITY): Cents {
    const amount = Math.min(this.debt(memberId).owed, this.balance(memberId, from), most);
    if (amount > 0) this.post({ memberId, kind: "repay", orderNo, moves: [{ from, to: "debt", amount }] });
    return cents(amount);
  }

  /**
   * Posts one ledger transaction. Zero moves are dropped; an empty transaction is not written.
   * @throws Overdrawn when a member's pocket would fall below zero, or a debt pocket rise above it
   */
  post(posting: Posting): void {
    const net = new Map<Pocket, { broker: boolean; sign: number; amount: number }>();
    const add = (kind: PocketKind, amount: number, currency?: Currency): void => {
      const pocket = this.#pocket(posting.memberId, kind, currency);
      net.set(pocket, { broker: isBrokerPocket(kind), sign: kind === "debt" ? -1 : 1, amount: (net.get(pocket)?.amount ?? 0) + amount });
    };
    for (const { from, to, amount, currency } of posting.moves) {
      if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`cannot move ${amount} cents`);
      if (amount === 0) continue;
      if ((from === "external" || to === "external") && (currency ?? HOME_CURRENCY) !== HOME_CURRENCY && posting.paidInCents === undefined)
        throw new Error(`${posting.kind} in ${currency} without its value in ${HOME_CURRENCY}`);
      add(from, -amount, currency);
      add(to, amount, currency);
    }
    const lines: PendingTx["lines"] = [];
    for (const [pocket, { broker, sign, amount }] of net) {
      if (amount === 0) continue;
      const after = cents(pocket.balance + amount);
      if (!broker && sign * after < 0)
        throw new Overdrawn(`${posting.kind} of order ${posting.orderNo ?? "-"} overdraws pocket ${pocket.id}`);
      pocket.balance = after;
      lines.push([pocket.id, amount, broker ? null : after]);
    }
    if (lines.length === 0) return;
    const { memberId, kind, orderNo, paidInCents = null, series = null } = posting;
    this.#pending.push({ member_id: memberId, kind, order_no: orderNo, paid_in: paidInCents, series, lines });
  }

  /**
   * Credits an external deposit in cents. After a member's first one, only in a batch of the sequencer: it pays the member's debts
   * when it ends, and emits the facts.
   */
  deposit(memberId: number, amount: Cents): void {
    this.post({ memberId, kind: "deposit", orderNo: null, moves: [{ from: "external", to: "available", amount }] });
  }

  /** Reserves money for an order. */
  hold(memberId: number, amount: number, orderNo: string): void {
    this.post({ memberId, kind: "hold", orderNo, moves: [{ from: "available", to: "held", amount }] });
  }

  /** Releases money reserved for an order. */
  release(memberId: number, amount: number, orderNo: string): void {
    this.post({ memberId, kind: "release", orderNo, moves: [{ from: "held", to: "available", amount }] });
  }

  /**
   * Settles an execution: the moves, then the payments from the given pockets in order; the part they do not cover becomes debt.
   * @returns the debt added, in cents
   */
  settle(posting: Posting, payments: readonly Payment[] = [], sources: readonly MemberPocket[] = ["available"]): Cents {
    const left = new Map(sources.map((source) => [source as PocketKind, this.balance(posting.memberId, source) as number]));
    for (const { from, to, amount } of posting.moves) {
      if (left.has(from)) left.set(from, (left.get(from) ?? 0) - amount);
      if (left.has(to)) left.set(to, (left.get(to) ?? 0) + amount);
    }
    let added = 0;
    const paid: Move[] = [];
    for (const { to, amount } of payments) {
      let rest = amount;
      for (const source of sources) {
        const covered = Math.min(left.get(source) ?? 0, rest);
        left.set(source, (left.get(source) ?? 0) - covered);
        rest -= covered;
        paid.push({ from: source, to, amount: covered });
      }
      added += rest;
      paid.push({ from: "debt", to, amount: rest });
    }
    this.post({ ...posting, moves: [...posting.moves, ...paid] });
    return cents(added);
  }

  /** Writes all posted transactions and their entries. Call once, at the end of the database transaction. */
  async write(tx: Tx, at: number): Promise<void> {
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    const lines = pending.flatMap((one, index) => one.lines.map((line, n) => [index + 1, n + 1, ...line] as const));
    await defer(
      tx,
      `SELECT ledger_write($1::bigint, $2::bigint[], $3::text[], $4::text[], $5::integer[], $6::integer[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::text[])`,
      [
        at,
        pending.map((one) => one.member_id),
        pending.map((one) => one.kind),
        pending.map((one) => one.order_no),
        lines.map((line) => line[0]),
        lines.map((line) => line[1]),
        lines.map((line) => line[2]),
        lines.map((line) => line[3]),
        lines.map((line) => line[4]),
        pending.some((one) => one.paid_in !== null) ? pending.map((one) => one.paid_in) : null,
        pending.some((one) => one.series !== null) ? pending.map((one) => one.series) : null,
      ],
    );
  }
}

const READ_WALLETS = `SELECT id, member_id, kind, currency, balance FROM pocket WHERE member_id = ANY ($1::bigint[]) AND currency = ANY ($2::text[])
  UNION ALL SELECT id, NULL, kind, currency, balance FROM pocket
  WHERE member_id IS NULL AND kind = ANY ($3::text[]) AND currency = ANY ($2::text[])`;

const CREATE_WALLETS = `INSERT INTO pocket (member_id, kind, currency)
  SELECT member_id, kind, currency FROM unnest($1::bigint[]) AS member_id, unnest($4::text[]) AS kind, unnest($2::text[]) AS currency
  UNION ALL SELECT NULL, kind, currency FROM unnest($3::text[]) AS kind, unnest($2::text[]) AS currency
  ON CONFLICT DO NOTHING`;

/**
 * Loads the pockets of these members and of the broker that trading needs, all in TWD. The caller must hold the members' `tally` rows
 * locked, or have inserted them in this transaction: that lock prevents concurrent writes to one member's money.
 */
export async function openLedger(tx: Tx, memberIds: readonly number[]): Promise<Ledger> {
  return new Ledger(await readPockets(tx, memberIds));
}

/**
 * Reads the pockets of members and of the broker that trading needs, all in TWD, as `takePockets` takes them: one row, because a driver spends more
 * on many small ones than the database does.
 */
export const pocketsOf = (memberIds: readonly number[]): Statement => ({
  sql: `SELECT json_agg(json_build_array(id, member_id, kind, balance)) AS pockets FROM (
    SELECT id, member_id, kind, balance FROM pocket WHERE currency = $2 AND member_id = ANY ($1::bigint[]) AND kind = ANY ($3::text[])
    UNION ALL SELECT id, NULL, kind, balance FROM pocket WHERE currency = $2 AND member_id IS NULL AND kind = ANY ($4::text[])
  ) AS wanted`,
  parameters: [memberIds, HOME_CURRENCY, TRADING_POCKETS, TRADING_BROKER_POCKETS],
});

/** The pockets in the result of `pocketsOf`. */
export function takePockets(rows: readonly unknown[]): PocketRow[] {
  const [row] = rows as readonly { pockets: [id: number, memberId: number | null, kind: PocketKind, balance: number][] }[];
  // `cents`: JSON gives a number that is too large without an error.
  return (row?.pockets ?? []).map(([id, memberId, kind, balance]) => ({
    id,
    member_id: memberId,
    kind,
    currency: HOME_CURRENCY,
    balance: cents(balance),
  }));
}

async function readPockets(tx: Tx, memberIds: readonly number[]): Promise<PocketRow[]> {
  const { sql, parameters } = pocketsOf(memberIds);
  return takePockets(await query(tx, sql, parameters));
}

/** Creates a new member's pockets in TWD with zero balances; those of other currencies follow when they are needed. */
export async function openPockets(tx: Tx, memberId: number): Promise<void> {
  await query(tx, "INSERT INTO pocket (member_id, kind, currency) SELECT $1::bigint, kind, $3 FROM unnest($2::text[]) AS kind", [
    memberId,
    MEMBER_POCKETS,
    HOME_CURRENCY,
  ]);
}

/** A member's current balances by pocket in one currency, in hundredths of it; 0 for pockets that do not exist. */
export async function readBalances(on: Reader, memberId: number, currency: Currency = HOME_CURRENCY): Promise<Record<MemberPocket, Cents>> {
  const rows = await query<Pick<PocketRow, "kind" | "balance">>(
    on,
    "SELECT kind, balance FROM pocket WHERE member_id = $1 AND currency = $2",
    [memberId, currency],
  );
  const of = (kind: MemberPocket): Cents => cents(rows.find((row) => row.kind === kind)?.balance ?? 0);
  return Object.fromEntries(MEMBER_POCKETS.map((kind) => [kind, of(kind)])) as Record<MemberPocket, Cents>;
}
