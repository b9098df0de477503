/** The block market as clients see it: every offer, with the market's prices that its own is compared with. */
import type { BlockMarket } from "#contract/block-market.ts";
import { PRICE_ONE, price } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/venue.ts";

/** What the market pays for a row now: the last price, or the bid above it; null without any. */
export function marketPrice(venue: Pick<Venue, "quote">, row: number): Price | null {
  const { last, bid, reference } = venue.quote(row);
  const best = Math.max(last > 0 ? last : reference, bid);
  return best > 0 ? price(best) : null;
}

/** The day's volume-weighted price of a row; null before the first trade. */
function averagePrice(venue: Pick<Venue, "quote">, row: number, lotShares: number): Price | null {
  const { turnover, volume } = venue.quote(row);
  return volume > 0 ? price(Math.round((turnover * PRICE_ONE) / (volume * lotShares))) : null;
}

/** Reads the block market; offers without any price of the market are left out. */
export function readBlockMarket(venue: Pick<Venue, "blocks" | "instruments" | "quote">, at: number): BlockMarket {
  const { open, changesAt } = venue.blocks.hours(at);
  const offers = venue.blocks.offers(at).flatMap(({ opensAt, closesAt, unlocksAt, price: asked, ...offer }) => {
    const market = marketPrice(venue, offer.row);
    if (market === null) return [];
    const average = averagePrice(venue, offer.row, venue.instruments[offer.row]?.lotShares ?? 1) ?? market;
    const times = { opensAt: epochMs(opensAt), closesAt: epochMs(closesAt), unlocksAt: epochMs(unlocksAt) };
    return [{ ...offer, ...times, price: price(asked), market, average }];
  });
  return { open, changesAt: changesAt === null ? null : epochMs(changesAt), offers };
}
