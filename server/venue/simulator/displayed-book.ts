/** The displayed book: five levels a side around the last price, with what members have taken out of it. */
import type { Kind } from "#contract/instrument.ts";
import { step, tickSize, toTick } from "#contract/tick.ts";
import type { MarketState } from "./market-state.ts";
import { unit } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Execution, Want } from "#server/venue/venue.ts";
import { faceOf, showsAsk } from "./aggressor-side.ts";
import { LEVELS, ConsumedLiquidity, sweepBook } from "#server/venue/matching/book-sweep.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";

/** Below this many lots an ordinary day, a book is thin: wider spread, gaps. */
const THIN_LOTS = 250;

/** Where ticks are dust against the price, a book is quoted in rounder steps: about a twenty-thousandth. */
const GRAIN = 20_000;

/** The next level up or down a ladder. */
function nextLevel(kind: Kind, at: number, by: 1 | -1): number {
  if (kind !== "crypto") return step(kind, at, by);
  const grain = Math.max(tickSize(kind, at), 10 ** Math.floor(Math.log10(at / GRAIN)));
  return by > 0 ? (Math.floor(at / grain) + 1) * grain : Math.max(grain, (Math.ceil(at / grain) - 1) * grain);
}

export class DisplayedBook {
  readonly #state: MarketState;
  readonly #taken: ConsumedLiquidity;

  constructor(state: MarketState) {
    this.#state = state;
    this.#taken = new ConsumedLiquidity(state.book);
  }

  /** The best price of either side as the market quotes it, before anything was taken; 0 where the side is empty. */
  #best(row: number): { bid: number; ask: number } {
    const state = this.#state;
    const who = state.market.models[row];
    const reference = state.reference[row] ?? 0;
    if (!who || reference === 0) return { bid: 0, ask: 0 };
    // Before the first trade a book is built on the reference; after an ex-event that is on no tick.
    const centre = state.last[row] || toTick(who.kind, reference);
    const { up, down } = state.limits(row);
    const face = faceOf(who.parameters.key, state.book[row] ?? 0);
    const atAsk = showsAsk(face);
    let wider = who.parameters.baseLots < THIN_LOTS ? (face >>> 8) % 3 : 0;
    let bid: number = atAsk ? nextLevel(who.kind, centre, -1) : centre;
    let ask: number = atAsk ? centre : nextLevel(who.kind, centre, 1);
    for (; wider > 0; wider -= 1) {
      if (atAsk) bid = nextLevel(who.kind, bid, -1);
      else ask = nextLevel(who.kind, ask, 1);
    }
    // Locked at a limit, one side waits in vain.
    if (centre >= up) return { bid: up, ask: 0 };
    if (centre <= down) return { bid: 0, ask: down };
    return { bid: bid >= down && bid < ask ? bid : 0, ask: ask <= up ? ask : 0 };
  }

  #lots(row: number, price: number, level: number, locked: boolean): number {
    const who = this.#state.market.models[row];
    if (!who) return 0;
    const { key } = who.parameters;
    // Deeper levels change more rarely than the best one.
    const age = ((this.#state.book[row] ?? 0) + (key.draw(PURPOSE.bookLots, price) & 15)) >> (level === 1 ? 0 : 3);
    const luck = unit(key.draw(PURPOSE.bookLots, price, 1, age));
    const size = 0.12 * who.parameters.baseLots ** 0.75 * (0.25 + 1.9 * luck * luck) * (0.75 + 0.15 * level) * (locked ? 12 : 1);
    return Math.max(1, Math.round(size));
  }

  /** The levels of one side, best first, after what was taken. */
  side(row: number, side: "bids" | "asks"): Level[] {
    const state = this.#state;
    const who = state.market.models[row];
    const { bid, ask } = this.#best(row);
    let price = side === "bids" ? bid : ask;
    if (!who || price === 0) return [];
    const { up, down } = state.limits(row);
    const locked = bid === 0 || ask === 0;
    const gone = this.#taken.of(row, side);
    const levels: Level[] = [];
    for (let level = 1; level <= LEVELS && price <= up && price >= down; level += 1) {
      const lots = this.#lots(row, price, level, locked) - (gone?.get(price) ?? 0);
      if (lots > 0) levels.push([price, lots]);
      const next = nextLevel(who.kind, price, side === "bids" ? -1 : 1);
      if (next === price) break;
      price = next;
    }
    return levels;
  }

  /** Best bid and ask after what was taken; 0 for none. */
  best(row: number): { bid: number; ask: number } {
    if (!this.#taken.of(row, "bids")) return this.#best(row);
    return { bid: this.side(row, "bids")[0]?.[0] ?? 0, ask: this.side(row, "asks")[0]?.[0] ?? 0 };
  }

  /** Walk the levels of the other side for as long as the price allows. */
  plan(want: Want): Execution[] {
    return sweepBook(this.side(want.row, want.side === "buy" ? "asks" : "bids"), want);
  }

  /** Remember executions as taken until the market next changes this book. */
  consume(want: Want, executions: readonly Execution[]): void {
    this.#taken.take(want, executions);
  }

  /** Forget what was taken from books that have changed since. */
  sweep(): void {
    this.#taken.sweep();
  }
}
