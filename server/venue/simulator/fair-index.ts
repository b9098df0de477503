/**
 * What an index would be if each of its shares traded now, at the price of its own path instead of that of its last trade, its tick or its
 * limit. Contracts are priced by it: what is public tells nothing of where it goes next. Trades of a minute tell of the path at the minute's
 * end, some of them early in it; so the level is always ahead of them, by nearly a minute. But what a large share moves alone is in it when
 * the share's trades tell of it, as any share's own jump is: the level would tell of the share before.
 */
import type { Position } from "#server/venue/calendar/trading-calendar.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { GAP_PART, jumpIn } from "./component.ts";
import { clockOf } from "./day-clock.ts";
import type { Factor } from "./factor-model.ts";
import type { Path } from "./intraday-path.ts";
import type { MarketState } from "./market-state.ts";
import { keysOfMinute } from "./moved-path.ts";

/** How far ahead of the clock it is, in minutes: it reaches the end of a minute before the first trade that may tell of it, a sixth into it. */
const LEAD = 0.85;
/** Steps between two marks, a power of two: within a step it stands still, so that no half of one tells the other. */
const STEPS = 128;

type Basket = Pick<MarketState, "market" | "indices" | "session" | "path">;

/** A share of this part of the index or more is a large one. */
const LARGE = 0.02;

/** A constituent of the session. */
interface Part {
  path: Path;
  weight: number;
  large: boolean;
}

/** What comes with a share's trades: a part of the value, and the part of an interval in which it comes. */
interface Late {
  added: number;
  part: number;
}

/** When in a minute a share's trades tell where it ends, in milliseconds: `first` the first that may, `most` the first that shows most of the move. */
function toldAt(path: Path, minute: number, minuteMs: number): { first: number; most: number } {
  const [from, to] = [path.mark(minute), path.mark(minute + 1)];
  const bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
  path.bar(minute, from, to, path.lots(minute + 1) - path.lots(minute), bar);
  const keys = keysOfMinute();
  path.trades(minute, bar, keys, 0);
  const [count = 0] = keys.count;
  // The first of several is where the minute begins.
  const first = count === 0 ? 0 : (keys.offset[count === 1 ? 0 : 1] ?? 0);
  // Where it moves nothing this is no number, and no trade shows it.
  const shown = (price: number): number => (price - from) / (to - from);
  for (let nth = 0; nth < count; nth += 1) if (shown(keys.price[nth] ?? 0) >= 0.5) return { first, most: keys.offset[nth] ?? 0 };
  return { first, most: minuteMs };
}

/** The level of one index. */
class FairLevel {
  readonly #state: Basket;
  readonly #row: number;
  readonly #rows: readonly number[];
  #session = -1;
  #parts: readonly Part[] = [];
  /** The variance of the value of all shares over the day's clock, without jumps. */
  #variance = 0;
  /** The interval that `#values` are of, from a mark to the next, and the value at its end. */
  #mark = Number.NaN;
  #end = 0;
  readonly #values = new Float64Array(STEPS + 1);

  constructor(state: Basket, row: number) {
    this.#state = state;
    this.#row = row;
    this.#rows = state.indices.constituents(row);
  }

  /** The level at a place between two marks, `part` of the way. */
  at(mark: number, part: number): number | null {
    if (this.#session !== this.#state.session) this.#begin();
    if (this.#parts.length === 0) return null;
    if (this.#mark !== mark) this.#load(mark);
    return this.#state.indices.levelFor(this.#row, this.#values[Math.floor(part * STEPS)] ?? 0);
  }

  #begin(): void {
    const { session, indices } = this.#state;
    this.#session = session;
    this.#mark = Number.NaN;
    const parts = this.#rows.flatMap((row) => {
      const path = this.#state.path(row);
      return path ? [{ path, weight: indices.weight(row) }] : [];
    });
    const valueOf = ({ path, weight }: (typeof parts)[number]): number => weight * path.day.base;
    const total = parts.reduce((sum, part) => sum + valueOf(part), 0);
    this.#parts = parts.map((part) => ({ ...part, large: valueOf(part) >= LARGE * total }));
    const factors = new Map<Factor, number>();
    let own = 0;
    for (const part of this.#parts) {
      const { moves } = part.path.day;
      const value = valueOf(part);
      if (!part.large) own += (value * moves.own.deviation) ** 2;
      for (const [factor, share] of [
        [moves.market, moves.beta],
        [moves.group, moves.gamma],
      ] as const)
        factors.set(factor, (factors.get(factor) ?? 0) + value * share);
    }
    this.#variance = (1 - GAP_PART) * [...factors].reduce((sum, [factor, share]) => sum + share * share * factor.variance(session), own);
  }

  #valueAt(mark: number): number {
    let sum = 0;
    for (const { path, weight } of this.#parts) sum += weight * path.exact(mark);
    return sum;
  }

  /** The logarithms by which a share moves in a minute alone: by its jump, and if it is a large one, besides. */
  #aloneIn({ path, large }: Part, minute: number): { jump: number; steady: number } {
    const { own, market, beta, group, gamma } = path.day.moves;
    const { passed } = clockOf(this.#state.market.calendar);
    const jump = jumpIn(own, passed[minute] ?? 0, passed[minute + 1] ?? 0);
    if (!large) return { jump, steady: 0 };
    const moved = (factor: Factor): number => {
      const at = factor.path(own.session);
      return (at[minute + 1] ?? 0) - (at[minute] ?? 0);
    };
    const whole = Math.log(path.exact(minute + 1) / path.exact(minute));
    return { jump, steady: whole - beta * moved(market) - gamma * moved(group) - jump };
  }

  /** What of a minute comes late, in the interval that begins with its end. */
  #lateIn(minute: number): Late[] {
    const { minuteMs } = this.#state.market.calendar;
    if (minute < 0) return [];
    return this.#parts.flatMap((part) => {
      const { jump, steady } = this.#aloneIn(part, minute);
      if (jump === 0 && steady === 0) return [];
      const { first, most } = toldAt(part.path, minute, minuteMs);
      const value = part.weight * part.path.exact(minute + 1);
      return [
        { added: value * (1 - Math.exp(-jump)), part: most / minuteMs + LEAD - 1 },
        { added: value * Math.exp(-jump) * (1 - Math.exp(-steady)), part: first / minuteMs + LEAD - 1 },
      ];
    });
  }

  /**
   * Draws the values between a mark and the next as a Brownian bridge between those at both. Jumps are no part of it, or the first steps
   * would tell of the rest: those of the market come with the next mark, the last moment before trades tell of them.
   */
  #load(mark: number): void {
    const { market, session } = this.#state;
    const { calendar } = market;
    const { passed } = clockOf(calendar);
    const [after = 0, until = 0] = [passed[mark], passed[mark + 1]];
    const values = this.#values;
    values[0] = this.#mark === mark - 1 ? this.#end : this.#valueAt(mark);
    let [end, jumped] = [0, 0];
    for (const part of this.#parts) {
      const { market: factor, beta } = part.path.day.moves;
      const value = part.weight * part.path.exact(mark + 1);
      const { jump, steady } = this.#aloneIn(part, mark);
      const apart = jump + steady + beta * factor.jump(session, after, until);
      end += value;
      if (apart !== 0) jumped += value * (1 - Math.exp(-apart));
    }
    values[STEPS] = end - jumped;
    for (let width = STEPS; width > 1; width /= 2) {
      const deviation = Math.sqrt((this.#variance * (until - after) * width) / STEPS / 4);
      for (let at = width / 2; at < STEPS; at += width) {
        const middle = ((values[at - width / 2] ?? 0) + (values[at + width / 2] ?? 0)) / 2;
        values[at] = middle + deviation * normal(market.key.draw(PURPOSE.fairIndex, session, mark, at));
      }
    }
    for (const { added, part } of this.#lateIn(mark - 1))
      for (let at = 0; at < Math.min(STEPS, Math.floor(part * STEPS)); at += 1) values[at] = (values[at] ?? 0) - added;
    values[STEPS] = end;
    this.#end = end;
    this.#mark = mark;
  }
}

export class FairIndices {
  readonly #state: Basket;
  readonly #levels = new Map<number, FairLevel>();

  constructor(state: Basket) {
    this.#state = state;
  }

  /** The level of an index at a moment of its session's continuous trading, in price units; null at any other, and for what is no index. */
  at(row: number, { session, minute, offsetMs, phase }: Position): number | null {
    const { minutes, minuteMs } = this.#state.market.calendar;
    if (phase !== "open" || session !== this.#state.session || minute < 0) return null;
    const place = Math.min(minutes, minute + LEAD + offsetMs / minuteMs);
    const mark = Math.min(minutes - 1, Math.floor(place));
    let level = this.#levels.get(row);
    if (!level) this.#levels.set(row, (level = new FairLevel(this.#state, row)));
    return level.at(mark, place - mark);
  }
}
