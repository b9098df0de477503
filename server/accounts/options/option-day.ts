/** The next day of a member's options: marked for the day before, exercised in cash or ended without value at expiry. */
import { markLots } from "#contract/futures-price.ts";
import { payoffOf } from "#contract/option-price.ts";
import type { Tx } from "#server/db/database.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { expiryIn, seriesIn } from "#server/trading/futures/option-value.ts";
import { closeOptionLots, optionsOf, stepOption, takeOptionNo } from "#server/trading/futures/options-in-batch.ts";
import { markedBefore } from "#server/trading/futures/option-series.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { putNotice, takeMessageNo } from "#server/accounts/notice.ts";

/** A settlement: the fee day that begins with it, and the close of the index before. */
export interface DailySettlement {
  day: number;
  close: number;
}

/** The settlements that are due, the earliest first; what the index lost to dividends on days, in points; the final settlement prices by the fee day of the expiry. */
export interface SettlementPrices {
  strikes: readonly DailySettlement[];
  dividends: readonly { day: number; points: number }[];
  final: ReadonlyMap<number, number>;
}

type Numbers = Map<string, readonly [tradeNo: number, messageNo: number]>;

export async function prepareOptionDay(tx: Tx, batch: Batch, memberId: number, day: number, numbers: Numbers): Promise<void> {
  for (const row of optionsOf(batch, memberId))
    if (row.expiry_day < day) numbers.set(row.position_no, [await takeOptionNo(tx), await takeMessageNo(tx)]);
}

/** What the index lost to dividends is neither a holder's gain nor loss: the strike follows it. @param after the day that the position is adjusted for */
function adjust(row: OptionRecord, { dividends }: SettlementPrices, after: number, until: number): void {
  for (const { day, points } of dividends) if (day > after && day <= until) row.strike = Math.max(1, row.strike - points);
}

/** Marks a position for the day before, whose index has lost the dividends of any day since, and adjusts it for those of the day. */
function mark(batch: Batch, row: OptionRecord, { day, close }: DailySettlement, prices: SettlementPrices): void {
  adjust(row, prices, row.mark_day, day - 1);
  const value = markedBefore(close, expiryIn(row), seriesIn(row), day);
  const held = { lots: row.lots, costPoints: row.cost_tenths, markedPoints: row.marked_tenths };
  row.marked_tenths = markLots(held, value).left.markedPoints;
  adjust(row, prices, day - 1, day);
  row.mark_day = day;
  stepOption(batch, row, "option.marked");
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
  numbers: Numbers,
): { count: number; missed: boolean } {
  const due = optionsOf(batch, memberId).filter((row) => row.mark_day < day);
  let missed = false;
  for (const row of due) {
    const final = prices.final.get(row.expiry_day);
    const taken = numbers.get(row.position_no);
    const strikes = prices.strikes.filter((strike) => strike.day > row.mark_day && strike.day <= row.expiry_day);
    missed ||= strikes.length > 1;
    for (const strike of strikes) mark(batch, row, strike, prices);
    if (row.expiry_day < day && final !== undefined && taken) {
      adjust(row, prices, row.mark_day, row.expiry_day);
      expire(batch, row, final, taken);
    }
  }
  return { count: due.length, missed };
}
