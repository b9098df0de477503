/** Calls to services that count them: one at a time, never sooner than agreed, and later and later while they fail. */
import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS } from "#contract/kernel/time.ts";

/**
 * What went wrong with a call: nobody answered, the service refused (it may have banned us), or the answer was no sense.
 */
export type Failing = "silent" | "refused" | "garbage";

export class CallFailed extends Error {
  readonly failing: Failing;

  constructor(failing: Failing, message: string) {
    super(message);
    this.failing = failing;
  }
}

export interface CallerOptions {
  /** From the beginning of one call to that of the next, at least, in milliseconds. */
  leastMs: number;
  timeoutMs: number;
  /** What a refusal costs the first time. */
  refusedMs?: number;
  /** However often it failed, it is tried again after this long. */
  mostMs?: number;
  now?: () => number;
  /** A number from 0 up to 1. */
  random?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Who calls: a service that wants to know, or to keep us out, can tell. */
const AGENT = "Mozilla/5.0 (compatible; Kuroshio)";

/** A reply as it came. */
export interface Reply {
  status: number;
  body: string;
  headers: Headers;
  /** Our clock in the middle of the call. */
  at: number;
}

export class Caller {
  readonly #options: Required<CallerOptions>;
  readonly #stopped = new AbortController();
  #failures = 0;
  #nextAt = Number.NEGATIVE_INFINITY;
  #line: Promise<unknown> = Promise.resolve();

  constructor(options: CallerOptions) {
    this.#options = {
      refusedMs: MINUTE_MS,
      mostMs: 15 * MINUTE_MS,
      now: Date.now,
      random: Math.random,
      sleep: (ms, signal) => delay(ms, undefined, { signal }),
      ...options,
    };
  }

  /** How many calls have failed in a row. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Call when it is our turn. `read` makes sense of a reply of any status, or gives null. Redirections are not followed.
   * @throws CallFailed when nobody answers in time, the service refuses, or its reply makes no sense; AbortError once stopped
   */
  get<Value>(url: string, headers: Record<string, string>, read: (reply: Reply) => Value | null): Promise<Value> {
    return this.greet(url, headers, read).then((value) => {
      this.#failures = 0;
      return value;
    });
  }

  /** Call like `get` for what does not show yet that the service serves us: an answer does not end a row of failures. */
  greet<Value>(url: string, headers: Record<string, string>, read: (reply: Reply) => Value | null): Promise<Value> {
    const called = this.#line.then(() => this.#call(url, headers, read));
    this.#line = called.catch(() => undefined);
    return called;
  }

  /** Leave the service more time before the next call than it needs anyway. */
  spare(ms: number): void {
    this.#nextAt = Math.max(this.#nextAt, this.#options.now() + ms);
  }

  /** Give up whatever is under way or waits. */
  stop(): void {
    this.#stopped.abort();
  }

  async #call<Value>(url: string, headers: Record<string, string>, read: (reply: Reply) => Value | null): Promise<Value> {
    const { now, leastMs, sleep } = this.#options;
    const { signal } = this.#stopped;
    const wait = this.#nextAt - now();
    if (wait > 0) await sleep(wait, signal);
    signal.throwIfAborted();
    this.#nextAt = now() + leastMs;
    try {
      return await this.#fetch(url, headers, read);
    } catch (error) {
      signal.throwIfAborted();
      this.#backOff(error instanceof CallFailed ? error.failing : "silent");
      throw error instanceof CallFailed ? error : new CallFailed("silent", `${url} did not answer: ${String(error)}`);
    }
  }

  async #fetch<Value>(url: string, headers: Record<string, string>, read: (reply: Reply) => Value | null): Promise<Value> {
    const { now, timeoutMs } = this.#options;
    const began = now();
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeoutMs)]);
    const answer = await fetch(url, { headers: { "user-agent": AGENT, ...headers }, signal, redirect: "manual" });
    const { status } = answer;
    const body = await answer.text();
    const value = read({ status, body, headers: answer.headers, at: (began + now()) / 2 });
    if (value !== null) return value;
    // Who has had enough of us says so with a status, or leads us away to a page that does.
    if (status !== 200) throw new CallFailed("refused", `${url} answered ${status}`);
    if (/^\s*</.test(body)) throw new CallFailed("refused", `${url} answered with a page instead of data`);
    throw new CallFailed("garbage", `${url} answered with what makes no sense`);
  }

  /** Every failure in a row doubles the wait; a refusal begins with a longer one. Never twice the same, so that many do not come back at once. */
  #backOff(failing: Failing): void {
    const { leastMs, refusedMs, mostMs, random, now } = this.#options;
    const first = failing === "refused" ? Math.max(refusedMs, leastMs) : 2 * leastMs;
    const wait = Math.min(mostMs, first * 2 ** Math.min(this.#failures, 16)) * (1 + random() / 2);
    this.#failures += 1;
    this.#nextAt = Math.max(this.#nextAt, now() + wait);
  }
}
