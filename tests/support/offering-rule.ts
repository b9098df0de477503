/** A rule of offerings for tests. */
import { cents } from "#contract/kernel/money.ts";
import type { OfferingRule } from "#contract/offering-kind.ts";

export const OFFERING_RULE: OfferingRule = {
  channels: ["share", "bond", "placement", "fund", "increase"],
  feeCents: cents(2_000),
  deliveryCents: cents(5_000),
  depositPerMillion: 100_000,
  timesPerOffering: 1,
  placementLeastLots: 1,
  placementMostLots: 20,
  barredDraws: 3,
  failedPoints: 5,
  waivedPoints: 2,
  payAfterSeconds: 30,
};
