/** The last closes of instruments whose term has ended. */
import { DailyProcessReader } from "./seeded-market.ts";
import type { SeededMarket } from "./seeded-market.ts";

export class FinalCloses {
  readonly #models: SeededMarket["models"];
  readonly #closes = new Map<number, number>();

  constructor({ models }: SeededMarket) {
    this.#models = models;
  }

  /** The last close of a row whose term has ended before a session; 0 for any other. */
  of(row: number, session: number): number {
    const model = this.#models[row];
    if (!model || model.ends === null || session < model.ends) return 0;
    const close = this.#closes.get(row) ?? new DailyProcessReader(model, model.ends - 1).skip().close;
    this.#closes.set(row, close);
    return close;
  }
}
