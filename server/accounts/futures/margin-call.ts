/** Margin calls of futures: what the broker has to do about an account, calling for margin, and the end of a call. */
import type { FuturesMargin } from "#contract/futures-price.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import { futuresOf, stepFutures } from "#server/trading/futures/futures-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { putNotice } from "#server/accounts/notice.ts";

/** What the broker has to do about an account. */
export function verdictOf(margin: FuturesMargin, rows: readonly FuturesRecord[], today: number): "liquidate" | "restore" | null {
  if (rows.length === 0) return null;
  const { equityCents, initialCents, liquidationCents } = margin;
  if (equityCents < liquidationCents) return "liquidate";
  const called = rows.filter(({ status }) => status === "called");
  if (called.length === 0) return null;
  if (equityCents >= initialCents) return "restore";
  return called.some(({ called_day: day }) => day !== null && day < today) ? "liquidate" : null;
}

/** Ends a call where the margin is back. */
export function restore(batch: Batch, memberId: number): void {
  for (const row of futuresOf(batch, memberId)) {
    if (row.status !== "called") continue;
    row.called_day = null;
    stepFutures(batch, row, "futures.restored");
  }
}

/** Calls for margin: of all positions, with one message. */
export function call(batch: Batch, memberId: number, day: number, messageNo: number, neededCents: number): void {
  const notice = { about: "futuresCalled" as const, values: { amount: formatMoney(neededCents) } };
  let message = null;
  for (const row of futuresOf(batch, memberId)) {
    if (row.status === "called") continue;
    row.called_day = day;
    message = message === null ? putNotice(batch, memberId, messageNo, notice) : undefined;
    stepFutures(batch, row, "futures.called", message ?? null);
  }
}
