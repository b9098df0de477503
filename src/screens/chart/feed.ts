/** The streams' candles as a chart takes them. */
import { concatMap } from "rxjs";
import type { CandlePeriod } from "#contract/candle.ts";
import { candles$ } from "#src/streams/candles.ts";
import { barsOf } from "./bar.ts";
import type { CandleNews } from "./model.ts";
import type { CandleFeed } from "./use-chart.ts";

/** Open the live candles of an instrument; they close when nobody listens any more. */
export function openCandles(code: string, period: CandlePeriod): CandleFeed {
  const changes$ = candles$(code, period);
  const news$ = changes$.pipe(
    concatMap((change): Iterable<CandleNews> => {
      switch (change.change) {
        case "failed":
          return [{ change: "failed" }];
        case "bar":
          return barsOf(change.bars).map((bar): CandleNews => ({ change: "forming", bar }));
        case "loaded":
        case "older":
          return [{ change: change.change, bars: barsOf(change.bars), more: change.more }];
      }
    }),
  );
  return { news$, older: () => changes$.loadOlder() };
}
