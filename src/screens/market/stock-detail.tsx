/** One instrument: its price, its chart, its book, and the way to an order; three columns where there is room. */
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import type { Instrument } from "#contract/instrument.ts";
import { read } from "#src/gateway/storage.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { DetailDesk } from "./detail-desk.tsx";
import { DetailPage } from "./detail-page.tsx";
import { useWide } from "#src/ui/use-wide.ts";

/** `/market/stockDetail?code=2330`; without a code it shows the stock opened last. */
export function StockDetail() {
  const [query] = useSearchParams();
  const table = useInstruments();
  const wide = useWide();
  const asked = query.get("code") ?? read("stockDetail")?.code ?? null;
  const instrument = instrumentAt(asked, table?.byCode);
  if (!instrument) return <NoInstrument waiting={table === null && asked !== null} code={asked} />;
  return wide ? <DetailDesk instrument={instrument} /> : <DetailPage key={instrument.code} instrument={instrument} />;
}

/** The instrument of the table; until that has come, the stored one if it is the one asked for. */
function instrumentAt(code: string | null, known: ReadonlyMap<string, Instrument> | undefined): Instrument | null {
  if (code === null) return null;
  if (known) return known.get(code) ?? null;
  const stored = read("stockDetail");
  return stored?.code === code ? stored : null;
}

function NoInstrument({ waiting, code }: { waiting: boolean; code: string | null }) {
  const { t } = useTranslation();
  const skeleton = useSkeleton(waiting);
  return (
    <Screen header={<BackHeader title={code ?? t("market.detail")} />}>
      {waiting ? (
        skeleton && (
          <>
            <Skeleton shape="hero" />
            <Skeleton shape="block" />
          </>
        )
      ) : (
        <EmptyState
          title={code === null ? t("market.noneChosen") : t("market.unknown", { code })}
          action={{ label: t("favorite.find"), to: "/favorite/search" }}
        />
      )}
    </Screen>
  );
}
