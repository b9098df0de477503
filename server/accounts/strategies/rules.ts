/**
 * The rules of the strategies, each a pure walk over daily closes: at the close of every day it says which part of the amount it wants in
 * which instrument. Back-tests and runs walk the same days with the same rule.
 */
import type { Strategy } from "#contract/strategy.ts";
import { meanOf } from "./market-days.ts";
import type { DayView } from "./market-days.ts";
import { LearnedRule } from "./learned-rule.ts";
import type { LearnedReport } from "./learned-rule.ts";
import { taipeiMonth } from "#contract/kernel/time.ts";

/** Thousandths of the amount by code; an instrument that is not named is not wanted. */
export type Wanted = ReadonlyMap<string, number>;

/** Told the close of each day, the earliest first. */
export interface Rule {
  decide(view: DayView): Wanted;
  /** Of the learned rule. */
  report?(): LearnedReport;
}

const MILLE = 1_000;
const TENTH = 100;
const NOTHING: Wanted = new Map();
const allOrNothing = (code: string, holds: boolean): Wanted => (holds ? new Map([[code, MILLE]]) : NOTHING);

const SHORT_DAYS = 10;
const LONG_DAYS = 40;

/** Holds while the short average is above the long one. */
function cross(code: string): Rule {
  return {
    decide(view) {
      const closes = view.closes(code, LONG_DAYS);
      return allOrNothing(code, closes.length > 0 && meanOf(closes.slice(-SHORT_DAYS)) > meanOf(closes));
    },
  };
}

const HIGH_DAYS = 20;
const LOW_DAYS = 10;

/** Buys above the channel's top, sells below its bottom. */
function breakout(code: string): Rule {
  let holds = false;
  return {
    decide(view) {
      const closes = view.closes(code, HIGH_DAYS + 1);
      const last = closes.at(-1);
      if (last === undefined) return allOrNothing(code, holds);
      const before = closes.slice(0, -1);
      holds = holds ? last >= Math.min(...before.slice(-LOW_DAYS)) : last > Math.max(...before);
      return allOrNothing(code, holds);
    },
  };
}

const STRENGTH_DAYS = 14;
const WEAK = 30;
const RECOVERED = 55;

/** The relative strength index: rises as a percentage of all moves. */
function strengthOf(closes: readonly number[]): number {
  const moves = closes.slice(1).map((close, nth) => close - (closes[nth] ?? close));
  const rises = moves.reduce((sum, move) => sum + Math.max(0, move), 0);
  const falls = moves.reduce((sum, move) => sum + Math.max(0, -move), 0);
  return rises + falls === 0 ? 50 : (100 * rises) / (rises + falls);
}

/** Buys what has fallen too much, sells when it has recovered. */
function reversion(code: string): Rule {
  let holds = false;
  return {
    decide(view) {
      const closes = view.closes(code, STRENGTH_DAYS + 1);
      if (closes.length > 0) holds = holds ? strengthOf(closes) <= RECOVERED : strengthOf(closes) < WEAK;
      return allOrNothing(code, holds);
    },
  };
}

const GRID_DAYS = 60;
/** A step is this many percent of the average, and a tenth of the amount. */
const STEP_PERCENT = 2;

/** Holds more the lower the price is below its average, and less the higher above. */
function grid(code: string): Rule {
  return {
    decide(view) {
      const closes = view.closes(code, GRID_DAYS);
      const last = closes.at(-1);
      if (last === undefined) return NOTHING;
      const mean = meanOf(closes);
      const steps = Math.trunc(((last - mean) * 100) / (mean * STEP_PERCENT));
      return new Map([[code, Math.min(MILLE, Math.max(0, MILLE / 2 - steps * TENTH))]]);
    },
  };
}

const SWING_DAYS = 20;
const DAYS_A_YEAR = 252;
const TARGET_SWING = 0.1;

/** Holds so much that a year's swing is near the target, in tenths. */
function volatility(code: string): Rule {
  return {
    decide(view) {
      const closes = view.closes(code, SWING_DAYS + 1);
      if (closes.length === 0) return NOTHING;
      const moves = closes.slice(1).map((close, nth) => Math.log(close / (closes[nth] ?? close)));
      const swing = Math.sqrt(meanOf(moves.map((move) => move ** 2)) * DAYS_A_YEAR);
      const part = swing === 0 ? 1 : Math.min(1, TARGET_SWING / swing);
      return new Map([[code, Math.floor(part * 10) * TENTH]]);
    },
  };
}

const MOMENTUM_DAYS = 120;
const STRONGEST = 3;

/** Holds the strongest half-years in equal parts, chosen again on the first day of each month. */
function rotation(): Rule {
  let month = "";
  let chosen: Wanted = NOTHING;
  return {
    decide(view) {
      if (taipeiMonth(view.at) === month) return chosen;
      month = taipeiMonth(view.at);
      const rises = view.codes.flatMap((code) => {
        const closes = view.closes(code, MOMENTUM_DAYS + 1);
        const rise = (closes.at(-1) ?? 0) / (closes[0] ?? 1) - 1;
        return closes.length > 0 && rise > 0 ? [{ code, rise }] : [];
      });
      const best = rises.toSorted((a, b) => b.rise - a.rise || (a.code < b.code ? -1 : 1)).slice(0, STRONGEST);
      chosen = new Map(best.map(({ code }) => [code, Math.floor(MILLE / STRONGEST)]));
      return chosen;
    },
  };
}

function learned(code: string): Rule {
  const rule = new LearnedRule(code);
  return { decide: (view) => allOrNothing(code, rule.decide(view)), report: () => rule.report };
}

const RULES: Record<Strategy, (code: string) => Rule> = { cross, breakout, reversion, grid, volatility, rotation, learned };

/** A rule before its first day; `code` is what it trades, unless it trades all. */
export const startRule = (strategy: Strategy, code: string | null): Rule => RULES[strategy](code ?? "");
