/** The history's own thread: answers questions about the past of the process's venues, and between them prepares the indices' long past. */
import { parentPort } from "node:worker_threads";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { MINUTES } from "./bar-aggregation.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import { History } from "./bar-history.ts";
import type { BarsQuestion, Reach } from "./bar-history.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { Market } from "#server/venue/simulator/seeded-market.ts";
import type { Review } from "#server/venue/venue.ts";
import { reviewOf } from "./session-replay.ts";

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

/** Who asks: a venue of the process, with what its past is made from, so that a thread begun anew needs no introduction. */
export interface Asker {
  venue: number;
  seed: Seed;
  hours: Hours;
}

/** A question, a hint to prepare the indices' past as of a session, or (with neither) that the venue has stopped. */
export type Asked = Asker & ({ id: number; question: Question } | { session: number } | { stopped: true });

export type Answered = { id: number; answer: Answers[keyof Answers] } | { id: number; error: string };

/** The past of one venue's market. */
interface Past {
  market: Market;
  history: History;
  /** Who asked about the indices' long past before it was prepared. */
  early: (() => void)[];
  warming: boolean;
}

const pasts = new Map<number, Past>();

function pastOf({ venue, seed, hours }: Asker): Past {
  let past = pasts.get(venue);
  if (!past) {
    const market = marketOf(seed, hours);
    past = { market, history: new History(market), early: [], warming: false };
    pasts.set(venue, past);
  }
  return past;
}

/** Prepare the indices' long past, a little between other questions, until done or nobody is left to ask for it. */
function warm(venue: number, session: number): void {
  const past = pasts.get(venue);
  if (past?.history.indices.warm(session)) setImmediate(warm, venue, session);
  else for (const reply of past?.early.splice(0) ?? []) reply();
}

function beginToWarm(venue: number, past: Past, session: number): void {
  if (!past.warming) setImmediate(warm, venue, session);
  past.warming = true;
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

function answer({ history }: Past, question: Exclude<Question, { what: "review" }>): Answers[keyof Answers] {
  switch (question.what) {
    case "bars":
      return history.bars(question);
    case "actions":
      return history.actions(question.row, question.session);
    case "reach":
      return history.reach(question.row, question.session);
  }
}

function reply(past: Past, id: number, question: Exclude<Question, { what: "review" }>): void {
  try {
    post({ id, answer: answer(past, question) });
  } catch (error) {
    excuse(id, error);
  }
}

/** As of which session a question asks about an index's long past; null for one that does not. */
function longPastOf({ market }: Past, question: Question): number | null {
  if (question.what === "review" || question.what === "actions" || market.models[question.row]) return null;
  if (question.what === "reach") return question.session;
  return MINUTES[question.period] ? null : question.live.session;
}

parentPort?.on("message", (asked: Asked) => {
  const { venue } = asked;
  if ("stopped" in asked) {
    pasts.delete(venue);
    return;
  }
  const past = pastOf(asked);
  if ("session" in asked) {
    beginToWarm(venue, past, asked.session);
    return;
  }
  const { id, question } = asked;
  if (question.what === "review") {
    work(id, reviewOf(past.market, past.history, question.opensAt, question.until));
    return;
  }
  const session = longPastOf(past, question);
  if (session === null || past.history.indices.ready) {
    reply(past, id, question);
    return;
  }
  // Seconds of work: who waits for something else does not wait for it.
  past.early.push(() => reply(past, id, question));
  beginToWarm(venue, past, session);
});
