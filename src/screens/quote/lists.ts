/** The instruments a tab lists: the member's own, or a live ranking. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import { map, NEVER } from "rxjs";
import type { Board, Instrument } from "#contract/instrument.ts";
import type { Ranking } from "#contract/quote.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { ranking$ } from "#src/streams/rankings.ts";
import { useWatchlist } from "#src/streams/watchlist.ts";

/** The tabs of a quote list. */
export const LISTS = ["watchlist", "gainers", "losers", "hot"] as const;
export type ListName = (typeof LISTS)[number];

/** How many a ranking names: what a reader looks through, and what the socket watches beside the list. */
const RANKED = 30;

export interface Listed {
  /** Null while they are on their way. */
  instruments: readonly Instrument[] | null;
  /** The code of a failure with nothing to show. */
  failure: string | null;
  retry: () => void;
}

const nothing = (): void => undefined;

/** The instruments of a tab, in their order; rankings change about once a second. */
export function useListed(name: ListName, board: Board | null = null): Listed {
  const table = useInstruments();
  const watchlist = useWatchlist();
  const ranked = useRanked(name === "watchlist" ? null : name, board);
  const codes: readonly string[] | null = name === "watchlist" ? watchlist.value : ranked;
  const instruments = useMemo(() => {
    if (!table || !codes) return null;
    return codes.map((code) => table.byCode.get(code)).filter((instrument) => instrument !== undefined);
  }, [table, codes]);
  const failed = name === "watchlist" && watchlist.state === "failed" && codes === null;
  return { instruments, failure: failed ? (watchlist.failure ?? "") : null, retry: failed ? watchlist.retry : nothing };
}

interface Ranked {
  key: string;
  codes: string[];
}

function useRanked(by: Ranking | null, board: Board | null): readonly string[] | null {
  const key = `${by} ${board}`;
  const changes$ = useMemo(() => (by === null ? NEVER : ranking$(by, board, RANKED)), [by, board]);
  // The hook holds the ranking before for a moment after a change of tab, so each says whose it is.
  const tagged$ = useMemo(() => changes$.pipe(map((codes): Ranked => ({ key, codes }))), [changes$, key]);
  const ranked = useObservableState<Ranked | null>(tagged$, null);
  return ranked?.key === key ? ranked.codes : null;
}
