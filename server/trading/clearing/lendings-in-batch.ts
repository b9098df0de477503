/** Securities loans in a batch: those a member has open, and every step of one with its lots, its money and its fact. */
import { lenderPartOf } from "#contract/lending-fee.ts";
import { isOpenLending } from "#contract/lending.ts";
import type { LendingEnd, LendingFactType } from "#contract/lending.ts";
import { grouped } from "#contract/kernel/money.ts";
import type { Message } from "#contract/message.ts";
import { advance } from "#machines/advance.ts";
import { lendingMachine } from "#machines/lending.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toLending } from "#server/records/lending.ts";
import type { LendingRecord } from "#server/records/lending.ts";
import type { Batch, Participant, ParticipantKind } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";

const OPEN = `SELECT * FROM lending WHERE member_id = ANY ($1::bigint[]) AND status IN ('offered', 'inProgress', 'recalled') ORDER BY id`;
const INSERT = "INSERT INTO lending SELECT * FROM json_populate_record(NULL::lending, $1::json)";
const UPDATE = `UPDATE lending SET status = $2, lots = $3, lot_shares = $4, rate_per_million = $5, notice_days = $6, demand_id = $7,
  reference_price = $8, value_cents = $9, started_at = $10, due_day = $11, fee_day = $12, recalled_at = $13, ended_at = $14, reason = $15,
  fee_cents = $16, paid_cents = $17, version = $18 WHERE lending_no = $1`;

/** The loans and offers that the members of one batch have open, so that each command sees what the earlier ones decided. */
class LendingsInBatch implements Participant {
  /** Its changes are facts and deferred writes of the batch. */
  readonly effects = 0;
  readonly #rows: LendingRecord[];

  constructor(rows: readonly LendingRecord[]) {
    this.#rows = [...rows];
  }

  add(row: LendingRecord): void {
    this.#rows.push(row);
  }

  row(memberId: number, lendingNo: string): LendingRecord | null {
    return this.#rows.find((row) => row.lending_no === lendingNo && row.member_id === memberId) ?? null;
  }

  /** What is open of an order, the newest last. */
  openOf(orderNo: string): LendingRecord[] {
    return this.#rows.filter((row) => row.order_no === orderNo && isOpenLending(row));
  }

  /** What a member offers and nobody has taken. */
  offersOf(memberId: number): LendingRecord[] {
    return this.#rows.filter((row) => row.member_id === memberId && row.status === "offered");
  }

  isLending(memberId: number, code: string): boolean {
    return this.#rows.some((row) => row.member_id === memberId && row.code === code && isOpenLending(row));
  }
}

/** How loans take part in a batch: read for the members who lend, with all they have open. */
const participant: ParticipantKind<LendingsInBatch> = {
  async open(tx, batch) {
    const lenders = batch.members.filter(({ lends }) => lends > 0).map(({ id }) => id);
    return new LendingsInBatch(lenders.length === 0 ? [] : await query<LendingRecord>(tx, OPEN, [lenders]));
  },
};
export { participant as lendings };

export const lendingsIn = (batch: Batch): LendingsInBatch => batch.part(participant);

/** Units of an order that are neither sold nor offered or on loan. */
export const freeLots = (order: OrderRecord): number => order.filled_lots - order.closed_lots - order.on_loan_lots;

/** Units of an order that borrowers have; what is only offered is still its member's. */
export const lentLots = (batch: Batch, order: OrderRecord): number =>
  lendingsIn(batch)
    .openOf(order.order_no)
    .reduce((sum, { status, lots }) => sum + (status === "offered" ? 0 : lots), 0);

/** The refusal of a sale of lots that are offered or on loan. */
export const lentRefusal = (order: OrderRecord, field: string): Refusal =>
  new Refusal("TRD_SHARES_LENT", { n: grouped(String(order.on_loan_lots * order.lot_shares)) }, field);

/**
 * Nobody lends shares of a code and sells it short.
 * @throws Refusal TRD_LEND_SHORT
 */
export function checkNotLending(batch: Batch, memberId: number, code: string): void {
  if (lendingsIn(batch).isLending(memberId, code)) throw new Refusal("TRD_LEND_SHORT", {}, "direction");
}

function countLends(batch: Batch, memberId: number, more: number): void {
  const member = batch.member(memberId);
  member.lends += more;
  batch.deferWrite(async (tx) => {
    await query(tx, "UPDATE trader SET lends = lends + $2 WHERE member_id = $1", [memberId, more]);
  });
}

/** Takes lots out of what an order can sell, or gives them back. */
function moveLots(batch: Batch, order: OrderRecord, lots: number): void {
  order.on_loan_lots += lots;
  batch.emitOrderFact("order.adjusted", order);
}

/** Adds a new offer of lots of an order. */
export function openLending(batch: Batch, order: OrderRecord, row: LendingRecord): void {
  lendingsIn(batch).add(row);
  countLends(batch, row.member_id, 1);
  const written = JSON.stringify(row);
  batch.deferWrite(async (tx) => {
    await query(tx, INSERT, [written]);
  });
  moveLots(batch, order, row.lots);
}

/** Applies a fact, and writes the row with the batch. @throws Error when the machine forbids it, which is a fault */
export function stepLending(batch: Batch, row: LendingRecord, type: LendingFactType, message: Message | null = null): void {
  if (type !== "lending.offered") {
    const status = advance(lendingMachine, row.status, type);
    if (!status) throw new Error(`${type} cannot happen to loan ${row.lending_no}, which is ${row.status}`);
    row.status = status;
  }
  row.version += 1;
  if (!isOpenLending(row)) {
    row.ended_at = batch.at;
    countLends(batch, row.member_id, -1);
  }
  batch.emit(row.member_id, { type, lending: toLending(row), ...(message ? { message } : {}) });
  const terms = [row.lending_no, row.status, row.lots, row.lot_shares, row.rate_per_million, row.notice_days, row.demand_id];
  const course = [
    row.reference_price,
    row.value_cents,
    row.started_at,
    row.due_day,
    row.fee_day,
    row.recalled_at,
    row.ended_at,
    row.reason,
  ];
  const money = [row.fee_cents, row.paid_cents, row.version];
  batch.deferWrite(async (tx) => {
    await query(tx, UPDATE, [...terms, ...course, ...money]);
  });
}

/** Gives the lots of an offer back to their order. */
export function withdrawOffer(batch: Batch, order: OrderRecord, row: LendingRecord): void {
  stepLending(batch, row, "lending.withdrawn");
  moveLots(batch, order, -row.lots);
}

/** Ends a loan: the fee so far is paid, less the broker's part, and its lots can be sold again. */
export function returnShares(
  batch: Batch,
  order: OrderRecord,
  row: LendingRecord,
  reason: LendingEnd,
  tell: (paidCents: number) => Message | null = () => null,
): void {
  const paid = lenderPartOf(row.broker_per_million, row.fee_cents);
  const moves = [
    { from: "lendingPool" as const, to: "available" as const, amount: paid },
    { from: "lendingPool" as const, to: "fees" as const, amount: row.fee_cents - paid },
  ];
  batch.ledger.post({ memberId: row.member_id, kind: "lendingFee", orderNo: order.order_no, moves });
  row.reason = reason;
  row.paid_cents = paid;
  order.lending_cents += paid;
  stepLending(batch, row, "lending.returned", tell(paid));
  moveLots(batch, order, -row.lots);
}

/** Gets everything of an order back at once: the broker, who has to sell it, replaces what borrowers have not returned. */
export function getBack(batch: Batch, order: OrderRecord): void {
  for (const row of lendingsIn(batch).openOf(order.order_no)) {
    if (row.status === "offered") withdrawOffer(batch, order, row);
    else returnShares(batch, order, row, "broker");
  }
}

/** What an ex-event leaves of each loan of an order, in the order's new units. New shares that are no whole unit of a loan are not lent. */
export function adjustLent(batch: Batch, order: OrderRecord, beforeLotShares: number, grownMillionths: bigint): void {
  for (const row of lendingsIn(batch).openOf(order.order_no)) {
    const before = row.lots;
    const shares = Number((BigInt(before * beforeLotShares) * grownMillionths) / 1_000_000n);
    row.lots = Math.floor(shares / order.lot_shares);
    row.lot_shares = order.lot_shares;
    order.on_loan_lots += row.lots;
    if (row.lots === 0 && row.status === "offered") withdrawOffer(batch, order, row);
    else if (row.lots === 0) returnShares(batch, order, row, "exEvent");
    else if (row.status === "offered") stepLending(batch, row, "lending.offered");
    else stepLending(batch, row, "lending.accrued");
  }
}
