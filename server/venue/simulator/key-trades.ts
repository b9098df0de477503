/** The key trades of a minute: they add up to its bar, and everything else of the minute lies between them. */
import { mix, unit } from "#server/venue/seeded-random.ts";

/** The maximum number of key trades in a minute. */
export const MAX_KEY_TRADES = 6;

/** Key trades of the current minute, `MAX_KEY_TRADES` entries per row. */
export interface Trades {
  count: Uint8Array;
  offset: Int32Array;
  price: Float64Array;
  lots: Int32Array;
}

/** The bar that they add up to. */
interface MinuteBar {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The minute they are in: its random bits, whether one call is all that trades in it, and whether its first trade comes as it begins. */
interface Minute {
  hash: number;
  isSingle: boolean;
  onTime: boolean;
  minuteMs: number;
}

/** Fills in a row: time within the minute, price, and cumulative lots. */
export function keyTrades({ hash, isSingle, onTime, minuteMs }: Minute, bar: MinuteBar, into: Trades, row: number): void {
  const at = row * MAX_KEY_TRADES;
  const { volume } = bar;
  const count = volume === 0 ? 0 : isSingle ? 1 : volume >= 12 ? 6 : Math.min(4, volume);
  into.count[row] = count;
  const highFirst = (hash & 1) === 0;
  const first = highFirst ? bar.high : bar.low;
  const second = highFirst ? bar.low : bar.high;
  const slot = (minuteMs * 29) / 30 / count;
  for (let nth = 0; nth < count; nth += 1) {
    // An auction, like the first trade of a day, is on time; trades are more than one update interval apart.
    into.offset[at + nth] = nth === 0 && onTime ? 0 : Math.floor(slot * (nth + 0.55 * unit(mix(hash, nth))));
    into.lots[at + nth] = nth === count - 1 ? volume : Math.max(nth + 1, Math.floor((volume * (nth + 1)) / count) - 1);
    into.price[at + nth] =
      nth === count - 1 ? bar.close : nth === 0 ? bar.open : nth === 1 ? first : nth === 2 ? second : nth === 3 ? first : second;
  }
  // With three lots there is one trade between the ends: it shows the extreme that is not already an end.
  if (count === 3) into.price[at + 1] = bar.high > Math.max(bar.open, bar.close) ? bar.high : bar.low;
}
