/** The calls of a day on which a stock under disposition is not traded in between (分盤集合競價): at the open, at even intervals, at the close. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";

export class PeriodicCalls {
  /** The minutes that begin with a call, in order. */
  readonly minutes: readonly number[];
  readonly #every: number;
  /** How many of them are before the closing auction. */
  readonly #before: number;

  constructor(everyMinutes: number, { minutes, continuous }: Pick<Calendar, "minutes" | "continuous">) {
    const before = Array.from({ length: Math.ceil(continuous / everyMinutes) }, (_, nth) => nth * everyMinutes);
    this.minutes = continuous < minutes ? [...before, minutes - 1] : before;
    this.#every = everyMinutes;
    this.#before = before.length;
  }

  get count(): number {
    return this.minutes.length;
  }

  /** The lots traded up to a mark: at least one in each call, and all of a day's `volume` up to the last. `part`: of it, up to a mark. */
  lots(mark: number, volume: number, part: (mark: number) => number): number {
    const nth = this.latest(mark - 1);
    if (nth === this.count - 1) return volume;
    return nth < 0 ? 0 : nth + 1 + Math.floor((volume - this.count) * part((this.minutes[nth] ?? 0) + 1));
  }

  /** The number of the latest call up to the beginning of a minute; -1 before the first. */
  latest(minute: number): number {
    if (this.#before < this.count && minute >= (this.minutes[this.count - 1] ?? 0)) return this.count - 1;
    return Math.max(-1, Math.min(this.#before - 1, Math.floor(minute / this.#every)));
  }

  /** Whether a minute begins with a call that is neither the opening nor the closing one of a day that has them. */
  isBetween(minute: number): boolean {
    const hasOthers = this.#before < this.count;
    return this.isAt(minute) && !(hasOthers && (minute === 0 || minute === this.minutes[this.count - 1]));
  }

  /** The minute of the next call after the beginning of a minute; null after the last. */
  after(minute: number): number | null {
    return this.minutes[this.latest(minute) + 1] ?? null;
  }

  /** Whether a minute begins with a call. */
  isAt(minute: number): boolean {
    return this.minutes[this.latest(minute)] === minute;
  }
}
