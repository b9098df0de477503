/** The detail of one instrument: price, chart, order book and ticket; the wide layout has the workspace instead. */
import { Navigate } from "#src/ui/link.tsx";
import { ownPath } from "#src/screens/quote/detail-link.ts";
import { useSplit } from "#src/ui/use-wide.ts";
import { NoInstrument, useRequestedInstrument } from "./requested-instrument.tsx";
import { DetailPage } from "./detail-page.tsx";
import { SplitView } from "./split-view.tsx";

/** `/market/stockDetail?code=2330`; without a code it shows the stock opened last. An index has its own screen. */
export function StockDetail() {
  const requested = useRequestedInstrument(true);
  const split = useSplit();
  const { instrument } = requested;
  if (!instrument) return <NoInstrument requested={requested} />;
  if (instrument.kind === "index") return <Navigate to={ownPath(instrument)} replace />;
  const page = <DetailPage key={instrument.code} instrument={instrument} />;
  return split ? <SplitView instrument={instrument}>{page}</SplitView> : page;
}
