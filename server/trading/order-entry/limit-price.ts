/** The limit price of purchases that the broker places for members: so near the last price that none is dear. */
import type { Instrument } from "#contract/instrument.ts";
import { MILLION } from "#contract/rule.ts";
import { tickSize } from "#contract/tick.ts";
import type { Venue } from "#server/venue/venue.ts";

/** The price a purchase is limited to: so far above the last one, on a tick, within the day's limits; null without any price. */
export function limitPriceOf(venue: Venue, { row, kind }: Instrument, limitPerMillion: number, at: number): number | null {
  const { last: traded, reference } = venue.quote(row);
  const last = traded > 0 ? traded : reference;
  if (last <= 0) return null;
  const most = Math.floor((last * (MILLION + limitPerMillion)) / MILLION);
  const tick = tickSize(kind, most);
  const limit = Math.max(last, Math.floor(most / tick) * tick);
  return Math.min(limit, venue.limits(row, at)?.up ?? limit);
}
