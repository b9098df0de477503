/** The detail of one index: level, chart, breadth and movers. */
import { Navigate } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { ownPath } from "#src/screens/quote/detail-link.ts";
import { useSplit } from "#src/ui/use-wide.ts";
import { NoInstrument, useRequestedInstrument } from "./requested-instrument.tsx";
import { InstrumentNews } from "./instrument-news.tsx";
import { Movers } from "./movers.tsx";
import { PageFrame } from "./page-frame.tsx";
import { SplitView } from "./split-view.tsx";
import type { DetailSection } from "./sections.tsx";
import { Stats } from "./stats.tsx";

/** `/market/stockDetailzs?code=IX0001`; other instruments redirect to their own screen. */
export function IndexDetail() {
  const requested = useRequestedInstrument(false);
  const split = useSplit();
  const { instrument } = requested;
  if (!instrument) return <NoInstrument requested={requested} />;
  if (instrument.kind !== "index") return <Navigate to={ownPath(instrument)} replace />;
  const { code } = instrument;
  const news: DetailSection = { name: "news", content: <InstrumentNews key={code} instrument={instrument} /> };
  const page = <IndexPage key={code} instrument={instrument} news={news} />;
  return split ? <SplitView instrument={instrument}>{page}</SplitView> : page;
}

function IndexPage({ instrument, news }: { instrument: Instrument; news: DetailSection }) {
  return (
    <PageFrame
      instrument={instrument}
      sections={[
        { name: "movers", content: <Movers instrument={instrument} /> },
        { name: "quote", content: <Stats instrument={instrument} /> },
        news,
      ]}
    />
  );
}
