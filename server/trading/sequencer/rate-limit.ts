/** Limits how many commands a member may send in any second. */
import { SECOND_MS } from "#contract/kernel/time.ts";

/** Times of members' latest commands; entries of the past second only. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #recent = new Map<number, number[]>();
  #sweptAt = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Whether the member's next command would be beyond the limit. */
  full(memberId: number, now: number): boolean {
    return (this.#recent.get(memberId) ?? []).filter((at) => at > now - SECOND_MS).length >= this.#perSecond;
  }

  /** Counts a command. @returns whether it is within the limit */
  take(memberId: number, now: number): boolean {
    this.#sweep(now);
    const recent = (this.#recent.get(memberId) ?? []).filter((at) => at > now - SECOND_MS);
    const may = recent.length < this.#perSecond;
    if (may) recent.push(now);
    this.#recent.set(memberId, recent);
    return may;
  }

  #sweep(now: number): void {
    if (now < this.#sweptAt + SECOND_MS) return;
    this.#sweptAt = now;
    for (const [memberId, recent] of this.#recent) if ((recent.at(-1) ?? 0) <= now - SECOND_MS) this.#recent.delete(memberId);
  }
}
