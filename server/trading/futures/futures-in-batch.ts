/** A member's futures positions in a batch: read under the member's lock, and every step of one with its money, its trade and its fact. */
import { futuresFeeOf, futuresTaxOf, markLots, pointsWorth } from "#contract/futures-price.ts";
import type { FuturesCause, FuturesFactType } from "#contract/futures.ts";
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
import { chargedAt, closingAll, ContractsInBatch, tradedLots } from "./contracts-in-batch.ts";
import type { Deal } from "./contracts-in-batch.ts";
import { tradedOn, unpaidTogether } from "./futures-value.ts";
import { readOptions } from "./options-in-batch.ts";

const OPEN = "SELECT * FROM futures_position WHERE member_id = $1 AND status IN ('open', 'called') ORDER BY id";
const INSERT = `INSERT INTO futures_position SELECT * FROM json_populate_record(NULL::futures_position, $1::json)
ON CONFLICT (position_no) DO UPDATE SET status = excluded.status, lots = excluded.lots, cost_points = excluded.cost_points,
  marked_points = excluded.marked_points, paid_cents = excluded.paid_cents, fee_cents = excluded.fee_cents, tax_cents = excluded.tax_cents,
  mark_day = excluded.mark_day, called_day = excluded.called_day, ended_at = excluded.ended_at, version = excluded.version`;
const INSERT_TRADE = "INSERT INTO futures_trade SELECT * FROM json_populate_record(NULL::futures_trade, $1::json)";

const held = new ContractsInBatch<FuturesRecord>({
  what: "futures",
  numbers: "futures_no",
  insert: INSERT,
  insertTrade: INSERT_TRADE,
  read: (on, memberId) => query<FuturesRecord>(on, OPEN, [memberId]),
  isOpen: isOpenFutures,
  tradedOn,
});

/** Reads the open positions of a member, with the options that share their wallet, and opens the wallets. */
export async function readFutures(tx: Tx, batch: Batch, memberId: number): Promise<void> {
  await held.read(tx, batch, memberId);
  await readOptions(tx, batch, memberId);
  await batch.ledger.openWallets(tx, [memberId], []);
}

/** Reads what a member's futures have made today. */
export const readFuturesDay = (tx: Tx, batch: Batch, memberId: number): Promise<void> => held.readDay(tx, batch, memberId);

/** What a member's futures have made today, after the decisions so far; 0 of a member whose day was not read. */
export const futuresTodayIn = (batch: Batch, memberId: number): number =>
  held.tradedToday(batch, memberId) + unpaidTogether(batch.venue, batch.at, futuresOf(batch, memberId));

/** A number for a position or a trade that a decision may write. */
export const takeFuturesNo = (tx: Tx): Promise<number> => held.takeNo(tx);

/** The positions that are open after the decisions so far. */
export const futuresOf = (batch: Batch, memberId: number): FuturesRecord[] => held.of(batch, memberId);

export const addPosition = (batch: Batch, row: FuturesRecord): void => held.add(batch, row);

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
  held.step(batch, row);
  batch.emit(row.member_id, { type, position: toFuturesPosition(row), ...(message ? { message } : {}) });
}

/** Pays a gain into the futures wallet, or takes a loss and charges from it; what it does not cover becomes debt. */
function pay(batch: Batch, row: FuturesRecord, kind: "futuresTrade" | "futuresMark", gain: number, charges: readonly Payment[]): void {
  const moves = [{ from: "futuresClearing" as const, to: "futures" as const, amount: Math.max(0, gain) }];
  const payments = [{ to: "futuresClearing" as const, amount: Math.max(0, -gain) }, ...charges];
  batch.ledger.settle({ memberId: row.member_id, kind, orderNo: null, series: row.code, moves }, payments, ["futures"]);
  row.paid_cents += gain;
}

/** Trades lots of a position: opens more of its direction, or closes some. Money and trade are posted; the caller steps the position. */
export function dealFutures(batch: Batch, row: FuturesRecord, deal: Deal): FuturesTradeRecord {
  const { side, lots, price } = deal;
  const { left, gained } = tradedLots(heldOf(row), side === "buy" ? lots : -lots, price);
  setHeld(row, left);
  const gain = pointsWorth(row.product, gained);
  const terms = futuresRuleAt(batch.rules, row.member_id, row.product, chargedAt(batch, row, deal));
  const [fee, tax] = [futuresFeeOf(lots, terms), futuresTaxOf(row.product, price, lots, terms)];
  pay(batch, row, "futuresTrade", gain, [
    { to: "fees", amount: fee },
    { to: "tax", amount: tax },
  ]);
  return held.record(batch, row, deal, { gain, fee, tax }, {});
}

/** Closes everything of a position at a price. */
export const closeAll = (batch: Batch, row: FuturesRecord, price: number, cause: FuturesCause, tradeNo: number): FuturesTradeRecord =>
  dealFutures(batch, row, { tradeNo, price, cause, ...closingAll(row) });

/** Settles an open position at a price: the gain is paid, the loss is taken. */
export function markPosition(batch: Batch, row: FuturesRecord, price: number): void {
  const { left, gained } = markLots(heldOf(row), price);
  setHeld(row, left);
  pay(batch, row, "futuresMark", pointsWorth(row.product, gained), []);
}
