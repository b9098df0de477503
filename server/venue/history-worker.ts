/** The history's own thread: answers questions about bars, and between them prepares the indices' long past. */
import { parentPort, workerData } from "node:worker_threads";
import type { Hours } from "./calendar.ts";
import { History } from "./history.ts";
import type { Question } from "./history.ts";
import { marketOf } from "./market.ts";

/** A question, or (without one) a hint to prepare the indices' past as of a session. */
export type Asked = { id: number; question: Question } | { session: number };

export type Answered = { id: number; bars: Float64Array; more: boolean } | { id: number; error: string };

const { seed, hours }: { seed: number; hours: Hours } = workerData;
const market = marketOf(seed, hours);
const history = new History(market);
let warming = false;

function warm(from: number, session: number): void {
  if (history.indices.warm(from, session)) setImmediate(warm, from, session);
}

function answer(id: number, question: Question): Answered {
  try {
    const { bars, more } = history.answer(question);
    return { id, bars: Float64Array.from(bars), more };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (asked: Asked) => {
  if ("question" in asked) {
    parentPort?.postMessage(answer(asked.id, asked.question));
  } else if (!warming) {
    warming = true;
    setImmediate(warm, history.firstSession(asked.session), asked.session);
  }
});
