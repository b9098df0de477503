/**
 * Runs the one thread of a process that answers history queries. It starts with the first query and lives as long as the process,
 * because threads that come and go can abort the whole process inside V8. A thread that died is replaced at the next query.
 */
import { Worker } from "node:worker_threads";
import type { HistoryResponse, HistoryResults, HistoryRequest, VenueContext, HistoryQuery } from "./history-worker.ts";

interface PendingQuery {
  venue: number;
  resolve: (answer: HistoryResults[keyof HistoryResults]) => void;
  reject: (error: Error) => void;
}

export class HistoryThread {
  readonly #pending = new Map<number, PendingQuery>();
  #worker: Worker | null = null;
  #nextId = 1;

  /** Rejects when the thread dies, or the venue is released, before the answer. */
  query(context: VenueContext, query: HistoryQuery): Promise<HistoryResults[keyof HistoryResults]> {
    const worker = this.#worker ?? this.#start();
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      // Only a pending query keeps the process alive, never the idle thread.
      worker.ref();
      this.#pending.set(id, { venue: context.venue, resolve, reject });
      worker.postMessage({ ...context, id, query } satisfies HistoryRequest);
    });
  }

  /** Precomputes the long history of the indices. */
  prepare(context: VenueContext, session: number): void {
    const worker = this.#worker ?? this.#start();
    worker.postMessage({ ...context, session } satisfies HistoryRequest);
  }

  /** Rejects the pending queries of a venue and drops its data in the thread; late answers are ignored. */
  release(context: VenueContext): void {
    for (const [id, { venue }] of this.#pending) if (venue === context.venue) this.#remove(id)?.reject(new Error("the venue has stopped"));
    this.#worker?.postMessage({ ...context, stopped: true } satisfies HistoryRequest);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./history-worker.ts", import.meta.url), { name: "history" });
    worker.unref();
    worker.on("message", (response: HistoryResponse) => {
      const pending = this.#remove(response.id);
      if ("error" in response) pending?.reject(new Error(response.error));
      else pending?.resolve(response.answer);
    });
    worker.on("error", (error) => this.#fail(worker, error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.#fail(worker, new Error("the history thread has stopped")));
    this.#worker = worker;
    return worker;
  }

  #remove(id: number): PendingQuery | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker?.unref();
    return pending;
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
