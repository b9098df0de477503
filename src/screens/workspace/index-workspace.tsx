/** The workspace of an index, with its movers in place of the ticket. */
import { useTranslation } from "react-i18next";
import { InstrumentNews } from "#src/screens/market/instrument-news.tsx";
import { Movers } from "#src/screens/market/movers.tsx";
import { NoInstrument, useRequestedInstrument } from "#src/screens/market/requested-instrument.tsx";
import { Stats } from "#src/screens/market/stats.tsx";
import { ownPath } from "#src/screens/quote/detail-link.ts";
import { Navigate } from "#src/ui/link.tsx";
import { Workspace } from "./workspace.tsx";

/** `/market/stockDetailzs` in the wide layout. */
export function IndexWorkspace() {
  const { t } = useTranslation();
  const requested = useRequestedInstrument(false);
  const { instrument } = requested;
  if (!instrument) return <NoInstrument requested={requested} />;
  if (instrument.kind !== "index") return <Navigate to={ownPath(instrument)} replace />;
  const { code } = instrument;
  return (
    <Workspace
      instrument={instrument}
      sections={[
        { name: "data", content: <Stats instrument={instrument} /> },
        { name: "news", content: <InstrumentNews key={code} instrument={instrument} /> },
      ]}
      book={null}
      side={<Movers key={code} instrument={instrument} />}
      sideLabel={t("market.section.movers")}
    />
  );
}
