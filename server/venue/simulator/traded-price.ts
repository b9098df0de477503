/**
 * The price that trades while the price of the path goes on between two ticks. It changes when the path has gone nearly a tick from it, and
 * so goes on from a change about as often as it turns back. The nearest tick would turn back each time the path wanders about the middle of
 * two, and an index of which one share is a third would give back most of its moves with it.
 */
import type { Kind } from "#contract/instrument.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import { GAP_PART } from "./component.ts";
import type { Day } from "./daily-process.ts";
import type { DayClock } from "./day-clock.ts";
import { mirrored } from "./day-shape.ts";
import type { DayShape } from "./day-shape.ts";

/**
 * How far a path must have gone, in ticks; `deviation` is that of its step. A path that is seen at the ends of steps is past that already, so
 * it is less the longer they are. A little less than turns back least: then an index does not lag behind what moves all of its shares.
 */
const farEnough = (deviation: number): number => Math.max(0.5, 0.93 - 0.6 * deviation);

/**
 * The price that trades at the end of a step.
 *
 * @param before the price that traded at its start
 * @param exact the price of the path
 * @param nearest the tick nearest to it, within the limits
 * @param tick the size of a tick there
 * @param deviation the standard deviation of the step
 */
export function tradedPrice(before: number, exact: number, nearest: number, tick: number, deviation: number): number {
  return Math.abs(exact - before) < farEnough(deviation / tick) * tick ? before : nearest;
}

/**
 * A part of a tick, far above what rounding of its bounds can add to a price and far below what a price can tell: as long as a price is below 10^11
 * ticks, a hundred times the dearest coin's.
 */
const CERTAIN = 0.001;

/**
 * The prices that trade at the marks of a day, from their logarithms. At most marks the price stays, which bounds of the path's price show: near a
 * known price, `1 + x <= exp(x) <= 1 + x + x * x` for all x below 1. A start in the middle of a day asks at each minute of each instrument, and exponentials are dear.
 */
export class TradedPrices {
  readonly #kind: Kind;
  readonly #day: Pick<Day, "base" | "deviation" | "up" | "down">;
  readonly #shape: DayShape;
  readonly #passed: Float64Array;
  /** The tick size of all the day's prices; 0 when the day crosses into another price band. */
  readonly #tick: number;
  /** The price of the path that was computed last, and its logarithm. */
  #exact: number;
  #log = 0;

  constructor(kind: Kind, day: Pick<Day, "base" | "deviation" | "up" | "down">, shape: DayShape, clock: DayClock, tick: number) {
    this.#kind = kind;
    this.#day = day;
    this.#shape = shape;
    this.#passed = clock.passed;
    this.#tick = tick;
    this.#exact = day.base;
  }

  /** The price that trades at a mark for a logarithm there, after that at the mark before; what overshoots the day's extremes is mirrored back. */
  next(mark: number, before: number, value: number): number {
    const tick = this.#tick;
    const held = mirrored(this.#shape, value);
    const step = this.#day.deviation * Math.sqrt((1 - GAP_PART) * ((this.#passed[mark] ?? 0) - (this.#passed[mark - 1] ?? 0)));
    const apart = held - this.#log;
    const low = this.#exact * (1 + apart);
    const high = low + this.#exact * apart * apart;
    if (tick > 0 && apart < 1) {
      const room = (farEnough((step * high) / tick) - CERTAIN) * tick;
      if (low > before - room && high < before + room) return before;
    }
    const exact = this.#day.base * Math.exp(held);
    this.#exact = exact;
    this.#log = held;
    const nearest = this.#nearest(exact);
    return nearest === before
      ? before
      : tradedPrice(before, exact, nearest, tick || tickSize(this.#kind, Math.min(before, nearest)), step * exact);
  }

  /** The price on its tick and within the limits for a logarithm. */
  shown(value: number): number {
    return this.#nearest(this.#day.base * Math.exp(value));
  }

  #nearest(exact: number): number {
    const { up, down } = this.#day;
    const price = Math.round(exact);
    const tick = this.#tick;
    return Math.min(up, Math.max(down, tick > 0 ? Math.max(tick, Math.round(price / tick) * tick) : toTick(this.#kind, price)));
  }
}
