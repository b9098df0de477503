/** The streams' candles as a chart takes them. */
import { concatMap } from "rxjs";
import { candles$ } from "#src/streams/candles.ts";
import type { ChartRequest } from "#src/streams/worker.ts";
import { barsOf } from "./bar.ts";
import type { CandleNews } from "./chart-data.ts";
import type { CandleSource } from "./use-chart.ts";

/** Open the live candles that were asked for; they close when nobody listens any more. */
export function openCandleSource(request: ChartRequest): CandleSource {
  const changes$ = candles$(request);
  const news$ = changes$.pipe(
    concatMap((change): Iterable<CandleNews> => {
      switch (change.change) {
        case "failed":
          return [{ change: "failed" }];
        case "studied":
          return [change];
        case "bar":
          return barsOf(change.bars).map((bar): CandleNews => ({ change: "forming", bar, values: change.values }));
        case "loaded":
        case "older":
          return [{ change: change.change, bars: barsOf(change.bars), more: change.more, studies: change.studies }];
      }
    }),
  );
  return { news$, older: () => changes$.loadOlder(), study: (studies, settings) => changes$.study(studies, settings) };
}
