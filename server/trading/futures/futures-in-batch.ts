/** A member's futures positions in a batch: read under the member's lock, and every step of one with its money, its trade and its fact. */
import { closeLots, futuresFeeOf, futuresTaxOf, markLots, openLots, pointsWorth } from "#contract/futures-price.ts";
import type { FuturesCause, FuturesFactType, FuturesSide } from "#contract/futures.ts";
import { isOpenFutures } from "#contract/futures.ts";
import type { Message } from "#contract/message.ts";
import { advance } from "#machines/advance.ts";
import { futuresPositionMachine } from "#machines/futures-position.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { Payment } from "#server/ledger/ledger.ts";
import { toFuturesPosition } from "#server/records/futures.ts";
import type { FuturesRecord, FuturesTradeRecord } from "#server/records/futures.ts";
import { futuresRuleAt } from "#server/rules/rules.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";
import { tradedOn, unpaidTogether } from "./futures-value.ts";
import { readOptions } from "./options-in-batch.ts";

const OPEN = "SELECT * FROM futures_position WHERE member_id = $1 AND status IN ('open', 'called') ORDER BY id";
const INSERT = `INSERT INTO futures_position SELECT * FROM json_populate_record(NULL::futures_position, $1::json)
ON CONFLICT (position_no) DO UPDATE SET status = excluded.status, lots = excluded.lots, cost_points = excluded.cost_points,
  marked_points = excluded.marked_points, paid_cents = excluded.paid_cents, fee_cents = excluded.fee_cents, tax_cents = excluded.tax_cents,
  mark_day = excluded.mark_day, called_day = excluded.called_day, ended_at = excluded.ended_at, version = excluded.version`;
const INSERT_TRADE = "INSERT INTO futures_trade SELECT * FROM json_populate_record(NULL::futures_trade, $1::json)";

const open = new SharedRows<FuturesRecord[]>((tx, _batch, memberId) => query<FuturesRecord>(tx, OPEN, [memberId]));

/** Reads the open positions of a member, with the options that share their wallet, and opens the wallets. */
export async function readFutures(tx: Tx, batch: Batch, memberId: number): Promise<void> {
  await open.read(tx, batch, memberId);
  await readOptions(tx, batch, memberId);
  await batch.ledger.openWallets(tx, [memberId], []);
}

/** What trades of the day have made so far; those that this batch decides are added. */
const traded = new SharedRows<{ cents: number }>(async (tx, batch, memberId) => ({
  cents: await tradedOn(tx, memberId, batch.venue.feeDay(batch.at)),
}));

/** Reads what a member's futures have made today. */
export async function readFuturesDay(tx: Tx, batch: Batch, memberId: number): Promise<void> {
  await open.read(tx, batch, memberId);
  await traded.read(tx, batch, memberId);
}

/** What a member's futures have made today, after the decisions so far; 0 of a member whose day was not read. */
export const futuresTodayIn = (batch: Batch, memberId: number): number =>
  (traded.of(batch, memberId)?.cents ?? 0) + unpaidTogether(batch.venue, batch.at, futuresOf(batch, memberId));

/** A number for a position or a trade that a decision may write. */
export async function takeFuturesNo(tx: Tx): Promise<number> {
  const [row] = await query<{ id: number }>(tx, "SELECT nextval('futures_no') AS id");
  if (!row) throw new Error("no number for a futures trade");
  return row.id;
}

/** The positions that are open after the decisions so far. */
export const futuresOf = (batch: Batch, memberId: number): FuturesRecord[] => (open.of(batch, memberId) ?? []).filter(isOpenFutures);

export function addPosition(batch: Batch, row: FuturesRecord): void {
  const rows = open.of(batch, row.member_id);
  if (!rows) throw new Error(`the futures of member ${row.member_id} were not read in this batch`);
  rows.push(row);
}

export const heldOf = ({ lots, cost_points: costPoints, marked_points: markedPoints }: FuturesRecord) => ({
  lots,
  costPoints,
  markedPoints,
});

export function setHeld(row: FuturesRecord, held: { lots: number; costPoints: number; markedPoints: number }): void {
  row.lots = held.lots;
  row.cost_points = held.costPoints;
  row.marked_points = held.markedPoints;
}

/** Applies a fact, and writes the row with the batch. @throws Error when the machine forbids it, which is a fault */
export function stepFutures(batch: Batch, row: FuturesRecord, type: FuturesFactType, message: Message | null = null): void {
  if (type !== "futures.opened") {
    const status = advance(futuresPositionMachine, row.status, type);
    if (!status) throw new Error(`${type} cannot happen to position ${row.position_no}, which is ${row.status}`);
    row.status = status;
  }
  row.version += 1;
  if (!isOpenFutures(row)) row.ended_at = batch.at;
  batch.emit(row.member_id, { type, position: toFuturesPosition(row), ...(message ? { message } : {}) });
  const written = JSON.stringify(row);
  batch.deferWrite(async (tx) => {
    await query(tx, INSERT, [written]);
  });
}

/** Pays a gain into the futures wallet, or takes a loss and charges from it; what it does not cover becomes debt. */
function pay(batch: Batch, row: FuturesRecord, kind: "futuresTrade" | "futuresMark", gain: number, charges: readonly Payment[]): void {
  const moves = [{ from: "futuresClearing" as const, to: "futures" as const, amount: Math.max(0, gain) }];
  const payments = [{ to: "futuresClearing" as const, amount: Math.max(0, -gain) }, ...charges];
  batch.ledger.settle({ memberId: row.member_id, kind, orderNo: null, series: row.code, moves }, payments, ["futures"]);
  row.paid_cents += gain;
}

/** A trade as it is decided. */
export interface Deal {
  tradeNo: number;
  side: FuturesSide;
  lots: number;
  price: number;
  cause: FuturesCause;
}

/** Trades lots of a position: opens more of its direction, or closes some. Money and trade are posted; the caller steps the position. */
export function dealFutures(batch: Batch, row: FuturesRecord, deal: Deal): FuturesTradeRecord {
  const { side, lots, price } = deal;
  const signed = side === "buy" ? lots : -lots;
  const opens = row.lots === 0 || Math.sign(row.lots) === Math.sign(signed);
  const { left, gained } = opens ? { left: openLots(heldOf(row), signed, price), gained: 0 } : closeLots(heldOf(row), lots, price);
  setHeld(row, left);
  const gain = pointsWorth(row.product, gained);
  // What expired is charged by the rule of its last day, whenever it is settled.
  const on = deal.cause === "settlement" ? row.expiry_closes_at - 1 : batch.at;
  const terms = futuresRuleAt(batch.rules, row.member_id, row.product, on);
  const fee = futuresFeeOf(lots, terms);
  const tax = futuresTaxOf(row.product, price, lots, terms);
  row.fee_cents += fee;
  row.tax_cents += tax;
  pay(batch, row, "futuresTrade", gain, [
    { to: "fees", amount: fee },
    { to: "tax", amount: tax },
  ]);
  const trade: FuturesTradeRecord = {
    id: deal.tradeNo,
    member_id: row.member_id,
    position_no: row.position_no,
    code: row.code,
    side,
    lots,
    price,
    cause: deal.cause,
    gain_cents: gain,
    fee_cents: fee,
    tax_cents: tax,
    at: batch.at,
    fee_day: batch.venue.feeDay(batch.at),
  };
  const today = traded.of(batch, row.member_id);
  if (today) today.cents += (deal.cause === "settlement" ? 0 : gain) - fee - tax;
  const written = JSON.stringify(trade);
  batch.deferWrite(async (tx) => {
    await query(tx, INSERT_TRADE, [written]);
  });
  return trade;
}

/** Closes everything of a position at a price. */
export const closeAll = (batch: Batch, row: FuturesRecord, price: number, cause: FuturesCause, tradeNo: number): FuturesTradeRecord =>
  dealFutures(batch, row, { tradeNo, side: row.lots > 0 ? "sell" : "buy", lots: Math.abs(row.lots), price, cause });

/** Settles an open position at a price: the gain is paid, the loss is taken. */
export function markPosition(batch: Batch, row: FuturesRecord, price: number): void {
  const { left, gained } = markLots(heldOf(row), price);
  setHeld(row, left);
  pay(batch, row, "futuresMark", pointsWorth(row.product, gained), []);
}
