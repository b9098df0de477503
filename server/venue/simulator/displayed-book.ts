/** The displayed book: five levels a side around the quotes, minus what members have taken out of it. */
import { unitsPerWhole } from "#contract/instrument.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import { LEVELS } from "#server/venue/matching/book-sweep.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";
import { TradableBook } from "#server/venue/matching/tradable-book.ts";
import { depthBound, displayedLots } from "./displayed-lots.ts";
import type { MarketState } from "./market-state.ts";
import { isLevel, nextLevel } from "./price-ladder.ts";

export class DisplayedBook extends TradableBook {
  readonly #state: MarketState;

  constructor(state: MarketState) {
    super({ at: (row) => state.at[row] ?? 0, minuteMs: state.market.calendar.minuteMs });
    this.#state = state;
  }

  /** The best bid and ask as the market quotes them, before anything was taken; 0 where a side is empty. */
  #best(row: number): { bid: number; ask: number } {
    const state = this.#state;
    const model = state.market.models[row];
    const reference = state.reference[row] ?? 0;
    if (!model || reference === 0 || !state.path(row)) return { bid: 0, ask: 0 };
    // Before the first trade the book is built on the reference, which after an ex-event is on no tick.
    if (state.quotes.bid(row) === 0) {
      const { session, minute } = state;
      const moment = { session, minute, nth: 0, byAuction: false };
      state.quotes.start(row, model, state.last[row] || toTick(model.kind, reference), state.limits(row), moment);
    }
    const { up, down } = state.limits(row);
    const [bid, ask] = [state.quotes.bid(row), state.quotes.ask(row)];
    return { bid: bid >= down && bid < ask ? bid : 0, ask: ask <= up ? ask : 0 };
  }

  #lots(row: number, price: number, isBest: boolean, isLocked: boolean): number {
    const state = this.#state;
    const model = state.market.models[row];
    if (!model) return 0;
    const { key, baseLots } = model.parameters;
    const { minuteMs } = state.market.calendar;
    const ticks = (state.quotes.ask(row) - state.quotes.bid(row)) / price || tickSize(model.kind, price) / price;
    const bound = depthBound(baseLots, state.path(row)?.day.deviation ?? 0, ticks);
    return displayedLots({
      key,
      dayLots: baseLots,
      price,
      minutes: (state.at[row] ?? 0) / minuteMs,
      isBest,
      isLocked: isLocked && isBest,
      bound,
    });
  }

  /** The levels in units: what is taken of digital currency is a fraction of what is displayed. */
  protected override levels(row: number, side: "bids" | "asks"): Level[] {
    const state = this.#state;
    const model = state.market.models[row];
    const { bid, ask } = this.#best(row);
    const best = side === "bids" ? bid : ask;
    if (!model || best === 0) return [];
    const { up, down } = state.limits(row);
    const isLocked = bid === 0 || ask === 0;
    const per = unitsPerWhole(model);
    const levels: Level[] = [];
    let price = best;
    for (let level = 1; level <= LEVELS && price <= up && price >= down; level += 1) {
      const lots = this.#lots(row, price, price === best, isLocked) * per - this.consumed.of(row, side, price);
      if (lots > 0) levels.push([price, lots]);
      const next = nextLevel(model.kind, price, side === "bids" ? -1 : 1);
      if (next === price) break;
      price = next;
    }
    return levels;
  }

  /** A coin of which only a part is left is displayed as one, so that all that can be traded is displayed. */
  override side(row: number, side: "bids" | "asks"): Level[] {
    const kind = this.#state.market.models[row]?.kind;
    const per = kind ? unitsPerWhole({ kind }) : 1;
    return this.levels(row, side).map(([price, units]) => [price, Math.ceil(units / per)]);
  }

  override best(row: number): { bid: number; ask: number } {
    return this.consumed.has(row) ? super.best(row) : this.#best(row);
  }

  override lotsAt(row: number, side: "bids" | "asks", price: number): number {
    const state = this.#state;
    const model = state.market.models[row];
    const { bid, ask } = this.#best(row);
    const { up, down } = state.limits(row);
    const best = side === "bids" ? bid : ask;
    const isBehind = best > 0 && (side === "bids" ? price <= best : price >= best) && price <= up && price >= down;
    if (!model || !isBehind || !isLevel(model.kind, price)) return 0;
    const lots = this.#lots(row, price, price === best, bid === 0 || ask === 0) * unitsPerWhole(model);
    return Math.max(0, lots - this.consumed.of(row, side, price));
  }
}
