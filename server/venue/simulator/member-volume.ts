/** What members' trades add to the current minute of every row: counted apart from the market's own, which are planned for the whole minute. */
import { floats } from "#server/venue/market-data/quote-columns.ts";
import type { Columns } from "#server/venue/market-data/quote-columns.ts";

export class MemberVolume {
  readonly #lots: Float64Array;
  readonly #turnover: Float64Array;

  constructor(count: number) {
    this.#lots = floats(count);
    this.#turnover = floats(count);
  }

  clear(): void {
    this.#lots.fill(0);
    this.#turnover.fill(0);
  }

  add(row: number, lots: number, price: number): void {
    this.#lots[row] = (this.#lots[row] ?? 0) + lots;
    this.#turnover[row] = (this.#turnover[row] ?? 0) + lots * price;
  }

  /** All lots of a row before the minute, and members' in it. */
  lotsBefore({ lotsBefore }: Columns, row: number): number {
    return (lotsBefore[row] ?? 0) + (this.#lots[row] ?? 0);
  }

  turnoverBefore({ turnoverBefore }: Columns, row: number): number {
    return (turnoverBefore[row] ?? 0) + (this.#turnover[row] ?? 0);
  }

  /** Counts the minute of a row to what was before the next. */
  endMinute(columns: Columns, row: number): void {
    if (this.#lots[row] === 0) return;
    columns.lotsBefore[row] = this.lotsBefore(columns, row);
    columns.turnoverBefore[row] = this.turnoverBefore(columns, row);
    this.#lots[row] = 0;
    this.#turnover[row] = 0;
  }
}
