/** The views a member may ask for in a second, over all their sockets: a view costs the server more than any other message. */
import { perSecond } from "./per-second.ts";

/** One socket's share of its member's budget. */
export interface ViewBudget {
  /** Spends a cost. @returns false when the second's budget is used up */
  take(cost: number): boolean;
  /** The socket has closed. */
  leave(): void;
}

export class ViewBudgets {
  readonly #limit: number;
  readonly #byKey = new Map<string, { take: (cost: number) => boolean; sockets: number }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Joins the budget of a member; a visitor of the shared demo member has one per session. */
  join(key: string): ViewBudget {
    const budget = this.#byKey.get(key) ?? { take: perSecond(this.#limit), sockets: 0 };
    budget.sockets += 1;
    this.#byKey.set(key, budget);
    return {
      take: budget.take,
      leave: () => {
        budget.sockets -= 1;
        if (budget.sockets === 0) this.#byKey.delete(key);
      },
    };
  }
}
