/** The only code that moves money: balances read under lock, movements decided on them in memory, all written at once. */
import type { CashEntryKind } from "#contract/cash-ledger.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { CURRENCY, MEMBER_POCKETS, isBrokerPocket } from "./pocket.ts";
import type { MemberPocket, PocketKind } from "./pocket.ts";

/** An amount out of one pocket into another; the member's pockets are those of the transaction's member. */
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

/** Something a member has to pay; what their money does not reach for they owe. */
export interface Payment {
  to: PocketKind;
  amount: number;
}

interface Pocket {
  id: number;
  balance: number;
  /** As it was read. */
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

/** Money did not reach although the caller had to ask before: a fault, never a refusal. */
export class Overdrawn extends Error {}

/** The books of some members inside one transaction. Movements are seen by `balance` at once and by the database at `write`. */
export class Ledger {
  readonly #pockets: Map<string, Pocket>;
  #pending: PendingTx[] = [];

  constructor(rows: readonly PocketRow[]) {
    this.#pockets = new Map();
    this.#take(rows);
  }

  #take(rows: readonly PocketRow[]): void {
    for (const { member_id, kind, id, balance } of rows) {
      const key = `${member_id ?? "house"}:${kind}`;
      if (!this.#pockets.has(key)) this.#pockets.set(key, { id, balance, before: balance });
    }
  }

  /** Open more members' books; what is open already stays as it is. */
  async join(tx: Tx, memberIds: readonly number[]): Promise<void> {
    this.#take(await readPockets(tx, memberIds));
  }

  #pocket(memberId: number, kind: PocketKind): Pocket {
    const pocket = this.#pockets.get(`${isBrokerPocket(kind) ? "house" : memberId}:${kind}`);
    if (!pocket) throw new Error(`member ${memberId} has no pocket ${kind} here`);
    return pocket;
  }

  /** How many transactions wait to be written. */
  get pending(): number {
    return this.#pending.length;
  }

  /** What lies in a member's pocket, with everything posted here so far. */
  balance(memberId: number, kind: MemberPocket): Cents {
    return cents(this.#pocket(memberId, kind).balance);
  }

  /** What a member owes, with everything posted here so far; and how much of that came about here. */
  debt(memberId: number): { owed: Cents; incurred: Cents } {
    const { balance, before } = this.#pocket(memberId, "debt");
    return { owed: cents(0 - balance), incurred: cents(before - balance) };
  }

  /** Pay what a member owes out of one of their pockets, as far as it reaches. @returns what was paid */
  repay(memberId: number, from: MemberPocket, orderNo: string | null = null, most = Number.POSITIVE_INFINITY): Cents {
    const amount = Math.min(this.debt(memberId).owed, this.balance(memberId, from), most);
    if (amount > 0) this.post({ memberId, kind: "repay", orderNo, moves: [{ from, to: "debt", amount }] });
    return cents(amount);
  }

  /**
   * Move money as one ledger transaction. Moves of nothing are left out; a transaction of nothing is not written.
   * @throws Overdrawn when a member's pocket would go below zero, or a debt above it
   */
  post(posting: Posting): void {
    const net = new Map<Pocket, { house: boolean; sign: number; amount: number }>();
    const add = (kind: PocketKind, amount: number): void => {
      const pocket = this.#pocket(posting.memberId, kind);
      net.set(pocket, { house: isBrokerPocket(kind), sign: kind === "debt" ? -1 : 1, amount: (net.get(pocket)?.amount ?? 0) + amount });
    };
    for (const { from, to, amount } of posting.moves) {
      if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`cannot move ${amount} cents`);
      if (amount === 0) continue;
      add(from, -amount);
      add(to, amount);
    }
    const lines: PendingTx["lines"] = [];
    for (const [pocket, { house, sign, amount }] of net) {
      if (amount === 0) continue;
      const after = cents(pocket.balance + amount);
      if (!house && sign * after < 0)
        throw new Overdrawn(`${posting.kind} of order ${posting.orderNo ?? "-"} overdraws pocket ${pocket.id}`);
      pocket.balance = after;
      lines.push([pocket.id, amount, house ? null : after]);
    }
    if (lines.length > 0) this.#pending.push({ member_id: posting.memberId, kind: posting.kind, order_no: posting.orderNo, lines });
  }

  /** Set money aside for an order. */
  hold(memberId: number, amount: number, orderNo: string): void {
    this.post({ memberId, kind: "hold", orderNo, moves: [{ from: "available", to: "held", amount }] });
  }

  /** Give back what an order no longer needs. */
  release(memberId: number, amount: number, orderNo: string): void {
    this.post({ memberId, kind: "release", orderNo, moves: [{ from: "held", to: "available", amount }] });
  }

  /**
   * Settle an execution: the moves, then debts paid from the member's purses, one after the other; where they do not reach, the member
   * owes the rest.
   * @returns what the member owes for it
   */
  settle(posting: Posting, debts: readonly Payment[] = [], purses: readonly MemberPocket[] = ["available"]): Cents {
    const left = new Map(purses.map((purse) => [purse as PocketKind, this.balance(posting.memberId, purse) as number]));
    for (const { from, to, amount } of posting.moves) {
      if (left.has(from)) left.set(from, (left.get(from) ?? 0) - amount);
      if (left.has(to)) left.set(to, (left.get(to) ?? 0) + amount);
    }
    let added = 0;
    const paid: Move[] = [];
    for (const { to, amount } of debts) {
      let rest = amount;
      for (const purse of purses) {
        const own = Math.min(left.get(purse) ?? 0, rest);
        left.set(purse, (left.get(purse) ?? 0) - own);
        rest -= own;
        paid.push({ from: purse, to, amount: own });
      }
      added += rest;
      paid.push({ from: "debt", to, amount: rest });
    }
    this.post({ ...posting, moves: [...posting.moves, ...paid] });
    return cents(added);
  }

  /** Write every posted transaction and its entries. Once, at the end of the database transaction's work. */
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
 * Open the books of these members, and the house's. The caller holds the members' `tally` rows locked, or wrote them in this
 * very transaction: that lock is what keeps two writers off one member's money.
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

/** Make a new member's pockets, empty. */
export async function openPockets(tx: Tx, memberId: number): Promise<void> {
  await query(tx, "INSERT INTO pocket (member_id, kind, currency) SELECT $1::bigint, kind, $3 FROM unnest($2::text[]) AS kind", [
    memberId,
    MEMBER_POCKETS,
    CURRENCY,
  ]);
}

/** Credit a deposit that came from outside: it pays what the member owes first. */
export async function deposit(tx: Tx, memberId: number, amount: Cents, at: number): Promise<void> {
  const ledger = await openLedger(tx, [memberId]);
  ledger.post({ memberId, kind: "deposit", orderNo: null, moves: [{ from: "external", to: "available", amount }] });
  ledger.repay(memberId, "available");
  await ledger.write(tx, at);
}

/** A member's balances by pocket, as they stand. */
export async function readBalances(on: Reader, memberId: number): Promise<Record<MemberPocket, Cents>> {
  const rows = await query<PocketRow>(on, "SELECT id, member_id, kind, balance FROM pocket WHERE member_id = $1 AND currency = $2", [
    memberId,
    CURRENCY,
  ]);
  const of = (kind: MemberPocket): Cents => cents(rows.find((row) => row.kind === kind)?.balance ?? 0);
  return Object.fromEntries(MEMBER_POCKETS.map((kind) => [kind, of(kind)])) as Record<MemberPocket, Cents>;
}
