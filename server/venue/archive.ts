/** The door to the history: questions about the past go to a thread of their own, so that the beat never waits for them. */
import { Worker } from "node:worker_threads";
import type { Seed } from "./keyed-random.ts";
import type { Hours } from "./timetable.ts";
import type { Answered, Answers, Asked, Question } from "./history-worker.ts";

interface Waiting {
  resolve: (answer: Answers[keyof Answers]) => void;
  reject: (error: Error) => void;
}

export class Archive {
  readonly #seed: Seed;
  readonly #hours: Hours;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #nextId = 1;

  constructor(seed: Seed, hours: Hours) {
    this.#seed = seed;
    this.#hours = hours;
  }

  /** Ask for something of the past; the thread starts with the first question. Rejects when the thread dies. */
  ask<What extends keyof Answers>(question: Question & { what: What }): Promise<Answers[What]> {
    const worker = this.#worker ?? this.#begin();
    const id = this.#nextId;
    const asked: Asked = { id, question };
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      // Only a question under way keeps the process alive, never the idle thread.
      worker.ref();
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      worker.postMessage(asked);
    });
  }

  /** Have the indices' long past prepared, so that nobody waits for it. */
  prepare(session: number): void {
    const worker = this.#worker ?? this.#begin();
    const asked: Asked = { session };
    worker.postMessage(asked);
  }

  #begin(): Worker {
    const worker = new Worker(new URL("./history-worker.ts", import.meta.url), {
      workerData: { seed: this.#seed, hours: this.#hours },
    });
    worker.unref();
    worker.on("message", (answered: Answered) => {
      const waiting = this.#waiting.get(answered.id);
      this.#waiting.delete(answered.id);
      if (this.#waiting.size === 0) worker.unref();
      if ("error" in answered) waiting?.reject(new Error(answered.error));
      else waiting?.resolve(answered.answer);
    });
    worker.on("error", (error) => this.#fail(worker, error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.#fail(worker, new Error("the history thread has stopped")));
    this.#worker = worker;
    return worker;
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }
}
