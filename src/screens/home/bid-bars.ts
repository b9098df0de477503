/** The histogram of an auction as it is drawn: few enough rows for a phone, the highest price first, with the member's lots in them. */
import type { BidBar } from "#contract/auction.ts";
import type { Bid } from "#contract/bid.ts";
import { step } from "#contract/tick.ts";

/** More rows than these do not fit on a phone. */
const MOST_ROWS = 13;

export interface BarRow {
  /** The lowest price of the row, in price units. */
  from: number;
  lots: number;
  wonLots: number;
  /** The member's lots in it. */
  own: number;
  /** Lengths of the won and the lost part of the bar, of 1 for the longest bar. */
  won: number;
  lost: number;
  /** The cut-off lies in it: every row above won in full. */
  isCutOff: boolean;
}

/** The bars from the lowest price on a tick in each: bids are on ticks only, so bars without one are empty, and go into the next. */
function onTicks(bars: readonly BidBar[]): BidBar[] {
  const rows: BidBar[] = [];
  for (const bar of bars) {
    const from = step("stock", bar.from - 1, 1);
    const last = rows.at(-1);
    if (last?.from === from) rows[rows.length - 1] = { from, lots: last.lots + bar.lots, wonLots: last.wonLots + bar.wonLots };
    else rows.push({ ...bar, from });
  }
  return rows;
}

/** Neighbouring bars joined so that at most `most` are left. */
function joined(bars: readonly BidBar[], most: number): { from: number; lots: number; wonLots: number }[] {
  const each = Math.max(1, Math.ceil(bars.length / most));
  const rows: { from: number; lots: number; wonLots: number }[] = [];
  for (const [nth, { from, lots, wonLots }] of bars.entries()) {
    const last = rows.at(-1);
    if (nth % each === 0 || !last) rows.push({ from, lots, wonLots });
    else {
      last.lots += lots;
      last.wonLots += wonLots;
    }
  }
  return rows;
}

/** The rows of a histogram whose lowest bar comes first; `bids` are the member's. */
export function barRows(histogram: readonly BidBar[], bids: readonly Pick<Bid, "price" | "lots">[], cutOff: number | null): BarRow[] {
  const rows = joined(onTicks(histogram), MOST_ROWS);
  const longest = Math.max(1, ...rows.map(({ lots }) => lots));
  return rows
    .map(({ from, lots, wonLots }, nth): BarRow => {
      const below = rows[nth + 1]?.from ?? Infinity;
      const within = (price: number): boolean => price >= from && price < below;
      return {
        from,
        lots,
        wonLots,
        own: bids.filter(({ price }) => within(price)).reduce((sum, bid) => sum + bid.lots, 0),
        won: wonLots / longest,
        lost: (lots - wonLots) / longest,
        isCutOff: cutOff !== null && within(cutOff),
      };
    })
    .toReversed();
}
