/** A member's option positions in a batch: read under the member's lock, and every step of one with its money, its trade and its fact. */
import type { Message } from "#contract/message.ts";
import type { OptionRule } from "#contract/option-rule.ts";
import { exerciseTaxOf, optionFeeOf, optionTaxOf, premiumWorth } from "#contract/option-terms.ts";
import type { OptionFactType } from "#contract/option.ts";
import { isOpenOption } from "#contract/option.ts";
import { advance } from "#machines/advance.ts";
import { optionPositionMachine } from "#machines/option-position.ts";
import type { Tx } from "#server/db/database.ts";
import type { OptionRecord, OptionTradeRecord } from "#server/records/option.ts";
import { optionRuleAt } from "#server/rules/rules.ts";
import { toOptionPosition } from "#server/records/option.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { chargedAt, closingAll, ContractsInBatch, tradedLots } from "./contracts-in-batch.ts";
import type { Deal } from "./contracts-in-batch.ts";
import { gainTogether, optionsTradedOn, readOpenOptions } from "./option-value.ts";

const INSERT = `INSERT INTO option_position SELECT * FROM json_populate_record(NULL::option_position, $1::json)
ON CONFLICT (position_no) DO UPDATE SET status = excluded.status, strike = excluded.strike, lots = excluded.lots,
  cost_tenths = excluded.cost_tenths, marked_tenths = excluded.marked_tenths, paid_cents = excluded.paid_cents,
  fee_cents = excluded.fee_cents, tax_cents = excluded.tax_cents, mark_day = excluded.mark_day, called_day = excluded.called_day,
  ended_at = excluded.ended_at, version = excluded.version`;
const INSERT_TRADE = "INSERT INTO option_trade SELECT * FROM json_populate_record(NULL::option_trade, $1::json)";

const held = new ContractsInBatch<OptionRecord>({
  what: "options",
  numbers: "option_no",
  insert: INSERT,
  insertTrade: INSERT_TRADE,
  read: readOpenOptions,
  isOpen: isOpenOption,
  tradedOn: optionsTradedOn,
});

/** Reads the open positions of a member. The wallets are opened with their futures. */
export const readOptions = (tx: Tx, batch: Batch, memberId: number): Promise<void> => held.read(tx, batch, memberId);

/** Reads what a member's options have made today. */
export const readOptionsDay = (tx: Tx, batch: Batch, memberId: number): Promise<void> => held.readDay(tx, batch, memberId);

/** What a member's options have made today, after the decisions so far; 0 of a member whose day was not read. */
export const optionsTodayIn = (batch: Batch, memberId: number): number =>
  held.tradedToday(batch, memberId) + gainTogether(batch.venue, batch.at, optionsOf(batch, memberId));

/** A number for a position or a trade that a decision may write. */
export const takeOptionNo = (tx: Tx): Promise<number> => held.takeNo(tx);

/** The positions that are open after the decisions so far. */
export const optionsOf = (batch: Batch, memberId: number): OptionRecord[] => held.of(batch, memberId);

export const addOption = (batch: Batch, row: OptionRecord): void => held.add(batch, row);

/** Applies a fact, and writes the row with the batch. @throws Error when the machine forbids it, which is a fault */
export function stepOption(batch: Batch, row: OptionRecord, type: OptionFactType, message: Message | null = null): void {
  if (type !== "option.opened") {
    const status = advance(optionPositionMachine, row.status, type);
    if (!status) throw new Error(`${type} cannot happen to position ${row.position_no}, which is ${row.status}`);
    row.status = status;
  }
  held.step(batch, row);
  batch.emit(row.member_id, { type, position: toOptionPosition(row), ...(message ? { message } : {}) });
}

/** A trade as it is decided, at a price in tenths of a point. */
export interface OptionDeal extends Deal {
  /** The trade of the same order. */
  withNo?: number;
  /** At expiry: the final settlement price, which the tax of an exercise is of. */
  final?: number;
}

/**
 * Fee and tax of a deal: of its premium, and at expiry of the index. What ends without value costs nothing, and no buyer's exercise costs
 * more than it pays: a buyer can lose the premium and no more.
 */
export function chargesOf(
  { side, lots, price, cause, final = 0 }: Pick<OptionDeal, "side" | "lots" | "price" | "cause" | "final">,
  rule: OptionRule,
): { fee: number; tax: number } {
  if (cause !== "settlement") return { fee: optionFeeOf(lots, rule), tax: optionTaxOf(price, lots, rule) };
  const most = side === "sell" ? premiumWorth(price, lots) : Number.MAX_SAFE_INTEGER;
  const tax = price > 0 ? Math.min(exerciseTaxOf(final, lots, rule), most) : 0;
  return { fee: price > 0 ? Math.min(optionFeeOf(lots, rule), most - tax) : 0, tax };
}

/** Receives a premium into the futures wallet, or pays it and the charges from it; what it does not cover becomes debt. */
function pay(batch: Batch, row: OptionRecord, premium: number, charges: { fee: number; tax: number }): void {
  if (premium === 0 && charges.fee === 0 && charges.tax === 0) return;
  const moves = [{ from: "optionsClearing" as const, to: "futures" as const, amount: Math.max(0, premium) }];
  const payments = [
    { to: "optionsClearing" as const, amount: Math.max(0, -premium) },
    { to: "fees" as const, amount: charges.fee },
    { to: "tax" as const, amount: charges.tax },
  ];
  batch.ledger.settle({ memberId: row.member_id, kind: "optionTrade", orderNo: null, series: row.code, moves }, payments, ["futures"]);
  row.paid_cents += premium;
}

/** Trades lots of a position: opens more of its direction, or closes some. Money and trade are posted; the caller steps the position. */
export function dealOption(batch: Batch, row: OptionRecord, deal: OptionDeal): OptionTradeRecord {
  const { side, lots, price } = deal;
  const signed = side === "buy" ? lots : -lots;
  const { left, gained } = tradedLots({ lots: row.lots, costPoints: row.cost_tenths, markedPoints: row.marked_tenths }, signed, price);
  // Integers have no negative zero; a sold position that is closed has one.
  [row.lots, row.cost_tenths, row.marked_tenths] = [left.lots + 0, left.costPoints + 0, left.markedPoints + 0];
  const charges = chargesOf(deal, optionRuleAt(batch.rules, row.member_id, chargedAt(batch, row, deal)));
  pay(batch, row, 0 - premiumWorth(price, signed), charges);
  return held.record(batch, row, deal, { gain: premiumWorth(gained), ...charges }, { with_id: deal.withNo ?? null });
}

/** Closes everything of a position at a price. */
export const closeOptionLots = (batch: Batch, row: OptionRecord, deal: Omit<OptionDeal, "side" | "lots">): OptionTradeRecord =>
  dealOption(batch, row, { ...deal, ...closingAll(row) });
