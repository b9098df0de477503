/** The displayed book: five levels a side around the last price, minus what members have taken out of it. */
import type { Kind } from "#contract/instrument.ts";
import { step, tickSize, toTick } from "#contract/tick.ts";
import type { MarketState } from "./market-state.ts";
import { unit } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import { bookBits, showsAsk } from "./aggressor-side.ts";
import { LEVELS } from "#server/venue/matching/book-sweep.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";
import { TradableBook } from "#server/venue/matching/tradable-book.ts";

/** Below this many lots an average day a book is thin: wider spread, gaps. */
const THIN_LOTS = 250;

/** Where ticks are tiny against the price, the book is quoted in rounder steps: about a twenty-thousandth of the price. */
const GRAIN = 20_000;

/** The next level up or down the ladder. */
function nextLevel(kind: Kind, at: number, by: 1 | -1): number {
  if (kind !== "crypto") return step(kind, at, by);
  const grain = Math.max(tickSize(kind, at), 10 ** Math.floor(Math.log10(at / GRAIN)));
  return by > 0 ? (Math.floor(at / grain) + 1) * grain : Math.max(grain, (Math.ceil(at / grain) - 1) * grain);
}

export class DisplayedBook extends TradableBook {
  readonly #state: MarketState;

  constructor(state: MarketState) {
    super(state.book);
    this.#state = state;
  }

  /** The best bid and ask as the market quotes them, before anything was taken; 0 where a side is empty. */
  #best(row: number): { bid: number; ask: number } {
    const state = this.#state;
    const model = state.market.models[row];
    const reference = state.reference[row] ?? 0;
    if (!model || reference === 0) return { bid: 0, ask: 0 };
    // Before the first trade the book is built on the reference, which after an ex-event is on no tick.
    const centre = state.last[row] || toTick(model.kind, reference);
    const { up, down } = state.limits(row);
    const bits = bookBits(model.parameters.key, state.book[row] ?? 0);
    const atAsk = showsAsk(bits);
    let wider = model.parameters.baseLots < THIN_LOTS ? (bits >>> 8) % 3 : 0;
    let bid: number = atAsk ? nextLevel(model.kind, centre, -1) : centre;
    let ask: number = atAsk ? centre : nextLevel(model.kind, centre, 1);
    for (; wider > 0; wider -= 1) {
      if (atAsk) bid = nextLevel(model.kind, bid, -1);
      else ask = nextLevel(model.kind, ask, 1);
    }
    // At a price limit one side of the book is empty.
    if (centre >= up) return { bid: up, ask: 0 };
    if (centre <= down) return { bid: 0, ask: down };
    return { bid: bid >= down && bid < ask ? bid : 0, ask: ask <= up ? ask : 0 };
  }

  #lots(row: number, price: number, level: number, locked: boolean): number {
    const model = this.#state.market.models[row];
    if (!model) return 0;
    const { key } = model.parameters;
    // Deeper levels change less often than the best one.
    const version = ((this.#state.book[row] ?? 0) + (key.draw(PURPOSE.bookLots, price) & 15)) >> (level === 1 ? 0 : 3);
    const roll = unit(key.draw(PURPOSE.bookLots, price, 1, version));
    const size = 0.12 * model.parameters.baseLots ** 0.75 * (0.25 + 1.9 * roll * roll) * (0.75 + 0.15 * level) * (locked ? 12 : 1);
    return Math.max(1, Math.round(size));
  }

  override side(row: number, side: "bids" | "asks"): Level[] {
    const state = this.#state;
    const model = state.market.models[row];
    const { bid, ask } = this.#best(row);
    let price = side === "bids" ? bid : ask;
    if (!model || price === 0) return [];
    const { up, down } = state.limits(row);
    const locked = bid === 0 || ask === 0;
    const taken = this.consumed.of(row, side);
    const levels: Level[] = [];
    for (let level = 1; level <= LEVELS && price <= up && price >= down; level += 1) {
      const lots = this.#lots(row, price, level, locked) - (taken?.get(price) ?? 0);
      if (lots > 0) levels.push([price, lots]);
      const next = nextLevel(model.kind, price, side === "bids" ? -1 : 1);
      if (next === price) break;
      price = next;
    }
    return levels;
  }

  override best(row: number): { bid: number; ask: number } {
    return this.consumed.of(row, "bids") ? super.best(row) : this.#best(row);
  }
}
