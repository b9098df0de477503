/** Answers questions about strategies on a thread of its own: back-tests, and what a rule wants now. */
import { parentPort } from "node:worker_threads";
import type { Backtest } from "#contract/strategy.ts";
import { backtest, wantedAfter } from "./backtest.ts";
import type { BacktestOrder } from "./backtest.ts";
import { marketDays } from "./market-days.ts";
import type { RawBars } from "./market-days.ts";

/** Without an amount and instruments it asks only what is wanted now. */
export type StrategyQuestion = { id: number; raw: RawBars[] } & (
  | { asks: "backtest"; order: BacktestOrder }
  | { asks: "wanted"; order: Pick<BacktestOrder, "strategy" | "code"> }
);

export type StrategyAnswer = { id: number } & ({ backtest: Backtest } | { wanted: [string, number][] } | { error: string });

function answer(question: StrategyQuestion): StrategyAnswer {
  const { id, raw } = question;
  try {
    const days = marketDays(raw);
    return question.asks === "backtest"
      ? { id, backtest: backtest(days, question.order) }
      : { id, wanted: [...wantedAfter(days, question.order)] };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (question: StrategyQuestion) => parentPort?.postMessage(answer(question)));
