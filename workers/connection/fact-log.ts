/** Delivers the member's facts in order and exactly once: pushed facts as they arrive, missed ones read with `factsSince`. */
import type { Fact } from "#contract/fact.ts";
import { failedBecause } from "./http-client.ts";

/** Reads facts numbered above `after`; `newest` is the highest existing number. */
export type ReadSince = (after: number) => Promise<{ facts: Fact[]; newest: number }>;

/** Delay before a failed read is retried. */
const RETRY_MS = 2_000;
/** Above any fact number, so that reading after it returns only the newest number. */
const AFTER_ALL = 2_147_483_647;

export class FactLog {
  readonly #read: ReadSince;
  readonly #emit: (facts: Fact[]) => void;
  /** The number of the newest emitted fact; null until the starting number is known. */
  #newest: number | null = null;
  /** The lowest number pushed while the starting number was not known. */
  #firstPushed = Infinity;
  #reading = false;
  #readAgain = false;
  #generation = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: ReadSince, emit: (facts: Fact[]) => void) {
    this.#read = read;
    this.#emit = emit;
  }

  /** Starts over, for another member or a new session. */
  reset(): void {
    this.#newest = null;
    this.#firstPushed = Infinity;
    this.#reading = false;
    this.#readAgain = false;
    this.#generation++;
    clearTimeout(this.#retryTimer);
  }

  /** Takes a fact pushed over the socket. */
  pushed(fact: Fact): void {
    if (this.#newest === null) {
      // The starting number is still being read, perhaps for long on a bad network, and may include this fact: then it is read from here.
      this.#firstPushed = Math.min(this.#firstPushed, fact.n);
      this.#readMissed();
      return;
    }
    if (fact.n <= this.#newest) return;
    if (fact.n === this.#newest + 1 && !this.#reading) {
      this.#newest = fact.n;
      this.#emit([fact]);
      return;
    }
    this.#readMissed();
  }

  /** Catches up in the background; failures are ignored here because catchUp schedules a retry. */
  #readMissed(): void {
    this.catchUp().catch(() => undefined);
  }

  /**
   * Reads missed facts. Reads never overlap; a call during a read triggers another one afterwards.
   * @throws whatever the read rejects with
   */
  async catchUp(): Promise<void> {
    if (this.#reading) {
      this.#readAgain = true;
      return;
    }
    this.#reading = true;
    const generation = this.#generation;
    try {
      do {
        this.#readAgain = false;
        const { facts, newest } = await this.#read(this.#newest ?? AFTER_ALL);
        if (generation !== this.#generation) return;
        if (this.#newest === null) {
          this.#newest = Math.min(newest, this.#firstPushed - 1);
          if (this.#newest < newest) this.#readAgain = true;
          continue;
        }
        const unseen = facts.filter((fact) => fact.n > (this.#newest ?? 0));
        const last = unseen.at(-1);
        if (last) {
          this.#newest = last.n;
          this.#emit(unseen);
          if (last.n < newest) this.#readAgain = true;
        }
      } while (this.#readAgain);
    } catch (error) {
      // Facts stay missing until read again: the socket may be open without a push for a long time.
      if (generation === this.#generation && !failedBecause(error, "expired")) {
        clearTimeout(this.#retryTimer);
        this.#retryTimer = setTimeout(() => this.#readMissed(), RETRY_MS);
      }
      throw error;
    } finally {
      if (generation === this.#generation) this.#reading = false;
    }
  }
}
