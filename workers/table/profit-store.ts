/** The profit of every held position at the newest price, computed with the contract's `profitAt`. */
import type { Instrument } from "#contract/instrument.ts";
import { price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import type { Profit } from "#contract/profit.ts";
import type { ProfitSum, ProfitUpdate } from "#workers/protocol.ts";
import { LAST } from "./quote-table.ts";
import type { QuoteTable } from "./quote-table.ts";

interface Position {
  order: Order;
  /** The price the profit below was computed at. */
  price: number;
  profit: Profit | null;
}

const NO_SUM: ProfitSum = {
  openCents: 0,
  nowCents: 0,
  openCostCents: 0,
  closeCostCents: 0,
  interestCents: 0,
  dividendCents: 0,
  profitCents: 0,
  returnBasisPoints: 0,
  priced: 0,
  unpriced: 0,
};

export class ProfitStore {
  readonly #positions = new Map<string, Position>();
  #known = false;
  #table: QuoteTable | null = null;
  #instrumentOf: (code: string) => Instrument | undefined = () => undefined;

  /** Sets the source of prices. */
  use(table: QuoteTable | null, instrumentOf: (code: string) => Instrument | undefined): void {
    this.#table = table;
    this.#instrumentOf = instrumentOf;
  }

  /** Replaces the positions; orders without open lots are skipped. Null: not known yet, or no longer. */
  setPositions(orders: readonly Order[] | null): void {
    this.#positions.clear();
    this.#known = orders !== null;
    for (const order of orders ?? []) {
      if (order.filledLots > order.closedLots) this.#positions.set(order.orderNo, { order, price: 0, profit: null });
    }
  }

  has(orderNo: string): boolean {
    return this.#positions.has(orderNo);
  }

  /** Codes of all positions. */
  codes(): Set<string> {
    return new Set([...this.#positions.values()].map(({ order }) => order.code));
  }

  /** Recomputes positions whose price changed. Returns their order numbers. */
  refresh(): string[] {
    const changed: string[] = [];
    for (const [orderNo, position] of this.#positions) {
      const instrument = this.#instrumentOf(position.order.code);
      const last = instrument && this.#table ? this.#table.get(instrument.row, LAST) : 0;
      if (!instrument || last === position.price) continue;
      position.price = last;
      position.profit = last <= 0 ? null : profitAt(heldOf(position.order), price(last));
      changed.push(orderNo);
    }
    return changed;
  }

  profitOf(orderNo: string): Profit | null {
    return this.#positions.get(orderNo)?.profit ?? null;
  }

  update(orderNo: string): ProfitUpdate | null {
    const position = this.#positions.get(orderNo);
    return position ? { orderNo, price: position.price, profit: position.profit } : null;
  }

  /** The sum over all positions that have a price; null while the positions are not known. */
  sum(): ProfitSum | null {
    if (!this.#known) return null;
    const sum: ProfitSum = { ...NO_SUM };
    for (const { profit } of this.#positions.values()) {
      if (profit === null) {
        sum.unpriced++;
        continue;
      }
      sum.priced++;
      sum.openCents += profit.openCents;
      sum.nowCents += profit.nowCents;
      sum.openCostCents += profit.openCostCents;
      sum.closeCostCents += profit.closeCostCents;
      sum.interestCents += profit.interestCents;
      sum.dividendCents += profit.dividendCents;
      sum.profitCents += profit.profitCents;
    }
    const investedCents = sum.openCents + sum.openCostCents;
    sum.returnBasisPoints = investedCents === 0 ? 0 : Math.round((sum.profitCents / investedCents) * 10_000);
    return sum;
  }
}
