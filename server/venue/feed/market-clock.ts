/** The clock of a feed's market, which may differ from ours and, in a recording, run faster. */
import type { Calendar, Position } from "#server/venue/calendar/trading-calendar.ts";
import type { Feed } from "./port.ts";

export class MarketClock {
  readonly calendar: Calendar;
  readonly #feed: Pick<Feed, "clock" | "speed">;

  constructor(feed: Pick<Feed, "clock" | "speed">, calendar: Calendar) {
    this.#feed = feed;
    this.calendar = calendar;
  }

  /** The market's time at a moment of ours. */
  at(now: number): number {
    return this.#feed.clock(now);
  }

  /** The position of a moment of ours in the market's calendar; its `endsAt` is by our clock. */
  position(now: number): Position {
    const position = this.calendar.at(this.at(now));
    return position.endsAt === null ? position : { ...position, endsAt: this.#toOurs(position.endsAt, now) };
  }

  /** The moment by our clock of a market time, as seen from a moment of ours. */
  #toOurs(moment: number, now: number): number {
    return Math.round(now + (moment - this.at(now)) / this.#feed.speed);
  }
}
