/** Handler of sparklines: a session's bars in a few points, computed once a minute per instrument for all members. */
import { CANDLE_STRIDE, MAX_CANDLES } from "#contract/candle.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { SPARKLINE_POINTS } from "#contract/sparkline.ts";
import type { VenueState } from "#contract/instrument.ts";
import type { Sparkline } from "#contract/sparkline.ts";
import type { Code } from "#contract/kernel/id.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Handlers } from "./handler.ts";

/** As often as the lines of rows on screen are read again. */
const FRESH_MS = MINUTE_MS;
const OPEN = 1;
const CLOSE = 4;
/** In compressed hours a session has only minutes. */
const SHORT_SESSION_MS = 2 * 60 * MINUTE_MS;

/** Every n-th price, so that at most so many are left; the newest is always one of them. */
export function thinned(prices: readonly number[], most: number): number[] {
  const step = Math.ceil(prices.length / most);
  return prices.filter((_, nth) => (prices.length - 1 - nth) % step === 0);
}

export function sparklineHandlers({ venue, now }: { venue: Venue; now: () => number }): Pick<Handlers, "readSparklines"> {
  const kept = new Map<string, { at: number; line: Promise<Sparkline> }>();

  const read = async (code: Code, at: number, { opensAt, closesAt }: VenueState): Promise<Sparkline> => {
    const short = closesAt - opensAt < SHORT_SESSION_MS;
    // No more bars than the session can have: the session before would cost as much again.
    const limit = Math.max(1, Math.floor((at - opensAt) / (short ? MINUTE_MS : 5 * MINUTE_MS)));
    const { bars } = await venue.candles(code, short ? "minute" : "minute5", null, Math.min(MAX_CANDLES, limit));
    const since = Array.from({ length: bars.length / CANDLE_STRIDE }, (_, nth) => nth * CANDLE_STRIDE).filter(
      (from) => (bars[from] ?? 0) >= opensAt,
    );
    const closes = since.map((from) => bars[from + CLOSE] ?? 0);
    // From the opening price on, so that a session's first bar is a line already.
    const prices = since.slice(0, 1).map((from) => bars[from + OPEN] ?? 0);
    return { code, prices: [...prices, ...thinned(closes, SPARKLINE_POINTS - 1)] };
  };

  const lineOf = (code: Code, at: number, state: VenueState): Promise<Sparkline> => {
    const known = kept.get(code);
    if (known && at >= known.at && at - known.at < FRESH_MS && known.at >= state.opensAt) return known.line;
    const line = read(code, at, state);
    kept.set(code, { at, line });
    // A failure is not an answer to keep.
    line.catch(() => kept.delete(code));
    return line;
  };

  return {
    readSparklines: async (_call, { codes }) => {
      const at = now();
      const state = venue.state(at);
      // Each line of a live feed would be a request of its own to the feed.
      const known = state.simulated ? [...new Set(codes)].filter((code) => venue.instrument(code)) : [];
      const lines = await Promise.all(known.map((code) => lineOf(code, at, state)));
      return { lines: lines.filter(({ prices }) => prices.length > 1) };
    },
  };
}
