/** A member's own risk controls: checked for every order that opens a position, never for a close. */
import { holdingsIn } from "#server/trading/clearing/holdings-in-batch.ts";
import { grouped } from "#contract/kernel/money.ts";
import { formatDateTime, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { futuresTodayIn } from "#server/trading/futures/futures-in-batch.ts";
import { optionsTodayIn } from "#server/trading/futures/options-in-batch.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { TradingMember } from "#server/trading/sequencer/trading-member.ts";
import { valuationOf } from "#server/trading/clearing/valuation.ts";

/** Relaxed limits and the time they take effect. */
export interface Easing {
  maxOrderCents: number | null;
  dailyLossCents: number | null;
  at: number;
}

/** The limits in effect at a given time: relaxed ones only from their effective day. */
export function limitsAt(
  { max_order_cents, daily_loss_cents, easing }: { max_order_cents: number | null; daily_loss_cents: number | null; easing: Easing | null },
  at: number,
): { maxOrderCents: number | null; dailyLossCents: number | null } {
  if (easing && at >= easing.at) return { maxOrderCents: easing.maxOrderCents, dailyLossCents: easing.dailyLossCents };
  return { maxOrderCents: max_order_cents, dailyLossCents: daily_loss_cents };
}

/** Whole NT$ for messages. */
const dollars = (amountCents: number): string => grouped(String(Math.floor(amountCents / 100)));

/** A member's result today, negative for a loss: realised profit, today's change of open positions at the latest prices, futures and options. */
function gainedToday(batch: Batch, member: TradingMember): number {
  const day = taipeiDay(batch.at);
  const realised = member.profit_day === day ? member.day_profit_cents : 0;
  const midnight = taipeiMidnight(day);
  const futures = futuresTodayIn(batch, member.id) + optionsTodayIn(batch, member.id);
  return holdingsIn(batch, member.id).reduce((sum, order) => sum + valuationOf(order, batch.venue, midnight).today, realised + futures);
}

/**
 * Checks a member's risk controls for an order worth `valueCents`.
 * @throws Refusal RSK_TRADING_LOCKED, RSK_DAILY_LOSS, RSK_ORDER_MAX
 */
export function checkRisk(batch: Batch, memberId: number, valueCents: number): void {
  const member = batch.member(memberId);
  if (member.locked_until !== null && batch.at < member.locked_until) {
    throw new Refusal("RSK_TRADING_LOCKED", { n: formatDateTime(member.locked_until) });
  }
  const { maxOrderCents, dailyLossCents } = limitsAt(member, batch.at);
  if (dailyLossCents !== null && -gainedToday(batch, member) >= dailyLossCents) {
    throw new Refusal("RSK_DAILY_LOSS", { n: dollars(dailyLossCents) });
  }
  if (maxOrderCents !== null && valueCents > maxOrderCents) throw new Refusal("RSK_ORDER_MAX", { n: dollars(maxOrderCents) }, "lots");
}
