/** Computes the credit score over time as an SVG path of steps in a box of 100 by 100. */
import { HIGHEST_SCORE } from "#contract/credit.ts";
import type { CreditChange } from "#contract/credit.ts";

export interface ScoreHistory {
  firstScore: number;
  openedAt: number;
  /** Newest first. */
  changes: readonly Pick<CreditChange, "at" | "score">[];
}

export interface ScoreCurve {
  path: string;
  from: number;
  to: number;
  low: number;
  high: number;
}

/** The score from the opening of the account until `now`; where older changes are not listed, from the first listed one. */
export function scoreCurve({ firstScore, openedAt, changes }: ScoreHistory, now: number): ScoreCurve {
  const steps = changes.toReversed();
  const scores = [firstScore, ...steps.map(({ score }) => score)];
  const span = Math.max(1, now - openedAt);
  const x = (at: number): string => (Math.min(1, Math.max(0, (at - openedAt) / span)) * 100).toFixed(2);
  const y = (score: number): string => (100 - (score / HIGHEST_SCORE) * 100).toFixed(2);
  const path = [`M0 ${y(firstScore)}`, ...steps.map(({ at, score }) => `H${x(at)}V${y(score)}`), "H100"].join("");
  return { path, from: firstScore, to: scores.at(-1) ?? firstScore, low: Math.min(...scores), high: Math.max(...scores) };
}
