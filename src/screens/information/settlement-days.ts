/** What is to be settled, day by day: the trading days to come, and any other day something falls due on. */
import { taipeiDay } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import type { Settlement } from "#contract/settlement.ts";

export interface SettlementDay {
  /** As `taipeiDay` counts. */
  day: number;
  at: EpochMs;
  settlements: Settlement[];
  sumCents: number;
}

/** The earliest first. */
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
