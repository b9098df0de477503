/**
 * The one thread of a process that works on strategies. It starts with the first question and lives as long as the process, because threads
 * that come and go can abort the whole process inside V8. A thread that died is replaced at the next question.
 */
import { Worker } from "node:worker_threads";
import type { StrategyAnswer, StrategyQuestion } from "./strategy-worker.ts";

type Unnumbered<Question> = Question extends unknown ? Omit<Question, "id"> : never;

interface Pending {
  resolve: (answer: StrategyAnswer) => void;
  reject: (error: Error) => void;
}

const pending = new Map<number, Pending>();
let worker: Worker | null = null;
let nextId = 1;

function take(id: number): Pending | undefined {
  const one = pending.get(id);
  pending.delete(id);
  // Only a pending question keeps the process alive, never the idle thread.
  if (pending.size === 0) worker?.unref();
  return one;
}

function start(): Worker {
  const started = new Worker(new URL("./strategy-worker.ts", import.meta.url), { name: "strategies" });
  const fail = (error: Error): void => {
    if (worker !== started) return;
    worker = null;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  started.unref();
  started.on("message", (answer: StrategyAnswer) => {
    const one = take(answer.id);
    if ("error" in answer) one?.reject(new Error(answer.error));
    else one?.resolve(answer);
  });
  started.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
  started.on("exit", () => fail(new Error("the thread of strategies has stopped")));
  worker = started;
  return started;
}

/** Asks the thread. Rejects when it dies before the answer. */
export function askThread(question: Unnumbered<StrategyQuestion>): Promise<StrategyAnswer> {
  const thread = worker ?? start();
  const id = nextId;
  nextId += 1;
  return new Promise((resolve, reject) => {
    thread.ref();
    pending.set(id, { resolve, reject });
    thread.postMessage({ ...question, id });
  });
}
