/** What members' fills move prices by in the current session: the quotes, the market's own trades as they are printed, and its day so far. */
import { TAPE_STRIDE } from "#contract/tape.ts";
import { tickSize } from "#contract/tick.ts";
import type { BookSide } from "#server/venue/matching/consumed-liquidity.ts";
import { Offset, impactOf, movedPrice } from "./impact.ts";
import type { Impact } from "./impact.ts";
import { Path } from "./intraday-path.ts";
import type { Bar } from "./intraday-path.ts";
import { MAX_KEY_TRADES } from "./key-trades.ts";
import type { MarketState } from "./market-state.ts";
import type { MemberTrades } from "./member-trades.ts";
import { MovedPath } from "./moved-path.ts";
import type { KeyTrade } from "./moved-path.ts";
import { nextLevel } from "./price-ladder.ts";

/** The best bid and ask of a row; 0 for an empty side. */
interface Best {
  bid: number;
  ask: number;
}

/** The market's own day of a row so far, as it traded; `turnover` in price units times lots. */
export interface OwnDay {
  open: number;
  high: number;
  low: number;
  last: number;
  volume: number;
  turnover: number;
}

/** A level of a side: the market's own best price of the side, what it trades at, the price of the level, and the market's own spread. */
export interface LevelOf {
  own: number;
  best: number;
  price: number;
  spread: number;
}

/** A row with members' fills in the session. */
interface MovedRow {
  session: number;
  offset: Offset;
  path: Path;
  moved: MovedPath;
  /** The minutes that are counted in the day, and with how many fills they were. */
  counted: number;
  fills: number;
  high: number;
  low: number;
  open: number;
  /** How much more than the market's own turnover the minutes that are counted have. */
  turnover: number;
  /** The key trades of minutes, and with how many fills they were. */
  ranges: Map<number, readonly KeyTrade[]>;
  ranged: number;
  /** How far off the quotes were when they were last looked at. */
  quoted: Best;
}

const meanOf = ({ open, high, low, close }: Bar): number => (open + high + low + close) / 4;

export class MovedMarket {
  readonly #state: MarketState;
  readonly #trades: MemberTrades;
  readonly #rows = new Map<number, MovedRow>();
  readonly #impacts: { session: number; impact: Impact | null }[] = [];

  constructor(state: MarketState, trades: MemberTrades) {
    this.#state = state;
    this.#trades = trades;
  }

  /** The impact on a row in the session; null where members move nothing. */
  impact(row: number): Impact | null {
    const state = this.#state;
    const known = this.#impacts[row];
    if (known?.session === state.session) return known.impact;
    const [model, path] = [state.market.models[row], state.path(row)];
    const impact = model && path ? impactOf(model, path.day, state.market.calendar) : null;
    this.#impacts[row] = { session: state.session, impact };
    return impact;
  }

  /** A row with members' fills; null for one without. */
  #of(row: number): MovedRow | null {
    if (this.#trades.isUnfilled(row)) return null;
    const { session, market } = this.#state;
    const known = this.#rows.get(row);
    if (known?.session === session) return known;
    const fills = this.#trades.fills(row, session);
    const [impact, model, shared] = [fills.length > 0 ? this.impact(row) : null, market.models[row], this.#state.path(row)];
    if (!impact || !model || !shared) return null;
    const offset = new Offset(impact, fills);
    // A path of its own: asked for past minutes, one that is shared would have to go through them again.
    const path = new Path(model, shared.day, market.sessionProfile(session));
    const moved = new MovedPath(path, offset, market.calendar);
    const counted = { counted: 0, fills: 0, high: 0, low: 0, open: 0, turnover: 0 };
    const begun: MovedRow = { ...counted, session, offset, path, moved, ranges: new Map(), ranged: 0, quoted: { bid: 0, ask: 0 } };
    this.#rows.set(row, begun);
    return begun;
  }

  /** Forgets what was computed of the fills. */
  clear(): void {
    this.#rows.clear();
  }

  /** Adds a member's fill that is stored: lots bought, or sold as a negative number. */
  add(row: number, at: number, lots: number): void {
    const known = this.#rows.get(row);
    const session = this.#trades.addFill(row, at, lots);
    if (known?.session === session) known.offset.add(at, lots);
    // Quotes that move without a trade are looked for among the rows that are known.
    else this.#of(row);
  }

  /** How many fills of the session a row has: what is computed of it holds as long as there are no more. */
  fillsOf(row: number): number {
    return this.#of(row)?.offset.size ?? 0;
  }

  /** The path of a row as it trades; null where the row has none. */
  path(row: number): MovedPath | Path | null {
    return this.#of(row)?.moved ?? this.#state.path(row);
  }

  /** A price of the market's own at a moment as it trades. */
  #price({ offset }: MovedRow, price: number, at: number): number {
    return movedPrice(offset.impact, price, offset.at(at));
  }

  /** How far off the price of a row is for those who take from its book, who know each fill at once. */
  offset(row: number): number {
    return this.#of(row)?.offset.withPending(this.#state.at[row] ?? 0) ?? 0;
  }

  /** The best bid and ask of a row from those of the market's own. */
  quotes(row: number, own: Best): Best {
    const moved = this.#of(row);
    if (!moved || (own.bid === 0 && own.ask === 0)) return own;
    const { impact } = moved.offset;
    const { kind, up, down } = impact;
    const off = moved.offset.at(this.#state.at[row] ?? 0);
    const bid = own.bid > 0 ? movedPrice(impact, own.bid, off) : 0;
    const ask = own.ask > 0 ? movedPrice(impact, own.ask, off) : 0;
    if (bid === 0 || ask === 0 || bid < ask) return { bid, ask };
    // At a limit, or where ticks are coarser, the two may have come to the same price.
    const above = nextLevel(kind, bid, 1);
    return above <= up && bid > down ? { bid, ask: above } : bid > down ? { bid: nextLevel(kind, ask, -1), ask } : { bid, ask: above };
  }

  /** The rows whose quotes have moved since the last call without a trade: as a fill begins to count, or fades. */
  changed(now: number): number[] {
    const state = this.#state;
    const rows: number[] = [];
    for (const [row, moved] of this.#rows) {
      if (moved.session !== state.session) this.#rows.delete(row);
      else {
        const [bid, ask] = [state.quotes.bid(row), state.quotes.ask(row)];
        const off = moved.offset.at(now);
        const { impact } = moved.offset;
        const quoted = { bid: movedPrice(impact, bid, off) - bid, ask: movedPrice(impact, ask, off) - ask };
        if (quoted.bid !== moved.quoted.bid || quoted.ask !== moved.quoted.ask) rows.push(row);
        moved.quoted = quoted;
      }
    }
    return rows;
  }

  /** The market's own newest trades of a row numbered above `after`, at most `limit`, as they were printed. */
  tape(row: number, after: number, limit: number): number[] {
    const flat = this.#state.readTape(row, after, limit);
    const moved = this.#of(row);
    if (!moved) return flat;
    for (let at = 0; at < flat.length; at += TAPE_STRIDE) {
      const [, time = 0, price = 0, , side = 0] = flat.slice(at, at + TAPE_STRIDE);
      if (side !== 0) flat[at + 2] = this.#printed(moved, price, time);
    }
    return flat;
  }

  /** The price that a trade was printed at: between two key trades within what the minute had traded at, as the market's own is. */
  #printed(moved: MovedRow, price: number, time: number): number {
    const { calendar } = this.#state.market;
    const opensAt = calendar.opensAt(moved.session);
    const minute = Math.min(calendar.minutes - 1, Math.floor((time - opensAt) / calendar.minuteMs));
    if (moved.ranged !== moved.offset.size) moved.ranges.clear();
    moved.ranged = moved.offset.size;
    const keys = moved.ranges.get(minute) ?? moved.moved.keys(minute);
    moved.ranges.set(minute, keys);
    let [high, low] = [0, Infinity];
    for (const key of keys) {
      if (opensAt + minute * calendar.minuteMs + key.offsetMs > time) break;
      high = Math.max(high, key.price);
      low = Math.min(low, key.price);
    }
    const exact = this.#price(moved, price, time);
    return high === 0 ? exact : Math.min(high, Math.max(low, exact));
  }

  /** The rows with members' fills in the session. */
  rows(): number[] {
    return this.#trades.filledRows(this.#state.session).filter((row) => this.#of(row) !== null);
  }

  /** The market's own day of a row so far; null where it is as the table has it. */
  day(row: number): OwnDay | null {
    const state = this.#state;
    const moved = this.#of(row);
    if (!moved || (state.last[row] ?? 0) === 0) return null;
    this.#count(row, moved);
    const { high, low, open } = moved;
    const bar = this.#minuteOf(row, moved);
    const newest = this.tape(row, 0, 1);
    return {
      open: open || bar.open,
      high: Math.max(high, bar.high),
      low: low === 0 ? bar.low : bar.low === 0 ? low : Math.min(low, bar.low),
      last: newest[2] ?? state.last[row] ?? 0,
      volume: state.volume[row] ?? 0,
      turnover: (state.turnover[row] ?? 0) + moved.turnover + this.#turnoverOf(row, bar),
    };
  }

  /** The current minute's bar of a row from a bar of the market's own; null where there is none. */
  minuteBar(row: number, own: Bar | null): Bar | null {
    const moved = this.#of(row);
    if (!moved || !own) return own;
    const { open, high, low } = this.#minuteOf(row, moved);
    return open === 0 ? own : { ...own, open, high, low, close: this.tape(row, 0, 1)[2] ?? own.close };
  }

  /** Counts the minutes that are over; all of them again after a further fill. */
  #count(row: number, moved: MovedRow): void {
    const { minutes } = this.#state.market.calendar;
    const until = this.#state.late.over(row, Math.min(minutes, this.#state.minute));
    const { path } = moved;
    if (moved.fills !== moved.offset.size)
      Object.assign(moved, { counted: 0, fills: moved.offset.size, high: 0, low: 0, open: 0, turnover: 0 });
    const own: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    const bar: Bar = { ...own };
    for (; moved.counted < until; moved.counted += 1) {
      const minute = moved.counted;
      const lots = path.lots(minute + 1) - path.lots(minute);
      if (lots === 0) continue;
      const [from, to] = [path.mark(minute), path.mark(minute + 1)];
      path.bar(minute, from, to, lots, own);
      moved.moved.bar(minute, from, to, lots, bar);
      if (moved.open === 0) moved.open = bar.open;
      moved.high = Math.max(moved.high, bar.high);
      moved.low = moved.low === 0 ? bar.low : Math.min(moved.low, bar.low);
      moved.turnover += lots * (meanOf(bar) - meanOf(own));
    }
  }

  /** The current minute so far, from the key trades that are printed; open 0 without any. */
  #minuteOf(row: number, { moved }: MovedRow): Bar {
    const { trades, printed, minute } = this.#state;
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    for (let nth = 0; nth < Math.min(trades.count[row] ?? 0, printed[row] ?? 0); nth += 1) {
      const place = row * MAX_KEY_TRADES + nth;
      const price = moved.priceOf(minute, nth, trades.price[place] ?? 0, trades.offset[place] ?? 0);
      if (nth === 0) bar.open = bar.low = price;
      bar.high = Math.max(bar.high, price);
      bar.low = Math.min(bar.low, price);
      bar.close = price;
    }
    return bar;
  }

  /** How much more than the market's own turnover the current minute has. */
  #turnoverOf(row: number, bar: Bar): number {
    const { minuteOpen, minuteHigh, minuteLow, last, volume, lotsBefore } = this.#state;
    if (bar.open === 0) return 0;
    const own = { open: minuteOpen[row] ?? 0, high: minuteHigh[row] ?? 0, low: minuteLow[row] ?? 0, close: last[row] ?? 0, volume: 0 };
    return ((volume[row] ?? 0) - (lotsBefore[row] ?? 0)) * (meanOf(bar) - meanOf(own));
  }

  /** How many lots a level may show: who takes more has moved the price past it. Null where members move nothing. */
  depthAt(row: number, side: BookSide, { own, best, price, spread }: LevelOf): number | null {
    const impact = this.impact(row);
    if (!impact) return null;
    const tick = tickSize(impact.kind, price);
    const from = own + this.offset(row);
    const border = side === "asks" ? price + tick / 2 - from : from - (price - tick / 2);
    // A wider spread is paid by who goes there and back: so many more lots may stand at its ends.
    const further = price === best ? Math.max(0, spread - tick) : 0;
    return Math.floor(impact.lotsPerUnit * Math.min(tick + further, Math.max(0, border + further)) + 1e-6);
  }

  /** The most lots a level may show whatever members did, from which those they took are missing. */
  mostAt(row: number, price: number, spread: number): number {
    const impact = this.impact(row);
    return impact ? Math.max(1, Math.floor(impact.lotsPerUnit * Math.max(spread, tickSize(impact.kind, price)))) : Infinity;
  }
}
