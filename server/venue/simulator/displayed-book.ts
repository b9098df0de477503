/** The displayed book: five levels a side around the quotes, minus what members have taken out of it. */
import { unitsPerWhole } from "#contract/instrument.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import { LEVELS } from "#server/venue/matching/book-sweep.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";
import type { BookSide } from "#server/venue/matching/consumed-liquidity.ts";
import { TradableBook } from "#server/venue/matching/tradable-book.ts";
import { depthBound, displayedLots } from "./displayed-lots.ts";
import type { MarketState } from "./market-state.ts";
import type { MovedMarket } from "./moved-market.ts";
import { isLevel, nextLevel } from "./price-ladder.ts";

/** A side as it is quoted: the market's own best price and what it trades at, and whether the side or the other one is empty. */
interface QuotedSide {
  side: BookSide;
  own: number;
  best: number;
  isLocked: boolean;
}

export class DisplayedBook extends TradableBook {
  readonly #state: MarketState;
  readonly #moved: MovedMarket | null;

  /** `moved`: what members move; nothing where there are none. */
  constructor(state: MarketState, moved: MovedMarket | null = null) {
    super({ at: (row) => state.at[row] ?? 0, minuteMs: state.market.calendar.minuteMs });
    this.#state = state;
    this.#moved = moved;
  }

  /** The best bid and ask as the market alone would quote them; 0 where a side is empty. */
  own(row: number): { bid: number; ask: number } {
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

  /** One side as it is quoted, before anything was taken; best 0 where it is empty. */
  #side(row: number, side: BookSide): QuotedSide {
    const own = this.own(row);
    const { bid, ask } = this.#moved?.quotes(row, own) ?? own;
    const isLocked = bid === 0 || ask === 0;
    return side === "bids" ? { side, own: own.bid, best: bid, isLocked } : { side, own: own.ask, best: ask, isLocked };
  }

  /** The lots of a level in the units of orders, without those that members took. */
  #lots(row: number, price: number, { side, own, best, isLocked }: QuotedSide): number {
    const state = this.#state;
    const model = state.market.models[row];
    if (!model) return 0;
    const { key, baseLots } = model.parameters;
    const { minuteMs } = state.market.calendar;
    const isBest = price === best;
    const spread = state.quotes.ask(row) - state.quotes.bid(row);
    const isFree = isLocked && isBest;
    const depth = isFree ? null : (this.#moved?.depthAt(row, side, { own, best, price, spread }) ?? null);
    const ticks = spread / price || tickSize(model.kind, price) / price;
    const most =
      depth === null ? depthBound(baseLots, state.path(row)?.day.deviation ?? 0, ticks) : (this.#moved?.mostAt(row, price, spread) ?? 0);
    const at = { key, dayLots: baseLots, price, minutes: (state.at[row] ?? 0) / minuteMs };
    const lots = displayedLots({ ...at, isBest, isLocked: isFree, bound: most }) * unitsPerWhole(model);
    return Math.max(0, Math.min(depth ?? Infinity, lots - this.consumed.of(row, side, price)));
  }

  /** The levels in units: what is taken of digital currency is a fraction of what is displayed. */
  protected override levels(row: number, side: "bids" | "asks"): Level[] {
    const state = this.#state;
    const model = state.market.models[row];
    const quoted = this.#side(row, side);
    const { best } = quoted;
    if (!model || best === 0) return [];
    const { up, down } = state.limits(row);
    const levels: Level[] = [];
    let price = best;
    for (let level = 1; level <= LEVELS && price <= up && price >= down; level += 1) {
      const lots = this.#lots(row, price, quoted);
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

  /** Whether members' fills move the prices of a row. */
  isMoved(row: number): boolean {
    return (this.#moved?.fillsOf(row) ?? 0) > 0;
  }

  /** The best bid and ask as the market alone would quote them, minus what was taken where nothing has moved. */
  ownBest(row: number): { bid: number; ask: number } {
    return this.isMoved(row) ? this.own(row) : this.best(row);
  }

  override best(row: number): { bid: number; ask: number } {
    return this.consumed.has(row) || this.isMoved(row) ? super.best(row) : this.own(row);
  }

  override lotsAt(row: number, side: "bids" | "asks", price: number): number {
    const state = this.#state;
    const model = state.market.models[row];
    const quoted = this.#side(row, side);
    const { best } = quoted;
    const { up, down } = state.limits(row);
    const isBehind = best > 0 && (side === "bids" ? price <= best : price >= best) && price <= up && price >= down;
    if (!model || !isBehind || !isLevel(model.kind, price)) return 0;
    return this.#lots(row, price, quoted);
  }
}
