/** The only code that moves money: reads balances under lock, posts movements in memory, writes them all at once. */
import type { CashEntryKind } from "#contract/cash-ledger.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { CURRENCY, MEMBER_POCKETS, isBrokerPocket } from "./pocket.ts";
import type { MemberPocket, PocketKind } from "./pocket.ts";

/** Moves an amount in cents from one pocket to another; member pockets belong to the posting's member. */
export interface Move {
  from: PocketKind;
  to: PocketKind;
  amount: number;
}

export interface Posting {
  memberId: number;
  kind: CashEntryKind;
  orderNo: string | null;
  moves: readonly Move[];
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
  lines: [pocketId: number, amount: number, balanceAfter: number | null][];
}

interface PocketRow {
  id: number;
  member_id: number | null;
  kind: PocketKind;
  balance: number;
}

/** Insufficient money although the caller had to check first: a programming error, never a refusal. */
export class Overdrawn extends Error {}

/** The pockets of some members inside one transaction. Postings show in `balance` at once and in the database after `write`. */
export class Ledger {
  readonly #pockets: Map<string, Pocket>;
  #pending: PendingTx[] = [];

  constructor(rows: readonly PocketRow[]) {
    this.#pockets = new Map();
    this.#addRows(rows);
  }

  #addRows(rows: readonly PocketRow[]): void {
    for (const { member_id, kind, id, balance } of rows) {
      const key = `${member_id ?? "broker"}:${kind}`;
      if (!this.#pockets.has(key)) this.#pockets.set(key, { id, balance, before: balance });
    }
  }

  /** Loads more members' pockets; loaded ones stay as they are. */
  async join(tx: Tx, memberIds: readonly number[]): Promise<void> {
    this.#addRows(await readPockets(tx, memberIds));
  }

  #pocket(memberId: number, kind: PocketKind): Pocket {
    const pocket = this.#pockets.get(`${isBrokerPocket(kind) ? "broker" : memberId}:${kind}`);
    if (!pocket) throw new Error(`pocket ${kind} of member ${memberId} is not loaded`);
    return pocket;
  }

  /** Number of posted transactions not written yet. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Balance of a member's pocket in cents, including postings so far. */
  balance(memberId: number, kind: MemberPocket): Cents {
    return cents(this.#pocket(memberId, kind).balance);
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
    const add = (kind: PocketKind, amount: number): void => {
      const pocket = this.#pocket(posting.memberId, kind);
      net.set(pocket, { broker: isBrokerPocket(kind), sign: kind === "debt" ? -1 : 1, amount: (net.get(pocket)?.amount ?? 0) + amount });
    };
    for (const { from, to, amount } of posting.moves) {
      if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`cannot move ${amount} cents`);
      if (amount === 0) continue;
      add(from, -amount);
      add(to, amount);
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
    if (lines.length > 0) this.#pending.push({ member_id: posting.memberId, kind: posting.kind, order_no: posting.orderNo, lines });
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
    await query(
      tx,
      `SELECT ledger_write($1::bigint, $2::bigint[], $3::text[], $4::text[], $5::integer[], $6::integer[], $7::bigint[], $8::bigint[], $9::bigint[])`,
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
      ],
    );
  }
}

/**
 * Loads the pockets of these members and of the broker. The caller must hold the members' `tally` rows locked, or have inserted them in
 * this transaction: that lock prevents concurrent writes to one member's money.
 */
export async function openLedger(tx: Tx, memberIds: readonly number[]): Promise<Ledger> {
  return new Ledger(await readPockets(tx, memberIds));
}

const readPockets = (tx: Tx, memberIds: readonly number[]): Promise<PocketRow[]> =>
  query<PocketRow>(
    tx,
    `SELECT id, member_id, kind, balance FROM pocket WHERE currency = $2 AND member_id = ANY ($1::bigint[])
     UNION ALL SELECT id, NULL, kind, balance FROM pocket WHERE currency = $2 AND member_id IS NULL`,
    [memberIds, CURRENCY],
  );

/** Creates a new member's pockets with zero balances. */
export async function openPockets(tx: Tx, memberId: number): Promise<void> {
  await query(tx, "INSERT INTO pocket (member_id, kind, currency) SELECT $1::bigint, kind, $3 FROM unnest($2::text[]) AS kind", [
    memberId,
    MEMBER_POCKETS,
    CURRENCY,
  ]);
}

/** A member's current balances by pocket, in cents. */
export async function readBalances(on: Reader, memberId: number): Promise<Record<MemberPocket, Cents>> {
  const rows = await query<PocketRow>(on, "SELECT id, member_id, kind, balance FROM pocket WHERE member_id = $1 AND currency = $2", [
    memberId,
    CURRENCY,
  ]);
  const of = (kind: MemberPocket): Cents => cents(rows.find((row) => row.kind === kind)?.balance ?? 0);
  return Object.fromEntries(MEMBER_POCKETS.map((kind) => [kind, of(kind)])) as Record<MemberPocket, Cents>;
}
