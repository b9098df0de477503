/** The member's facts in order, each once: pushed ones as they come, missed ones asked for "since n". */
import type { Fact } from "#contract/fact.ts";
import { failedBecause } from "./http-client.ts";

/** Asks for facts after `after`; `newest` is the highest number there is. */
export type ReadSince = (after: number) => Promise<{ facts: Fact[]; newest: number }>;

/** Until what could not be read is asked for again. */
const TRY_AGAIN_MS = 2_000;
/** Above every number a member's facts will reach, so that asking after it answers with the newest number alone. */
const BEYOND = 2_147_483_647;

export class FactLog {
  readonly #read: ReadSince;
  readonly #tell: (facts: Fact[]) => void;
  /** The number of the newest fact told; null before it is known where to begin. */
  #newest: number | null = null;
  #reading = false;
  #again = false;
  #generation = 0;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(read: ReadSince, tell: (facts: Fact[]) => void) {
    this.#read = read;
    this.#tell = tell;
  }

  /** Another member, or the same one again: begin anew. */
  reset(): void {
    this.#newest = null;
    this.#reading = false;
    this.#again = false;
    this.#generation++;
    clearTimeout(this.#later);
  }

  /** A fact came over the socket. */
  pushed(fact: Fact): void {
    if (this.#newest === null) {
      // Where to begin is still being asked; the answer may or may not include this one, so ask after it once more.
      this.#readMissed();
      return;
    }
    if (fact.n <= this.#newest) return;
    if (fact.n === this.#newest + 1 && !this.#reading) {
      this.#newest = fact.n;
      this.#tell([fact]);
      return;
    }
    this.#readMissed();
  }

  /** Read without anybody who waits for it: whoever has to know that it failed asks by themselves. */
  #readMissed(): void {
    this.catchUp().catch(() => undefined);
  }

  /** Read what was missed. Never two at once; a wish that comes meanwhile is granted after. Rejects with what reading rejects with. */
  async catchUp(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = true;
    const generation = this.#generation;
    try {
      do {
        this.#again = false;
        const { facts, newest } = await this.#read(this.#newest ?? BEYOND);
        if (generation !== this.#generation) return;
        if (this.#newest === null) {
          this.#newest = newest;
          continue;
        }
        const unseen = facts.filter((fact) => fact.n > (this.#newest ?? 0));
        const last = unseen.at(-1);
        if (last) {
          this.#newest = last.n;
          this.#tell(unseen);
          if (last.n < newest) this.#again = true;
        }
      } while (this.#again);
    } catch (error) {
      // What was missed stays missed until it is asked for again: the line may be open and silent for long.
      if (generation === this.#generation && !failedBecause(error, "expired")) {
        clearTimeout(this.#later);
        this.#later = setTimeout(() => this.#readMissed(), TRY_AGAIN_MS);
      }
      throw error;
    } finally {
      if (generation === this.#generation) this.#reading = false;
    }
  }
}
