/**
 * A thread that answers requests. It starts with the first one and lives as long as the process, because threads that come and go can abort
 * the whole process inside V8. A thread that died is replaced at the next request.
 */
import { Worker } from "node:worker_threads";

/** What the thread posts back to a request's number. */
export type Reply<Answer> = { id: number; answer: Answer } | { id: number; error: string };

/**
 * Megabytes of a thread's young generation. Its answers are made of many short-lived objects; with the default, which is several times this,
 * most of them wait as garbage in a heap of two hundred megabytes.
 */
const YOUNG_MB = 12;

interface Pending<Request, Answer> {
  request: Request;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** The reply to a request that failed in the thread. */
export const failure = (id: number, error: unknown): { id: number; error: string } => ({
  id,
  error: error instanceof Error ? (error.stack ?? error.message) : String(error),
});

export class RequestThread<Request extends object, Answer> {
  readonly #file: URL;
  readonly #name: string;
  readonly #pending = new Map<number, Pending<Request, Answer>>();
  #worker: Worker | null = null;
  #nextId = 1;
  #started = 0;

  constructor(file: URL, name: string) {
    this.#file = file;
    this.#name = name;
  }

  /** The number of the thread that the next request goes to: another one after a thread died, which takes what it was told with it. */
  get thread(): number {
    return this.#worker ? this.#started : this.#started + 1;
  }

  /** Posts the request with a number. Rejects when the thread dies, or the request is dropped, before the answer. */
  ask(request: Request): Promise<Answer> {
    const worker = this.#worker ?? this.#start();
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      // Only a pending request keeps the process alive, never the idle thread.
      worker.ref();
      this.#pending.set(id, { request, resolve, reject });
      worker.postMessage({ ...request, id });
    });
  }

  /** Posts what has no answer. */
  tell(message: object): void {
    (this.#worker ?? this.#start()).postMessage(message);
  }

  /** Posts what has no answer, unless no thread runs. */
  tellRunning(message: object): void {
    this.#worker?.postMessage(message);
  }

  /** Rejects some of the pending requests; late answers are ignored. */
  drop(isDropped: (request: Request) => boolean, error: Error): void {
    for (const [id, { request }] of this.#pending) if (isDropped(request)) this.#remove(id)?.reject(error);
  }

  #start(): Worker {
    const worker = new Worker(this.#file, { name: this.#name, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    worker.unref();
    worker.on("message", (reply: Reply<Answer>) => {
      const pending = this.#remove(reply.id);
      if ("error" in reply) pending?.reject(new Error(reply.error));
      else pending?.resolve(reply.answer);
    });
    worker.on("error", (error) => this.#fail(worker, error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.#fail(worker, new Error(`the ${this.#name} thread has stopped`)));
    this.#worker = worker;
    this.#started += 1;
    return worker;
  }

  #remove(id: number): Pending<Request, Answer> | undefined {
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
