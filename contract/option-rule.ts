/** The rules of TAIEX options: fees, taxes, sellers' margins and the most lots on a day; apart from the orders, because the rules load them. */
import * as z from "zod/mini";
import { isCalledFirst } from "./futures-rule.ts";
import { Cents } from "./kernel/money.ts";

export const OptionRule = z.object({
  /** The broker's fee for a lot: of a trade, and of an exercise. */
  feeCents: Cents,
  /** The tax of a trade in millionths of the premium, and of an exercise in millionths of what the index is worth. */
  taxPerMillion: z.int(),
  exerciseTaxPerMillion: z.int(),
  /** The exchange's margins of a sold lot beyond its premium: the larger of A less what it is out of the money, and B. */
  initialACents: Cents,
  initialBCents: Cents,
  maintenanceACents: Cents,
  maintenanceBCents: Cents,
  /** What a sold call and a sold put that are margined as one need beyond the margin of one and the premium of the other. */
  initialCCents: Cents,
  maintenanceCCents: Cents,
  /** Everything is closed where this part of the margins and the value of options is left. */
  liquidationPercent: z.int(),
  /** The most lots a member may hold of one side of the market: calls bought and puts sold, or calls sold and puts bought. */
  mostLots: z.int(),
});
export type OptionRule = z.infer<typeof OptionRule>;

/** What is ruled from a day to another, as `taipeiDay` counts them; null is unbounded. */
export const DatedOptionRule = z.object({ from: z.nullable(z.int()), until: z.nullable(z.int()), rule: z.partial(OptionRule) });
export type DatedOptionRule = z.infer<typeof DatedOptionRule>;

/** The rule on a `taipeiDay`; where several say something, the later one wins. @throws Error where nothing is ruled */
export function optionRuleOf(dated: readonly DatedOptionRule[], day: number): OptionRule {
  const rules = dated.filter((one) => (one.from ?? day) <= day && (one.until ?? day) >= day);
  return OptionRule.parse(Object.assign({}, ...rules.map(({ rule }) => rule)));
}

/** Why a rule makes no sense; null where it does. */
export function optionRuleFault(rule: OptionRule): string | null {
  const { initialACents, initialBCents, initialCCents, maintenanceACents, maintenanceBCents, maintenanceCCents, liquidationPercent } = rule;
  if (Object.values(rule).some((value) => value < 0)) return "nothing of it may be negative";
  if (rule.taxPerMillion > 1_000_000 || rule.exerciseTaxPerMillion > 1_000_000) return "a tax may not exceed what it is of";
  if (initialBCents > initialACents || maintenanceBCents > maintenanceACents) return "B may not exceed A";
  if (initialCCents > initialBCents || maintenanceCCents > maintenanceBCents) return "C may not exceed B";
  if (maintenanceACents > initialACents || maintenanceBCents > initialBCents || maintenanceCCents > initialCCents)
    return "the maintenance margin may not exceed the initial one";
  if (liquidationPercent > 100) return "liquidationPercent may not exceed 100";
  const isCalled =
    isCalledFirst({ initialCents: initialACents, maintenanceCents: maintenanceACents }, liquidationPercent) &&
    isCalledFirst({ initialCents: initialBCents, maintenanceCents: maintenanceBCents }, liquidationPercent) &&
    isCalledFirst({ initialCents: initialCCents, maintenanceCents: maintenanceCCents }, liquidationPercent);
  return isCalled ? null : "liquidationPercent may not exceed what the maintenance margin is of the initial one";
}
