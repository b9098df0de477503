/** Allocates an auction's lots: descending price, equal prices in the order of a draw, everybody at their own price and below the cap. */

/** A sealed bid as the allocation sees it. */
export interface SealedBid {
  /** Unique; takes part in the draw. */
  ticket: string;
  /** Whose cap it counts towards. */
  bidder: string;
  /** In price units, positive. */
  price: number;
  lots: number;
}

export interface AwardedBid<Bid extends SealedBid = SealedBid> {
  bid: Bid;
  wonLots: number;
}

/**
 * Every bid with the lots it won, in the order of allocation: the highest price first, and among equal prices by `drawn`, the ticket's
 * draw (the lowest first; unique). A bid wins whole while lots are left, then in part; no bidder wins more than `cap` lots.
 */
export function allocate<Bid extends SealedBid>(
  bids: readonly Bid[],
  { lots, cap }: { lots: number; cap: number },
  drawn: (ticket: string) => string,
): AwardedBid<Bid>[] {
  const keyed = bids.map((bid) => ({ bid, key: drawn(bid.ticket) }));
  keyed.sort((a, b) => b.bid.price - a.bid.price || (a.key < b.key ? -1 : 1));
  const won = new Map<string, number>();
  let left = lots;
  return keyed.map(({ bid }) => {
    const before = won.get(bid.bidder) ?? 0;
    const wonLots = Math.min(bid.lots, left, cap - before);
    won.set(bid.bidder, before + wonLots);
    left -= wonLots;
    return { bid, wonLots };
  });
}

/** Price units of one cent. */
const CENT = 100;

/** The winners' average price, weighted by lots and rounded half up to the cent; null when nothing was won. */
export function averagePrice(awarded: readonly AwardedBid[]): number | null {
  const lots = awarded.reduce((sum, { wonLots }) => sum + BigInt(wonLots), 0n);
  if (lots === 0n) return null;
  const value = awarded.reduce((sum, { bid, wonLots }) => sum + BigInt(bid.price) * BigInt(wonLots), 0n);
  const unit = lots * BigInt(CENT);
  return Number((2n * value + unit) / (2n * unit)) * CENT;
}

/** The lowest price that won; null when none did. */
export function cutOffPrice(awarded: readonly AwardedBid[]): number | null {
  return awarded.reduce<number | null>((least, { bid, wonLots }) => {
    return wonLots > 0 && (least === null || bid.price < least) ? bid.price : least;
  }, null);
}

/** The price of the lottery after an auction: the winners' average, at most `mostPrice`; the minimum when nobody won. */
export function lotteryPrice(average: number | null, { minimumPrice, mostPrice }: { minimumPrice: number; mostPrice: number }): number {
  return average === null ? minimumPrice : Math.min(average, mostPrice);
}

/** About so many bars has a histogram, at most one more. */
const BARS = 24;

/** The histogram of all bids, the lowest bar first, without empty bars at its ends. */
export function histogramOf(awarded: readonly AwardedBid[]): { from: number; lots: number; wonLots: number }[] {
  if (awarded.length === 0) return [];
  const prices = awarded.map(({ bid }) => bid.price);
  const least = prices.reduce((a, b) => Math.min(a, b));
  const most = prices.reduce((a, b) => Math.max(a, b));
  const width = Math.max(CENT, Math.ceil((most - least + 1) / BARS / CENT) * CENT);
  const bars = Array.from({ length: Math.floor((most - least) / width) + 1 }, (_, nth) => ({
    from: least + nth * width,
    lots: 0,
    wonLots: 0,
  }));
  for (const { bid, wonLots } of awarded) {
    const bar = bars[Math.floor((bid.price - least) / width)];
    if (!bar) continue;
    bar.lots += bid.lots;
    bar.wonLots += wonLots;
  }
  return bars;
}
