/** Answers questions about strategies on a thread of its own: back-tests, and what a rule wants now. */
import { parentPort } from "node:worker_threads";
import type { Backtest } from "#contract/strategy.ts";
import { failure } from "#server/kernel/request-thread.ts";
import type { Reply } from "#server/kernel/request-thread.ts";
import { backtest, wantedAfter } from "./backtest.ts";
import type { BacktestOrder } from "./backtest.ts";
import { marketDays } from "./market-days.ts";
import type { RawBars } from "./market-days.ts";
import type { Wanted } from "./rules.ts";

export type StrategyQuestion = { raw: RawBars[] } & (
  | { asks: "backtest"; order: BacktestOrder }
  | { asks: "wanted"; order: Pick<BacktestOrder, "strategy" | "code"> }
);

/** By what is asked. */
export interface StrategyAnswers {
  backtest: Backtest;
  wanted: Wanted;
}

type Answer = StrategyAnswers[keyof StrategyAnswers];

function answer(question: StrategyQuestion): Answer {
  const days = marketDays(question.raw);
  return question.asks === "backtest" ? backtest(days, question.order) : wantedAfter(days, question.order);
}

function replyTo({ id, ...question }: StrategyQuestion & { id: number }): Reply<Answer> {
  try {
    return { id, answer: answer(question) };
  } catch (error) {
    return failure(id, error);
  }
}

parentPort?.on("message", (question: StrategyQuestion & { id: number }) => parentPort?.postMessage(replyTo(question)));
