/** What an application costs: what is paid and held at once, and the price of all that was asked for. */
import { cents, worth } from "#contract/kernel/money.ts";
import type { Offering } from "#contract/offering.ts";
import type { OfferingRule } from "#contract/offering-kind.ts";

const MILLION = 1_000_000;

/** Amounts in cents. Before its auction an offering is reckoned at the provisional price, which is the most it can become. */
export function costOf({ kind, price, provisionalPrice, lotShares }: Offering, rule: OfferingRule, lots: number) {
  const valueCents = worth(price ?? provisionalPrice, lots * lotShares);
  // A right is exercised for its whole price, and without a fee.
  if (kind === "increase") return { valueCents, depositCents: valueCents, nowCents: valueCents };
  const depositCents = cents(Math.floor((valueCents * rule.depositPerMillion) / MILLION));
  return { valueCents, depositCents, nowCents: rule.feeCents + rule.deliveryCents + depositCents };
}
