/** The credit score: its bands with what each lets a member borrow, and every change with its reason. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/** From this score a member may borrow so many percent of their own net assets, and never more than `mostCents`. */
export const CreditBand = z.object({ score: z.int(), percent: z.int(), mostCents: Cents });
export type CreditBand = z.infer<typeof CreditBand>;

/** The broker's rule of scores and loans. */
export const CreditRule = z.object({
  /** The score of a new member. */
  startScore: z.int(),
  /** The highest first; the last one begins at 0. */
  bands: z.array(CreditBand),
  /** The smallest loan, and the terms to choose from. */
  leastCents: Cents,
  termDays: z.array(z.int()),
  /** Yearly interest, on a 365-day basis. */
  interestPerMillion: z.int(),
  /** How long an offer can be signed and drawn. */
  offerMinutes: z.int(),
  /** Days after the due day on which a loan becomes overdue. */
  graceDays: z.int(),
  /** Points that an overdue loan costs. */
  overduePoints: z.int(),
  /** Amount times days that earn one point when a loan is repaid in time, and the most points of one month. */
  pointCentDays: z.int(),
  monthlyPoints: z.int(),
  /** Check-ins in a row that earn points, and how many. */
  streakDays: z.int(),
  streakPoints: z.int(),
});
export type CreditRule = z.infer<typeof CreditRule>;

export const CREDIT_REASONS = ["loanRepaid", "loanOverdue", "paymentFailed", "winWaived", "checkInStreak"] as const;
export const CreditReason = z.enum(CREDIT_REASONS);
export type CreditReason = z.infer<typeof CreditReason>;

export const HIGHEST_SCORE = 100;

export const CreditChange = z.object({
  at: EpochMs,
  points: z.int(),
  /** After the change. */
  score: z.int(),
  reason: CreditReason,
  /** The loan it is about; null for none. */
  loanNo: z.nullable(z.string()),
});
export type CreditChange = z.infer<typeof CreditChange>;

/** What a score is called, from the best band to the worst: the bands of the rule in their order. */
export const BAND_NAMES = ["excellent", "good", "fair", "low", "poor"] as const;
export type BandName = (typeof BAND_NAMES)[number];

/** The band a score is in. */
export function bandOf({ bands }: Pick<CreditRule, "bands">, score: number): CreditBand & { name: BandName } {
  const place = bands.findIndex((band) => score >= band.score);
  const band = bands[place] ?? { score: 0, percent: 0, mostCents: 0 as Cents };
  return { ...band, name: BAND_NAMES[place] ?? "poor" };
}

/** The lowest score with which a member may borrow; one above the highest where nobody may. */
export function lendingScore({ bands }: Pick<CreditRule, "bands">): number {
  return Math.min(HIGHEST_SCORE + 1, ...bands.filter(({ percent }) => percent > 0).map(({ score }) => score));
}

/** Changes listed at most; older ones only count. */
export const CHANGES_LISTED = 200;

export const creditEndpoints = {
  readCredit: endpoint({
    path: "/credit/read",
    access: "member",
    does: "Read the member's credit score, the bands with what each lets them borrow, and the newest 200 changes with their reasons.",
    body: z.object({}),
    data: z.object({
      score: z.int(),
      /** The score before the first listed change, and when the account was opened. */
      firstScore: z.int(),
      openedAt: EpochMs,
      rule: CreditRule,
      /** Newest first. */
      changes: z.array(CreditChange),
    }),
    refusals: [],
  }),
};
