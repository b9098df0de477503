/** Calls rate-limited services: one call at a time, with a minimum interval, and exponential backoff while calls fail. */
import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS } from "#contract/kernel/time.ts";

/** What went wrong with a call: no answer, a refusal (possibly a ban), or an answer that could not be parsed. */
export type Failing = "silent" | "refused" | "garbage";

export class CallFailed extends Error {
  readonly failing: Failing;

  constructor(failing: Failing, message: string) {
    super(message);
    this.failing = failing;
  }
}

export interface CallerOptions {
  /** Minimum time between the starts of two calls, in milliseconds. */
  leastMs: number;
  timeoutMs: number;
  /** The wait after the first refusal. */
  refusedMs?: number;
  /** The longest wait, however often it failed. */
  mostMs?: number;
  now?: () => number;
  /** A random number from 0 up to 1. */
  random?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Identifies us, so that a service can recognise or block us. */
const AGENT = "Mozilla/5.0 (compatible; Kuroshio)";

/** A reply as received. */
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
  #queue: Promise<unknown> = Promise.resolve();

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

  /** The number of consecutive failures. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Calls when it is this call's turn. `read` parses a reply of any status, or returns null. Redirects are not followed.
   * @throws CallFailed when there is no answer in time, the service refuses, or its reply cannot be parsed; AbortError once stopped
   */
  get<Value>(url: string, headers: Record<string, string>, read: (reply: Reply) => Value | null): Promise<Value> {
    return this.handshake(url, headers, read).then((value) => {
      this.#failures = 0;
      return value;
    });
  }

  /** Like `get`, for a call whose success does not prove that the service serves us: it does not reset the failure count. */
  handshake<Value>(url: string, headers: Record<string, string>, read: (reply: Reply) => Value | null): Promise<Value> {
    const result = this.#queue.then(() => this.#call(url, headers, read));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** Delays the next call by at least this long. */
  postpone(ms: number): void {
    this.#nextAt = Math.max(this.#nextAt, this.#options.now() + ms);
  }

  /** Aborts the current call and all waiting ones. */
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
    // A service that blocks us does so with an error status, or a redirect to a page.
    if (status !== 200) throw new CallFailed("refused", `${url} answered ${status}`);
    if (/^\s*</.test(body)) throw new CallFailed("refused", `${url} answered with a page instead of data`);
    throw new CallFailed("garbage", `${url} answered with data that cannot be parsed`);
  }

  /**
   * Every consecutive failure doubles the wait; a refusal starts with a longer one. Randomised, so that many clients do not return
   * at once.
   */
  #backOff(failing: Failing): void {
    const { leastMs, refusedMs, mostMs, random, now } = this.#options;
    const first = failing === "refused" ? Math.max(refusedMs, leastMs) : 2 * leastMs;
    const wait = Math.min(mostMs, first * 2 ** Math.min(this.#failures, 16)) * (1 + random() / 2);
    this.#failures += 1;
    this.#nextAt = Math.max(this.#nextAt, now() + wait);
  }
}
