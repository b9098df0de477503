/** Caches answers for a second, so that a query many clients make is computed once. */
import { SECOND_MS } from "#contract/kernel/time.ts";

/** A little less than a second, so that a client polling every second never gets its previous answer because its timer fired early. */
const TTL_MS = 0.95 * SECOND_MS;

export class TtlCache<Question, Answer> {
  readonly #answers = new Map<Question, { at: number; answer: Answer }>();
  readonly #make: (question: Question, now: number) => Answer;

  constructor(make: (question: Question, now: number) => Answer) {
    this.#make = make;
  }

  /** The answer to a query, at most a second old. */
  get(question: Question, now: number): Answer {
    const cached = this.#answers.get(question);
    if (cached && now >= cached.at && now - cached.at < TTL_MS) return cached.answer;
    const answer = this.#make(question, now);
    this.#answers.set(question, { at: now, answer });
    return answer;
  }
}
