/** Answers kept for a second, so that what many ask is worked out once. */
import { SECOND_MS } from "#contract/kernel/time.ts";

/** A little less than a second, so that who asks every second is never told what it knows because its timer was early. */
const KEPT_MS = 0.95 * SECOND_MS;

export class TtlCache<Question, Answer> {
  readonly #answers = new Map<Question, { at: number; answer: Answer }>();
  readonly #make: (question: Question) => Answer;

  constructor(make: (question: Question) => Answer) {
    this.#make = make;
  }

  /** The answer to a question, at most a second old. */
  get(question: Question, now: number): Answer {
    const known = this.#answers.get(question);
    if (known && now >= known.at && now - known.at < KEPT_MS) return known.answer;
    const answer = this.#make(question);
    this.#answers.set(question, { at: now, answer });
    return answer;
  }
}
