/** The profit of every held order, and of the positions they make up, at the newest price, computed with the contract's `profitAt`. */
import type { Instrument } from "#contract/instrument.ts";
import { cents, price } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { positionId } from "#contract/position.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import type { Profit } from "#contract/profit.ts";
import { DAY_TRADES } from "#workers/protocol.ts";
import type { ProfitSum, ProfitUpdate } from "#workers/protocol.ts";
import { LAST } from "./quote-table.ts";
import type { QuoteTable } from "./quote-table.ts";

interface Valued {
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
  lendingCents: 0,
  profitCents: 0,
  returnBasisPoints: 0,
  priced: 0,
  unpriced: 0,
};

/** The profit over the invested amount, in hundredths of a percent. */
function returnOf({ openCents, openCostCents, profitCents }: Pick<ProfitSum, "openCents" | "openCostCents" | "profitCents">): number {
  const investedCents = openCents + openCostCents;
  return investedCents === 0 ? 0 : Math.round((profitCents / investedCents) * 10_000);
}

/** The profit of some orders together; null if one of them has no price. */
function together(valued: readonly Valued[]): Profit | null {
  const profits = valued.map(({ profit }) => profit).filter((profit) => profit !== null);
  if (profits.length === 0 || profits.length < valued.length) return null;
  const total = (amountOf: (profit: Profit) => number): Cents => cents(profits.reduce((sum, profit) => sum + amountOf(profit), 0));
  const summed = {
    openCents: total((one) => one.openCents),
    openCostCents: total((one) => one.openCostCents),
    nowCents: total((one) => one.nowCents),
    closeCostCents: total((one) => one.closeCostCents),
    closeFeeCents: total((one) => one.closeFeeCents),
    interestCents: total((one) => one.interestCents),
    dividendCents: total((one) => one.dividendCents),
    lendingCents: total((one) => one.lendingCents),
    profitCents: total((one) => one.profitCents),
  };
  return { ...summed, returnBasisPoints: returnOf(summed) };
}

export class ProfitStore {
  /** By order number. */
  readonly #orders = new Map<string, Valued>();
  /** The orders of each position, by its id. */
  readonly #positions = new Map<string, Valued[]>();
  #known = false;
  #table: QuoteTable | null = null;
  #instrumentOf: (code: string) => Instrument | undefined = () => undefined;

  /** Sets the source of prices. */
  use(table: QuoteTable | null, instrumentOf: (code: string) => Instrument | undefined): void {
    this.#table = table;
    this.#instrumentOf = instrumentOf;
  }

  /** Replaces the orders held; those without open lots are skipped. Null: not known yet, or no longer. */
  setPositions(orders: readonly Order[] | null): void {
    this.#orders.clear();
    this.#positions.clear();
    this.#known = orders !== null;
    for (const order of orders ?? []) {
      if (order.filledLots <= order.closedLots) continue;
      const valued = { order, price: 0, profit: null };
      const id = positionId(order);
      this.#orders.set(order.orderNo, valued);
      this.#positions.set(id, [...(this.#positions.get(id) ?? []), valued]);
    }
  }

  /** Tells whether a key is the number of a held order, the id of a position, or stands for the day trades. */
  has(key: string): boolean {
    return this.#orders.has(key) || this.#positions.has(key) || key === DAY_TRADES;
  }

  /** Codes of all positions. */
  codes(): Set<string> {
    return new Set([...this.#orders.values()].map(({ order }) => order.code));
  }

  /** Recomputes orders whose price changed. Returns their numbers, and the ids of their positions. */
  refresh(): Set<string> {
    const changed = new Set<string>();
    for (const [orderNo, valued] of this.#orders) {
      const instrument = this.#instrumentOf(valued.order.code);
      const last = instrument && this.#table ? this.#table.get(instrument.row, LAST) : 0;
      if (!instrument || last === valued.price) continue;
      valued.price = last;
      valued.profit = last <= 0 ? null : profitAt(heldOf(valued.order), price(last));
      changed.add(orderNo).add(positionId(valued.order));
    }
    return changed;
  }

  /** The profit of an order, or of a position or all day trades: the sum over their orders. */
  profitOf(key: string): Profit | null {
    const order = this.#orders.get(key);
    if (order) return order.profit;
    return together(key === DAY_TRADES ? [...this.#orders.values()].filter((one) => one.order.dayTrade) : (this.#positions.get(key) ?? []));
  }

  update(key: string): ProfitUpdate | null {
    const valued = this.#orders.get(key) ?? this.#positions.get(key)?.[0];
    return valued ? { key, price: valued.price, profit: this.profitOf(key) } : null;
  }

  /** The sum over all positions that have a price; null while the positions are not known. */
  sum(): ProfitSum | null {
    if (!this.#known) return null;
    const sum: ProfitSum = { ...NO_SUM };
    for (const { profit } of this.#orders.values()) {
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
      sum.lendingCents += profit.lendingCents;
      sum.profitCents += profit.profitCents;
    }
    return { ...sum, returnBasisPoints: returnOf(sum) };
  }
}
