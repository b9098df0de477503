/** What a member's positions of futures and of options have alike in a batch: read under the member's lock, stepped and traded, and what they made today. */
import { closeLots, openLots } from "#contract/futures-price.ts";
import type { HeldLots } from "#contract/futures-price.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";

/** The part of a position's row that does not depend on what it is of. */
interface PositionRow {
  position_no: string;
  member_id: number;
  code: string;
  lots: number;
  fee_cents: number;
  tax_cents: number;
  version: number;
  ended_at: number | null;
  expiry_closes_at: number;
}

/** A trade as it is decided. */
export interface Deal {
  tradeNo: number;
  side: "buy" | "sell";
  lots: number;
  price: number;
  cause: "member" | "liquidation" | "settlement";
}

/** What a trade made, and what it is charged. */
interface Made {
  gain: number;
  fee: number;
  tax: number;
}

/** Positions of one kind: how they are read and written. */
interface PositionKind<Row> {
  what: string;
  /** The sequence of the numbers of positions and trades. */
  numbers: "futures_no" | "option_no";
  insert: string;
  insertTrade: string;
  read: (on: Reader, memberId: number) => Promise<Row[]>;
  isOpen: (row: Row) => boolean;
  /** What trades of a fee day have made. */
  tradedOn: (on: Reader, memberId: number, day: number) => Promise<number>;
}

/** Lots after a trade that opens more of their direction, or closes some. */
export function tradedLots(held: HeldLots, signed: number, price: number): { left: HeldLots; gained: number } {
  const opens = held.lots === 0 || Math.sign(held.lots) === Math.sign(signed);
  return opens ? { left: openLots(held, signed, price), gained: 0 } : closeLots(held, Math.abs(signed), price);
}

/** What closes everything of a position. */
export const closingAll = ({ lots }: { lots: number }): Pick<Deal, "side" | "lots"> => ({
  side: lots > 0 ? "sell" : "buy",
  lots: Math.abs(lots),
});

/** When the rule of a trade is of: what expired is charged by the one of its last day, whenever it is settled. */
export const chargedAt = (batch: Batch, row: PositionRow, { cause }: Pick<Deal, "cause">): number =>
  cause === "settlement" ? row.expiry_closes_at - 1 : batch.at;

export class ContractsInBatch<Row extends PositionRow> {
  readonly #kind: PositionKind<Row>;
  readonly #open: SharedRows<Row[]>;
  /** What trades of the day have made so far; those that this batch decides are added. */
  readonly #traded: SharedRows<{ cents: number }>;

  constructor(kind: PositionKind<Row>) {
    this.#kind = kind;
    this.#open = new SharedRows((tx, _batch, memberId) => kind.read(tx, memberId));
    this.#traded = new SharedRows(async (tx, batch, memberId) => ({
      cents: await kind.tradedOn(tx, memberId, batch.venue.feeDay(batch.at)),
    }));
  }

  /** Reads the open positions of a member. */
  async read(tx: Tx, batch: Batch, memberId: number): Promise<void> {
    await this.#open.read(tx, batch, memberId);
  }

  /** Reads what a member's positions have made today, too. */
  async readDay(tx: Tx, batch: Batch, memberId: number): Promise<void> {
    await this.read(tx, batch, memberId);
    await this.#traded.read(tx, batch, memberId);
  }

  /** A number for a position or a trade that a decision may write. */
  async takeNo(tx: Tx): Promise<number> {
    const { numbers, what } = this.#kind;
    const [row] = await query<{ id: number }>(tx, `SELECT nextval('${numbers}') AS id`);
    if (!row) throw new Error(`no number for ${what}`);
    return row.id;
  }

  /** The positions that are open after the decisions so far. */
  of(batch: Batch, memberId: number): Row[] {
    return (this.#open.of(batch, memberId) ?? []).filter(this.#kind.isOpen);
  }

  add(batch: Batch, row: Row): void {
    const rows = this.#open.of(batch, row.member_id);
    if (!rows) throw new Error(`the ${this.#kind.what} of member ${row.member_id} were not read in this batch`);
    rows.push(row);
  }

  /** What trades have made today, after the decisions so far; 0 of a member whose day was not read. */
  tradedToday(batch: Batch, memberId: number): number {
    return this.#traded.of(batch, memberId)?.cents ?? 0;
  }

  /** The next version of a row, which is written with the batch. */
  step(batch: Batch, row: Row): void {
    row.version += 1;
    if (!this.#kind.isOpen(row)) row.ended_at = batch.at;
    this.#defer(batch, this.#kind.insert, row);
  }

  /** Records a trade with what only its kind has, and charges the position for it. */
  record<Own extends object>(batch: Batch, row: Row, deal: Deal, { gain, fee, tax }: Made, own: Own) {
    const { tradeNo, side, lots, price, cause } = deal;
    row.fee_cents += fee;
    row.tax_cents += tax;
    const trade = {
      id: tradeNo,
      member_id: row.member_id,
      position_no: row.position_no,
      code: row.code,
      side,
      lots,
      price,
      cause,
      gain_cents: gain,
      fee_cents: fee,
      tax_cents: tax,
      at: batch.at,
      fee_day: batch.venue.feeDay(batch.at),
      ...own,
    };
    const today = this.#traded.of(batch, row.member_id);
    if (today) today.cents += (cause === "settlement" ? 0 : gain) - fee - tax;
    this.#defer(batch, this.#kind.insertTrade, trade);
    return trade;
  }

  /** Writes what something is now, whatever becomes of it. */
  #defer(batch: Batch, insert: string, what: object): void {
    const written = JSON.stringify(what);
    batch.deferWrite(async (tx) => {
      await query(tx, insert, [written]);
    });
  }
}
