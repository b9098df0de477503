/** What trades of an instrument on a usual day, read once a session. */
import { CANDLE_FIELDS, CANDLE_STRIDE } from "#contract/candle.ts";
import type { Venue } from "#server/venue/venue.ts";

/** About a month of sessions. */
const DAYS = 20;
const AT = CANDLE_FIELDS.indexOf("at");
const VOLUME = CANDLE_FIELDS.indexOf("volume");

async function read(venue: Venue, code: string, opensAt: number): Promise<number> {
  const { bars } = await venue.candles(code, "day", opensAt, DAYS);
  const days = Array.from({ length: bars.length / CANDLE_STRIDE }, (_, nth) => nth * CANDLE_STRIDE);
  const past = days.filter((from) => (bars[from + AT] ?? 0) < opensAt).map((from) => bars[from + VOLUME] ?? 0);
  return past.length === 0 ? 0 : Math.floor(past.reduce((sum, lots) => sum + lots, 0) / past.length);
}

export class UsualVolume {
  #known = new Map<string, Promise<number>>();
  #opensAt = 0;

  /** The average lots of a day before this session's; 0 for what has not traded before. */
  of(venue: Venue, code: string, at: number): Promise<number> {
    const { opensAt } = venue.state(at);
    if (opensAt !== this.#opensAt) this.#known = new Map();
    this.#opensAt = opensAt;
    const lots = this.#known.get(code) ?? read(venue, code, opensAt);
    this.#known.set(code, lots);
    // What could not be read is read again.
    lots.catch(() => this.#known.delete(code));
    return lots;
  }
}
