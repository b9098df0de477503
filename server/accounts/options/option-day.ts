/** The next day of a member's options: marked for the day before, exercised in cash or ended without value at expiry. */
import { markLots } from "#contract/futures-price.ts";
import { payoffOf } from "#contract/option-price.ts";
import type { Tx } from "#server/db/database.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { expiryIn, seriesIn } from "#server/trading/futures/option-value.ts";
import { closeOptionLots, optionsOf, stepOption, takeOptionNo } from "#server/trading/futures/options-in-batch.ts";
import { markedBefore } from "#server/trading/futures/option-series.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { beginDay } from "#server/accounts/futures/settlement-days.ts";
import type { DailySettlement, SettlementNumbers, SettlementPrices } from "#server/accounts/futures/settlement-days.ts";
import { putNotice, takeMessageNo } from "#server/accounts/notice.ts";

export async function prepareOptionDay(tx: Tx, batch: Batch, memberId: number, day: number, numbers: SettlementNumbers): Promise<void> {
  for (const row of optionsOf(batch, memberId))
    if (row.expiry_day < day) numbers.set(row.position_no, [await takeOptionNo(tx), await takeMessageNo(tx)]);
}

/** Marks a position at its premium by the close before a day. */
function mark({ venue }: Batch, row: OptionRecord, { day, close }: DailySettlement): void {
  const value = markedBefore(venue, close, expiryIn(row), seriesIn(row), day);
  const held = { lots: row.lots, costPoints: row.cost_tenths, markedPoints: row.marked_tenths };
  // What was sold and is worth nothing has a negative zero, which rows do not have.
  row.marked_tenths = markLots(held, value).left.markedPoints + 0;
}

/** Ends an expired position: what has value is exercised by itself. */
function expire(batch: Batch, row: OptionRecord, final: number, [tradeNo, messageNo]: readonly [number, number]): void {
  const { code } = row;
  const price = payoffOf(row.option_right, row.strike, final) * 10;
  closeOptionLots(batch, row, { tradeNo, price, cause: "settlement", final });
  const about = price > 0 ? ("optionSettled" as const) : ("optionExpired" as const);
  const message = putNotice(batch, row.member_id, messageNo, { about, values: { code, price: String(final) } });
  stepOption(batch, row, price > 0 ? "option.settled" : "option.expired", message);
}

/** The next day of a member's options: how many had one, and whether days between were missed. */
export function nextOptionDay(
  batch: Batch,
  memberId: number,
  day: number,
  prices: SettlementPrices,
  numbers: SettlementNumbers,
): { count: number; missed: boolean } {
  // What was bought pays first for what was sold with it.
  const rows = optionsOf(batch, memberId).toSorted((a, b) => b.lots - a.lots);
  return beginDay(rows, day, prices, numbers, {
    // The strike follows the index.
    adjust: (row, points) => void (row.strike = Math.max(1, row.strike - points)),
    mark: (row, settlement) => mark(batch, row, settlement),
    marked: (row) => stepOption(batch, row, "option.marked"),
    settle: (row, final, taken) => expire(batch, row, final, taken),
  });
}
