/** What an order makes of spreads: the legs that its position is then margined with, and the most that they can lose and gain at expiry. */
import { cents } from "#contract/kernel/money.ts";
import { payoffOf } from "#contract/option-price.ts";
import type { OptionRule } from "#contract/option-rule.ts";
import { exerciseCostOf, premiumWorth } from "#contract/option-terms.ts";
import type { OptionSpread, SpreadLeg } from "#contract/option.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { optionRuleAt } from "#server/rules/rules.ts";
import { spreadsWith } from "#server/trading/futures/option-margin.ts";
import type { MarginSources, OpenContracts } from "#server/trading/futures/option-margin.ts";
import { chargesOf } from "#server/trading/futures/options-in-batch.ts";

/** Some lots of a position, at their share of its premium. */
const legOf = (row: OptionRecord, lots: number): SpreadLeg => ({
  right: row.option_right,
  strike: row.strike,
  lots: lots * Math.sign(row.lots),
  costTenths: Math.round((row.cost_tenths * lots) / Math.abs(row.lots)),
});

/** What legs bring if the index is settled at a level, with the charges of expiry. */
function gainAt(legs: readonly SpreadLeg[], final: number, rule: OptionRule): number {
  return legs.reduce((sum, { right, strike, lots, costTenths }) => {
    const price = payoffOf(right, strike, final) * 10;
    const deal = { side: lots > 0 ? "sell" : "buy", lots: Math.abs(lots), price, cause: "settlement", final } as const;
    const { fee, tax } = chargesOf(deal, rule);
    return sum + premiumWorth(price, lots) - premiumWorth(costTenths) - fee - tax;
  }, 0);
}

/**
 * The levels between which nothing but the tax changes: at each strike; beside it, where the charges of expiry begin; and where they are no
 * longer more than what a buyer's exercise pays, who is charged no more than that.
 */
function levelsOf(legs: readonly SpreadLeg[], rule: OptionRule): number[] {
  const strikes = legs.map(({ strike }) => strike);
  const beside = strikes.flatMap((strike) => {
    const paid = Math.ceil(exerciseCostOf(strike, rule) / premiumWorth(10));
    return [1, paid - 1, paid, paid + 1].flatMap((away) => [Math.max(0, strike - away), strike + away]);
  });
  // The margin of calls reckons with twice the highest strike.
  return [0, ...strikes, ...beside, 2 * Math.max(...strikes)];
}

/** The spreads of a position after a trade, the charges of the trade deducted; null where some of its lots are part of none. */
export function spreadAfter(
  moment: MarginSources & { at: number },
  open: OpenContracts,
  positionNo: string,
  chargesCents: number,
): OptionSpread | null {
  const row = open.options.find(({ position_no: no }) => no === positionNo);
  if (!row) return null;
  const others = spreadsWith(moment, moment.at, open, positionNo);
  const covered = others.reduce((sum, { lots }) => sum + lots, 0);
  if (covered < Math.abs(row.lots)) return null;
  const legs = [legOf(row, Math.abs(row.lots)), ...others.map((other) => legOf(other.row, other.lots))];
  const rule = optionRuleAt(moment.rules, row.member_id, moment.at);
  const gains = levelsOf(legs, rule).map((level) => gainAt(legs, level, rule) - chargesCents);
  return {
    legs,
    mostLossCents: cents(Math.max(0, 0 - Math.min(...gains))),
    mostGainCents: cents(Math.max(0, ...gains)),
  };
}
