/** A rule of scores and loans for tests. */
import type { CreditRule } from "#contract/credit.ts";
import { cents } from "#contract/kernel/money.ts";

export const CREDIT_RULE: CreditRule = {
  startScore: 80,
  bands: [
    { score: 90, percent: 50, mostCents: cents(300_000_000) },
    { score: 80, percent: 40, mostCents: cents(200_000_000) },
    { score: 70, percent: 25, mostCents: cents(100_000_000) },
    { score: 60, percent: 10, mostCents: cents(30_000_000) },
    { score: 0, percent: 0, mostCents: cents(0) },
  ],
  leastCents: cents(1_000_000),
  termDays: [7, 30, 90],
  interestPerMillion: 60_000,
  offerMinutes: 30,
  graceDays: 3,
  overduePoints: 10,
  pointCentDays: 300_000_000,
  monthlyPoints: 3,
  streakDays: 30,
  streakPoints: 1,
};
