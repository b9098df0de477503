/** Margin calls of a futures wallet: what the broker has to do about an account, calling for margin of its futures and options, and the end of a call. */
import { formatMoney } from "#contract/kernel/money.ts";
import { contractsOf } from "#server/trading/futures/margin.ts";
import type { WalletMargin } from "#server/trading/futures/margin.ts";
import type { OpenContracts } from "#server/trading/futures/option-margin.ts";
import { stepFutures } from "#server/trading/futures/futures-in-batch.ts";
import { stepOption } from "#server/trading/futures/options-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { putNotice } from "#server/accounts/notice.ts";

/** What the broker has to do about an account. */
export function verdictOf(margin: WalletMargin, { futures, options }: OpenContracts, today: number): "liquidate" | "restore" | null {
  const rows = [...futures, ...options];
  if (rows.length === 0) return null;
  const { equityCents, initialCents, longCents, shortCents, liquidationCents } = margin;
  if (equityCents + longCents - shortCents < liquidationCents) return "liquidate";
  const called = rows.filter(({ status }) => status === "called");
  if (called.length === 0) return null;
  if (equityCents >= initialCents) return "restore";
  return called.some(({ called_day: day }) => day !== null && day < today) ? "liquidate" : null;
}

/** Ends a call where the margin is back. */
export function restore(batch: Batch, memberId: number): void {
  const { futures, options } = contractsOf(batch, memberId);
  for (const row of futures) {
    if (row.status !== "called") continue;
    row.called_day = null;
    stepFutures(batch, row, "futures.restored");
  }
  for (const row of options) {
    if (row.status !== "called") continue;
    row.called_day = null;
    stepOption(batch, row, "option.restored");
  }
}

/** Calls for margin: of all positions, with one message. */
export function call(batch: Batch, memberId: number, day: number, messageNo: number, neededCents: number): void {
  const notice = { about: "futuresCalled" as const, values: { amount: formatMoney(neededCents) } };
  let message = null;
  const { futures, options } = contractsOf(batch, memberId);
  for (const row of futures) {
    if (row.status === "called") continue;
    row.called_day = day;
    message = message === null ? putNotice(batch, memberId, messageNo, notice) : undefined;
    stepFutures(batch, row, "futures.called", message ?? null);
  }
  for (const row of options) {
    if (row.status === "called") continue;
    row.called_day = day;
    message = message === null ? putNotice(batch, memberId, messageNo, notice) : undefined;
    stepOption(batch, row, "option.called", message ?? null);
  }
}
