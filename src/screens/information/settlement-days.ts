/** Groups pending settlements by day: the coming trading days, and any other day with a settlement due. */
import { taipeiDay } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import type { Settlement } from "#contract/settlement.ts";

export interface SettlementDay {
  /** As counted by `taipeiDay`. */
  day: number;
  at: EpochMs;
  settlements: Settlement[];
  sumCents: number;
}

/** The days, earliest first. */
export function settlementDays({
  settlements,
  tradingDays,
}: {
  settlements: readonly Settlement[];
  tradingDays: readonly EpochMs[];
}): SettlementDay[] {
  const days = new Map<number, SettlementDay>();
  for (const at of [...tradingDays, ...settlements.map(({ dueAt }) => dueAt)]) {
    const day = taipeiDay(at);
    if (days.has(day)) continue;
    const due = settlements.filter(({ dueAt }) => taipeiDay(dueAt) === day);
    days.set(day, { day, at, settlements: due, sumCents: due.reduce((sum, { amountCents }) => sum + amountCents, 0) });
  }
  return [...days.values()].toSorted((a, b) => a.day - b.day);
}
