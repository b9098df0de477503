/** The instruments a list shows and their order: the member's own, a live ranking, or any of them sorted by a column. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import type { Observable } from "rxjs";
import { map, NEVER } from "rxjs";
import type { Board, Instrument } from "#contract/instrument.ts";
import type { RankView } from "#contract/quote.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { ranking$, sorted$ } from "#src/streams/rankings.ts";
import { useWatchlist } from "#src/streams/watchlist.ts";
import { ordered } from "./sorting.ts";
import type { Sort } from "./sorting.ts";

/** The tabs of a quote list. */
export const LISTS = ["watchlist", "gainers", "losers", "turnover"] as const;
export type ListName = (typeof LISTS)[number];

/** How many a tab's ranking names: what a reader looks through, and what the socket watches beside the list. */
const RANKED = 30;

export interface Listed {
  /** Null while they are on their way. */
  instruments: readonly Instrument[] | null;
  /** The code of a failure with nothing to show. */
  failure: string | null;
  retry: () => void;
}

const nothing = (): void => undefined;

/** The instruments of some codes, those the table knows; null while either is on its way. */
export function useNamed(codes: readonly string[] | null): readonly Instrument[] | null {
  const table = useInstruments();
  return useMemo(() => {
    if (!table || !codes) return null;
    return codes.map((code) => table.byCode.get(code)).filter((instrument) => instrument !== undefined);
  }, [table, codes]);
}

/** The instruments of a tab, in their order; rankings change about once a second. `group` narrows the watchlist to one of its groups. */
export function useListed(name: ListName, board: Board | null = null, group: string | null = null): Listed {
  const watched = useWatched(group);
  const ranked = useRanked(name === "watchlist" ? null : { by: name, board, category: null, size: RANKED });
  const instruments = useNamed(name === "watchlist" ? watched.codes : ranked);
  return name === "watchlist"
    ? { instruments, failure: watched.failure, retry: watched.retry }
    : { instruments, failure: null, retry: nothing };
}

export interface WatchedCodes {
  /** Null while they are on their way. */
  codes: readonly string[] | null;
  /** The code of a failure with nothing to show. */
  failure: string | null;
  retry: () => void;
}

/** What the member follows in a group, in the member's order; in all of them without one, or when that one is gone. */
export function useWatched(group: string | null): WatchedCodes {
  const { value, groups, codes, state, failure, retry } = useWatchlist();
  if (value === null) return { codes: null, failure: state === "failed" ? (failure ?? "") : null, retry };
  return { codes: groups.find(({ id }) => id === group)?.codes ?? codes, failure: null, retry };
}

interface Kept {
  key: string;
  codes: readonly string[];
}

/** The newest of a stream of codes, with whose they are: after a change of stream the hook holds the one before for a moment. */
function useKept(codes$: Observable<readonly string[]>, key: string): Kept | null {
  const tagged$ = useMemo(() => codes$.pipe(map((codes): Kept => ({ key, codes }))), [codes$, key]);
  return useObservableState<Kept | null>(tagged$, null);
}

/** The codes of a ranking, best first; null until it has come, and for no view. */
export function useRanked(view: RankView | null): readonly string[] | null {
  const key = JSON.stringify(view);
  const codes$ = useMemo(() => {
    const asked = JSON.parse(key) as RankView | null;
    return asked === null ? NEVER : ranking$(asked);
  }, [key]);
  const kept = useKept(codes$, key);
  return kept?.key === key ? kept.codes : null;
}

/** Codes sorted by a column, about once a second; in their own order without one, and until the first order has come. */
export function useSorted(codes: readonly string[] | null, sort: Sort | null): readonly string[] | null {
  const key = JSON.stringify(sort);
  // A ranking changes its order every second, its members seldom: only they are asked for anew.
  const members = codes && sort ? codes.toSorted().join() : "";
  const codes$ = useMemo(() => (sort && members !== "" ? sorted$({ codes: members.split(","), ...sort }) : NEVER), [members, sort]);
  const kept = useKept(codes$, key);
  // What came or went since the last order stands behind, until the next one.
  return useMemo(() => (codes && sort && kept?.key === key ? ordered(codes, kept.codes) : codes), [codes, sort, kept, key]);
}
