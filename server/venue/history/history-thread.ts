/**
 * The one thread of a process that answers questions about the past. It starts with the first question and lives as long as the
 * process: threads that come and go can abort the whole process inside V8. One that died is replaced at the next question.
 */
import { Worker } from "node:worker_threads";
import type { Answered, Answers, Asked, Asker, Question } from "./history-worker.ts";

interface Waiting {
  venue: number;
  resolve: (answer: Answers[keyof Answers]) => void;
  reject: (error: Error) => void;
}

export class HistoryThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #nextId = 1;

  /** Rejects when the thread dies, or the venue is dismissed, before the answer. */
  ask(asker: Asker, question: Question): Promise<Answers[keyof Answers]> {
    const worker = this.#worker ?? this.#begin();
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      // Only a question under way keeps the process alive, never the idle thread.
      worker.ref();
      this.#waiting.set(id, { venue: asker.venue, resolve, reject });
      worker.postMessage({ ...asker, id, question } satisfies Asked);
    });
  }

  /** Have the indices' long past prepared. */
  prepare(asker: Asker, session: number): void {
    const worker = this.#worker ?? this.#begin();
    worker.postMessage({ ...asker, session } satisfies Asked);
  }

  /** Reject whatever a venue waits for, and drop what the thread keeps of it; answers that still come are ignored. */
  dismiss(asker: Asker): void {
    for (const [id, { venue }] of this.#waiting) if (venue === asker.venue) this.#take(id)?.reject(new Error("the venue has stopped"));
    this.#worker?.postMessage({ ...asker, stopped: true } satisfies Asked);
  }

  #begin(): Worker {
    const worker = new Worker(new URL("./history-worker.ts", import.meta.url), { name: "history" });
    worker.unref();
    worker.on("message", (answered: Answered) => {
      const waiting = this.#take(answered.id);
      if ("error" in answered) waiting?.reject(new Error(answered.error));
      else waiting?.resolve(answered.answer);
    });
    worker.on("error", (error) => this.#fail(worker, error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.#fail(worker, new Error("the history thread has stopped")));
    this.#worker = worker;
    return worker;
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    return waiting;
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
