/** The detail of one instrument: price, chart, order book and ticket; three columns in the wide layout. */
import { Navigate } from "#src/ui/link.tsx";
import { ownPath } from "#src/screens/quote/detail-link.ts";
import { usePanes } from "#src/ui/use-wide.ts";
import { NoInstrument, useRequestedInstrument } from "./requested-instrument.tsx";
import { WideDetail } from "./wide-detail.tsx";
import { DetailPage } from "./detail-page.tsx";
import { SplitView } from "./split-view.tsx";

/** `/market/stockDetail?code=2330`; without a code it shows the stock opened last. An index has its own screen. */
export function StockDetail() {
  const requested = useRequestedInstrument(true);
  const panes = usePanes();
  const { instrument } = requested;
  if (!instrument) return <NoInstrument requested={requested} />;
  if (instrument.kind === "index") return <Navigate to={ownPath(instrument)} replace />;
  if (panes === 3) return <WideDetail instrument={instrument} />;
  const page = <DetailPage key={instrument.code} instrument={instrument} />;
  return panes === 2 ? <SplitView instrument={instrument}>{page}</SplitView> : page;
}
