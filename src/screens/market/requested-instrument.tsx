/** The instrument a detail's address asks for: in the table, stored on the way here, or not there. */
import { useTranslation } from "react-i18next";
import { useQuery } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { read } from "#src/gateway/storage.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";

export interface Asked {
  instrument: Instrument | null;
  code: string | null;
  /** The table is on its way, and may know it. */
  waiting: boolean;
}

/** Without a code in the address: the stock opened last, unless `stored` says not to. */
export function useAsked(stored: boolean): Asked {
  const [query] = useQuery<"/market/stockDetail">();
  const table = useInstruments();
  const kept = read("stockDetail");
  const code = query.get("code") ?? (stored ? (kept?.code ?? null) : null);
  // Until the table has come, the stored one if it is the one asked for.
  const known = code === null ? undefined : table ? table.byCode.get(code) : kept?.code === code ? kept : undefined;
  return { instrument: known ?? null, code, waiting: table === null && code !== null };
}

/** In place of a detail that has no instrument. */
export function NoInstrument({ asked: { code, waiting } }: { asked: Asked }) {
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
