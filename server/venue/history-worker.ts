/** The history's own thread: answers questions about the past, and between them prepares the indices' long past. */
import { parentPort, workerData } from "node:worker_threads";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { MINUTES } from "./bundle.ts";
import type { Hours } from "./timetable.ts";
import { History } from "./history.ts";
import type { BarsQuestion, Reach } from "./history.ts";
import type { Seed } from "./keyed-random.ts";
import { marketOf } from "./market.ts";
import type { Review } from "./port.ts";
import { reviewOf } from "./review.ts";

/** What can be asked: bars; an instrument's ex-events or its reach in the year, as of a session; a review of a session at a moment. */
export type Question =
  | ({ what: "bars" } & BarsQuestion)
  | { what: "actions"; row: number; session: number }
  | { what: "reach"; row: number; session: number }
  | { what: "review"; opensAt: number; until: number };

export interface Answers {
  bars: { bars: number[]; more: boolean };
  actions: CorporateAction[];
  reach: Reach | null;
  review: Review;
}

/** A question, or (without one) a hint to prepare the indices' past as of a session. */
export type Asked = { id: number; question: Question } | { session: number };

export type Answered = { id: number; answer: Answers[keyof Answers] } | { id: number; error: string };

const { seed, hours }: { seed: Seed; hours: Hours } = workerData;
const market = marketOf(seed, hours);
const history = new History(market);
/** Who asked about the indices' long past before it was prepared. */
const early: (() => void)[] = [];
let warming = false;

/** Prepare the indices' long past, a little between other questions. */
function warm(session: number): void {
  if (history.indices.warm(session)) setImmediate(warm, session);
  else for (const reply of early.splice(0)) reply();
}

function beginToWarm(session: number): void {
  if (!warming) setImmediate(warm, session);
  warming = true;
}

const post = (answered: Answered): void => parentPort?.postMessage(answered);
const excuse = (id: number, error: unknown): void =>
  post({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });

/** Work at a review in stretches, so that who waits for bars does not wait for it. */
function work(id: number, review: Generator<undefined, Review>): void {
  try {
    const step = review.next();
    if (step.done) post({ id, answer: step.value });
    else setImmediate(work, id, review);
  } catch (error) {
    excuse(id, error);
  }
}

function answer(question: Exclude<Question, { what: "review" }>): Answers[keyof Answers] {
  switch (question.what) {
    case "bars":
      return history.bars(question);
    case "actions":
      return history.actions(question.row, question.session);
    case "reach":
      return history.reach(question.row, question.session);
  }
}

function reply(id: number, question: Exclude<Question, { what: "review" }>): void {
  try {
    post({ id, answer: answer(question) });
  } catch (error) {
    excuse(id, error);
  }
}

/** As of which session a question asks about an index's long past; null for one that does not. */
function longPastOf(question: Question): number | null {
  if (question.what === "review" || question.what === "actions" || market.walkers[question.row]) return null;
  if (question.what === "reach") return question.session;
  return MINUTES[question.period] ? null : question.live.session;
}

parentPort?.on("message", (asked: Asked) => {
  if ("session" in asked) {
    beginToWarm(asked.session);
    return;
  }
  const { id, question } = asked;
  if (question.what === "review") {
    work(id, reviewOf(market, history, question.opensAt, question.until));
    return;
  }
  const session = longPastOf(question);
  if (session === null || history.indices.ready) {
    reply(id, question);
    return;
  }
  // Seconds of work: who waits for something else does not wait for it.
  early.push(() => reply(id, question));
  beginToWarm(session);
});
