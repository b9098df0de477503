/** Resolves the instrument of a detail's address: from the table, from local storage, or not found. */
import { useTranslation } from "react-i18next";
import { useQuery } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { read } from "#src/gateway/storage.ts";
import { useInstrumentTitle } from "#src/screens/quote/instrument-title.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";

export interface RequestedInstrument {
  instrument: Instrument | null;
  code: string | null;
  /** The table is loading, and may contain it. */
  waiting: boolean;
}

/** Resolves the address; without a code, the stock opened last if `stored` is true. */
export function useRequestedInstrument(stored: boolean): RequestedInstrument {
  const [query] = useQuery<"/market/stockDetail">();
  const table = useInstruments();
  const lastOpened = read("stockDetail");
  const code = query.get("code") ?? (stored ? (lastOpened?.code ?? null) : null);
  // Until the table has loaded, the stored stock if it is the requested one.
  const known = code === null ? undefined : table ? table.byCode.get(code) : lastOpened?.code === code ? lastOpened : undefined;
  useInstrumentTitle(known ?? null);
  return { instrument: known ?? null, code, waiting: table === null && code !== null };
}

/** Shown instead of a detail without an instrument. */
export function NoInstrument({ requested: { code, waiting } }: { requested: RequestedInstrument }) {
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
