/** The rules of index futures: fees, tax, margins and the most lots of a product on a day; apart from the orders, because the rules load them. */
import * as z from "zod/mini";
import { FUTURES_PRODUCTS } from "./futures-price.ts";
import type { FuturesProduct } from "./futures-price.ts";
import { Cents } from "./kernel/money.ts";

export const FuturesRule = z.object({
  /** The broker's fee for a lot and side. */
  feeCents: Cents,
  /** The futures tax of a side, in millionths of the contract's value. */
  taxPerMillion: z.int(),
  /** The exchange's margins for a lot. */
  initialCents: Cents,
  maintenanceCents: Cents,
  /** Everything is closed where this part of the initial margin is left. */
  liquidationPercent: z.int(),
  /** The most lots of one contract that a member may hold. */
  mostLots: z.int(),
});
export type FuturesRule = z.infer<typeof FuturesRule>;

/** Whether an account falls below its maintenance margin before so much of the initial one is left that everything is closed. */
export const isCalledFirst = (
  { initialCents, maintenanceCents }: { initialCents: number; maintenanceCents: number },
  liquidationPercent: number,
): boolean => initialCents * liquidationPercent <= maintenanceCents * 100;

/** Why a rule makes no sense; null where it does. */
export function futuresRuleFault(rule: FuturesRule): string | null {
  if (Object.values(rule).some((value) => value < 0)) return "nothing of it may be negative";
  if (rule.maintenanceCents > rule.initialCents) return "the maintenance margin may not exceed the initial one";
  if (rule.liquidationPercent > 100) return "liquidationPercent may not exceed 100";
  // Otherwise everything is closed before margin is called for.
  return isCalledFirst(rule, rule.liquidationPercent)
    ? null
    : "liquidationPercent may not exceed what the maintenance margin is of the initial one";
}

/** What is ruled of a product, or of all (null), from a day to another, as `taipeiDay` counts them; null is unbounded. */
export const DatedFuturesRule = z.object({
  product: z.nullable(z.enum(FUTURES_PRODUCTS)),
  from: z.nullable(z.int()),
  until: z.nullable(z.int()),
  rule: z.partial(FuturesRule),
});
export type DatedFuturesRule = z.infer<typeof DatedFuturesRule>;

/** The rule of a product on a `taipeiDay`; where several say something, the later one wins. @throws Error where nothing is ruled */
export function futuresRuleOf(dated: readonly DatedFuturesRule[], product: FuturesProduct, day: number): FuturesRule {
  const rules = dated.filter((one) => (one.product ?? product) === product && (one.from ?? day) <= day && (one.until ?? day) >= day);
  return FuturesRule.parse(Object.assign({}, ...rules.map(({ rule }) => rule)));
}
