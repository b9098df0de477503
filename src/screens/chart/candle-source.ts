/** Adapts the candle stream to the chart's `CandleSource`. */
import { concatMap } from "rxjs";
import { candles$ } from "#src/streams/candles.ts";
import type { ChartRequest } from "#src/streams/worker.ts";
import { barsOf } from "./bar.ts";
import type { CandleUpdate } from "./chart-data.ts";
import type { CandleSource } from "./chart-spec.ts";

/** Opens the requested live candles; they close when nobody subscribes any more. */
export function openCandleSource(request: ChartRequest): CandleSource {
  const changes$ = candles$(request);
  const updates$ = changes$.pipe(
    concatMap((change): Iterable<CandleUpdate> => {
      switch (change.change) {
        case "failed":
          return [{ change: "failed" }];
        case "studied":
          return [change];
        case "bar":
          return barsOf(change.bars).map((bar): CandleUpdate => ({ change: "forming", bar, values: change.values }));
        case "loaded":
        case "older":
          return [{ change: change.change, bars: barsOf(change.bars), more: change.more, studies: change.studies }];
      }
    }),
  );
  return { updates$, older: () => changes$.loadOlder(), study: (studies, settings) => changes$.study(studies, settings) };
}
