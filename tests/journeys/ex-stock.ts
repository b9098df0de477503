/** Finds a stock whose chart shows what an adjustment of past prices changes. */
import { DAY_MS } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/venue.ts";

/**
 * A stock with exactly one corporate action in its one-year chart, which lowered the price by at least two percent, and not in the
 * latest weeks. Dividends are seasonal: a chart of a few months would lack such a stock for half of the year.
 */
export async function exStock(venue: Venue): Promise<{ code: string; before: number; after: number }> {
  const now = Date.now();
  for (const { code, tradable } of venue.instruments) {
    if (!tradable) continue;
    const actions = await venue.actions(code);
    const within = actions.filter(({ at }) => at > now - 380 * DAY_MS);
    const [action] = within;
    if (within.length !== 1 || !action || action.at > now - 21 * DAY_MS || action.at < now - 330 * DAY_MS) continue;
    if (action.reference < action.closeBefore * 0.98) return { code, before: action.closeBefore, after: action.reference };
  }
  throw new Error("no stock with a suitable corporate action");
}
