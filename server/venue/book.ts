/** The displayed book: five levels a side around the last price, with what members have taken out of it. */
import type { Kind } from "#contract/instrument.ts";
import { price as priced } from "#contract/kernel/money.ts";
import { step, tickSize } from "#contract/tick.ts";
import type { Floor } from "./floor.ts";
import { mix, unit } from "./hash.ts";
import type { Execution, Want } from "./port.ts";

export type Level = [price: number, lots: number];
export const LEVELS = 5;
/** Below this many lots an ordinary day, a book is thin: wider spread, gaps. */
const THIN_LOTS = 250;

interface Taken {
  book: number;
  bids: Map<number, number>;
  asks: Map<number, number>;
}

/** Where ticks are dust against the price, a book is quoted in rounder steps: about a twenty-thousandth. */
const GRAIN = 20_000;

/** The next level up or down a ladder. */
function nextLevel(kind: Kind, at: number, by: 1 | -1): number {
  if (kind !== "crypto") return step(kind, at, by);
  const grain = Math.max(tickSize(kind, at), 10 ** Math.floor(Math.log10(at / GRAIN)));
  return by > 0 ? (Math.floor(at / grain) + 1) * grain : Math.max(grain, (Math.ceil(at / grain) - 1) * grain);
}

export class Book {
  readonly #floor: Floor;
  readonly #taken = new Map<number, Taken>();

  constructor(floor: Floor) {
    this.#floor = floor;
  }

  /** The best price of either side as the market quotes it, before anything was taken; 0 where the side is empty. */
  #best(row: number): { bid: number; ask: number } {
    const floor = this.#floor;
    const who = floor.market.walkers[row];
    const centre = floor.last[row] || floor.reference[row] || 0;
    if (!who || centre === 0) return { bid: 0, ask: 0 };
    const { up, down } = floor.limits(row);
    const hash = mix(who.temper.key ^ 0x41c64e6d, floor.book[row] ?? 0);
    const atAsk = (hash & 1) === 0;
    let wider = who.temper.baseLots < THIN_LOTS ? (hash >>> 8) % 3 : 0;
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
    const who = this.#floor.market.walkers[row];
    if (!who) return 0;
    const place = mix(who.temper.key, price | 0);
    // Deeper levels change more rarely than the best one.
    const age = ((this.#floor.book[row] ?? 0) + (place & 15)) >> (level === 1 ? 0 : 3);
    const luck = unit(mix(place, age));
    const size = 0.12 * who.temper.baseLots ** 0.75 * (0.25 + 1.9 * luck * luck) * (0.75 + 0.15 * level) * (locked ? 12 : 1);
    return Math.max(1, Math.round(size));
  }

  /** The levels of one side, best first, after what was taken. */
  side(row: number, side: "bids" | "asks"): Level[] {
    const floor = this.#floor;
    const who = floor.market.walkers[row];
    const { bid, ask } = this.#best(row);
    let price = side === "bids" ? bid : ask;
    if (!who || price === 0) return [];
    const { up, down } = floor.limits(row);
    const locked = bid === 0 || ask === 0;
    const taken = this.#taken.get(row);
    const gone = taken && taken.book === floor.book[row] ? taken[side] : null;
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
    const taken = this.#taken.get(row);
    if (!taken || taken.book !== this.#floor.book[row]) return this.#best(row);
    return { bid: this.side(row, "bids")[0]?.[0] ?? 0, ask: this.side(row, "asks")[0]?.[0] ?? 0 };
  }

  /** Walk the levels of the other side for as long as the price allows. */
  plan(want: Want): Execution[] {
    const levels = this.side(want.row, want.side === "buy" ? "asks" : "bids");
    const best = levels[0]?.[0] ?? 0;
    const executions: Execution[] = [];
    let missing = want.lots;
    for (let at = 0; at < levels.length && missing > 0; at += 1) {
      const [price, lots] = levels[at] ?? [0, 0];
      if (want.limit !== null && (want.side === "buy" ? price > want.limit : price < want.limit)) break;
      const filled = Math.min(missing, lots);
      executions.push({ price: priced(price), lots: filled, level: at + 1, best: priced(best) });
      missing -= filled;
    }
    return executions;
  }

  /** Remember executions as taken until the market next changes this book. */
  consume(want: Want, executions: readonly Execution[]): void {
    const book = this.#floor.book[want.row] ?? 0;
    let taken = this.#taken.get(want.row);
    if (!taken || taken.book !== book) {
      taken = { book, bids: new Map(), asks: new Map() };
      this.#taken.set(want.row, taken);
    }
    const side = taken[want.side === "buy" ? "asks" : "bids"];
    for (const { price, lots } of executions) side.set(price, (side.get(price) ?? 0) + lots);
  }

  /** Forget what was taken from books that have changed since. */
  sweep(): void {
    for (const [row, taken] of this.#taken) if (taken.book !== this.#floor.book[row]) this.#taken.delete(row);
  }
}
