/** The detail of one index: level, chart, breadth and movers. */
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Navigate } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { ownPath } from "#src/screens/quote/detail-link.ts";
import { usePanes } from "#src/ui/use-wide.ts";
import { NoInstrument, useRequestedInstrument } from "./requested-instrument.tsx";
import { InstrumentNews } from "./instrument-news.tsx";
import { Movers } from "./movers.tsx";
import { PageFrame } from "./page-frame.tsx";
import { SplitView } from "./split-view.tsx";
import type { DetailSection } from "./sections.tsx";
import { Stats } from "./stats.tsx";
import { LazyDesk } from "./wide-detail.tsx";

/** `/market/stockDetailzs?code=IX0001`; other instruments redirect to their own screen. */
export function IndexDetail() {
  const { t } = useTranslation();
  const requested = useRequestedInstrument(false);
  const panes = usePanes();
  const { instrument } = requested;
  if (!instrument) return <NoInstrument requested={requested} />;
  if (instrument.kind !== "index") return <Navigate to={ownPath(instrument)} replace />;
  const { code } = instrument;
  const news: DetailSection = { name: "news", content: <InstrumentNews key={code} instrument={instrument} /> };
  if (panes === 3) {
    const movers = <Movers key={code} instrument={instrument} />;
    return (
      <Suspense>
        <LazyDesk
          instrument={instrument}
          sections={[
            { name: "data", content: <Stats instrument={instrument} /> },
            { name: "news", content: news.content },
          ]}
          book={null}
          side={movers}
          sideLabel={t("market.section.movers")}
        />
      </Suspense>
    );
  }
  const page = <IndexPage key={code} instrument={instrument} news={news} />;
  return panes === 2 ? <SplitView instrument={instrument}>{page}</SplitView> : page;
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
