/**
 * How far members' fills move a price. Each instrument has a sum of the lots they bought less those they sold, which fades; the price is off by
 * a function of that sum. So a large order pays for what it moves, and a round trip goes back the same way: none profits from it. Each session
 * starts without an impact, and calls, odd lots and blocks trade at the market's own price, without any.
 */
import type { Kind } from "#contract/instrument.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { UNLIMITED } from "./daily-process.ts";
import type { Day, InstrumentModel } from "./daily-process.ts";

/** The first day with an impact: what had been live before it stays as it was. */
const SINCE = Date.UTC(2026, 11, 1) / DAY_MS;

/** Impact of a member's orders: its size, and the lots, as a share of the day's, from which it grows with their square root. */
export const IMPACT = 0.7;
export const FREE_SHARE = 0.02;

/** How much of the impact fades how fast: in so many minutes, or parts of a session. */
const FADES = [
  { part: 0.4, minutes: 5, sessions: 0 },
  { part: 0.27, minutes: 0, sessions: 1 / 3 },
  { part: 0.33, minutes: 0, sessions: 15 },
] as const;

/** A fill counts so long after it happened: by then it is stored, so that every reader of the log has the same price at every moment. */
export const LAG_MS = 1_000;

/** The level at the best price shows at least a lot. One lot must not move the price by more than half a tick then. */
const LOTS_PER_TICK = 2;

/** The impact on one instrument in a session. */
export interface Impact {
  kind: Kind;
  up: number;
  down: number;
  /** Lots of an average day. */
  dayLots: number;
  /** What a sum that weighs 1 moves the price by. */
  scale: number;
  /** The least lots that move the price by one price unit. */
  lotsPerUnit: number;
  /** How fast each part fades, in milliseconds. */
  fadesMs: readonly number[];
}

/** The impact in a session; null where members move nothing: without price limits, where calls are all that trades, before the rule. */
export function impactOf({ kind, parameters }: InstrumentModel, day: Day, calendar: Calendar): Impact | null {
  const { reference, up, down, watch, session } = day;
  if (up === UNLIMITED.up || watch.everyMinutes > 0 || calendar.dayOf(session) < SINCE) return null;
  const { baseLots: dayLots, deviation } = parameters;
  const freely = dayLots * Math.sqrt(FREE_SHARE);
  const usual = IMPACT * deviation * reference;
  if (!(usual > 0)) return null;
  // The finest tick of the day is that of its lowest price.
  const scale = Math.min(usual, (freely * tickSize(kind, down)) / LOTS_PER_TICK);
  const fadesMs = FADES.map(({ minutes, sessions }) => (minutes + sessions * calendar.minutes) * calendar.minuteMs);
  return { kind, up, down, dayLots, scale, lotsPerUnit: freely / scale, fadesMs };
}

/** What a sum of lots weighs: in proportion at first, then with its square root. */
const weightOf = (lots: number, { dayLots }: Impact): number => lots / Math.sqrt(dayLots * (Math.abs(lots) + FREE_SHARE * dayLots));

/** How far off the price of an instrument is in a session, from members' fills in the order of their log. */
export class Offset {
  readonly impact: Impact;
  /** By fill: when it begins to count, and the sums from then on, one for each part that fades. */
  readonly #since: number[] = [];
  readonly #sums: number[] = [];

  constructor(impact: Impact, fills: readonly number[] = []) {
    this.impact = impact;
    for (let nth = 0; nth + 1 < fills.length; nth += 2) this.add(fills[nth] ?? 0, fills[nth + 1] ?? 0);
  }

  get size(): number {
    return this.#since.length;
  }

  /** Adds a fill: lots bought, or sold as a negative number. */
  add(at: number, lots: number): void {
    const last = this.size - 1;
    const since = Math.max(at + LAG_MS, this.#since[last] ?? 0);
    for (const [nth] of FADES.entries()) this.#sums.push(lots + this.#sumAt(last, nth, since));
    this.#since.push(since);
  }

  /** What a sum after a fill is at a later moment. */
  #sumAt(fill: number, nth: number, moment: number): number {
    if (fill < 0) return 0;
    const age = Math.max(0, moment - (this.#since[fill] ?? 0));
    return (this.#sums[fill * FADES.length + nth] ?? 0) * Math.exp(-age / (this.impact.fadesMs[nth] ?? 1));
  }

  #after(fill: number, moment: number): number {
    if (fill < 0) return 0;
    return this.impact.scale * FADES.reduce((sum, { part }, nth) => sum + part * weightOf(this.#sumAt(fill, nth, moment), this.impact), 0);
  }

  /** The last fill that counts at a moment; -1 for none. */
  #latest(moment: number): number {
    let [low, high] = [-1, this.size - 1];
    while (low < high) {
      const mid = Math.ceil((low + high) / 2);
      if ((this.#since[mid] ?? 0) <= moment) low = mid;
      else high = mid - 1;
    }
    return low;
  }

  /** How far off the price is at a moment, in price units and not rounded. */
  at(moment: number): number {
    return this.#after(this.#latest(moment), moment);
  }

  /** The same with the fills that do not count yet: the book knows them at once. */
  withPending(moment: number): number {
    return this.#after(this.size - 1, moment);
  }

  /** Whether no price can be off from a moment on until another: no part of the impact comes to half a tick. */
  isCalm(from: number, until: number): boolean {
    const latest = this.#latest(from);
    if ((this.#since[latest + 1] ?? Infinity) < until) return false;
    if (latest < 0) return true;
    const parts = FADES.reduce((sum, { part }, nth) => sum + part * Math.abs(weightOf(this.#sumAt(latest, nth, from), this.impact)), 0);
    return 2 * parts * this.impact.scale < tickSize(this.impact.kind, this.impact.down);
  }
}

/** A price of the market's own with an offset: on its tick, within the day's limits; what is at a limit stays there. */
export function movedPrice({ kind, up, down }: Impact, price: number, offset: number): number {
  if (offset === 0 || price >= up || price <= down) return price;
  return Math.min(up, Math.max(down, toTick(kind, Math.round(price + offset))));
}
