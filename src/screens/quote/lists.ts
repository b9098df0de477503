/** The instruments of a list and their order: the watchlist, a live ranking, or codes sorted by a column. */
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

/** The size of a tab's ranking: what a user scrolls through, and what the socket subscribes to for the list. */
const RANKED = 30;

export interface Listed {
  /** Null while loading. */
  instruments: readonly Instrument[] | null;
  /** The code of a failure with nothing to show. */
  failure: string | null;
  retry: () => void;
}

const noRetry = (): void => undefined;

/** The instruments of the codes the table knows; null while either is loading. */
export function useNamed(codes: readonly string[] | null): readonly Instrument[] | null {
  const table = useInstruments();
  return useMemo(() => {
    if (!table || !codes) return null;
    return codes.map((code) => table.byCode.get(code)).filter((instrument) => instrument !== undefined);
  }, [table, codes]);
}

/** The instruments of a tab, in order; rankings change about once a second. `group` narrows the watchlist to one of its groups. */
export function useListed(name: ListName, board: Board | null = null, group: string | null = null): Listed {
  const watched = useWatched(group);
  const ranked = useRanked(name === "watchlist" ? null : { by: name, board, category: null, size: RANKED });
  const instruments = useNamed(name === "watchlist" ? watched.codes : ranked);
  return name === "watchlist"
    ? { instruments, failure: watched.failure, retry: watched.retry }
    : { instruments, failure: null, retry: noRetry };
}

export interface WatchedCodes {
  /** Null while loading. */
  codes: readonly string[] | null;
  /** The code of a failure with nothing to show. */
  failure: string | null;
  retry: () => void;
}

/** The codes of a watchlist group in the member's order; of all groups if `group` is null or no longer exists. */
export function useWatched(group: string | null): WatchedCodes {
  const { value, groups, codes, state, failure, retry } = useWatchlist();
  if (value === null) return { codes: null, failure: state === "failed" ? (failure ?? "") : null, retry };
  return { codes: groups.find(({ id }) => id === group)?.codes ?? codes, failure: null, retry };
}

interface TaggedCodes {
  key: string;
  codes: readonly string[];
}

/** The newest codes of a stream, tagged with its key: after a change of stream the hook briefly holds the previous value. */
function useTagged(codes$: Observable<readonly string[]>, key: string): TaggedCodes | null {
  const tagged$ = useMemo(() => codes$.pipe(map((codes): TaggedCodes => ({ key, codes }))), [codes$, key]);
  return useObservableState<TaggedCodes | null>(tagged$, null);
}

/** The codes of a ranking, best first; null until it has arrived, and for a null view. */
export function useRanked(view: RankView | null): readonly string[] | null {
  const key = JSON.stringify(view);
  const codes$ = useMemo(() => {
    const requested = JSON.parse(key) as RankView | null;
    return requested === null ? NEVER : ranking$(requested);
  }, [key]);
  const tagged = useTagged(codes$, key);
  return tagged?.key === key ? tagged.codes : null;
}

/** Codes sorted by a column, updated about once a second; in their own order without a sort, and until the first result. */
export function useSorted(codes: readonly string[] | null, sort: Sort | null): readonly string[] | null {
  const key = JSON.stringify(sort);
  // A ranking changes its order every second but its members rarely: only a change of members needs a new request.
  const members = codes && sort ? codes.toSorted().join() : "";
  const codes$ = useMemo(() => (sort && members !== "" ? sorted$({ codes: members.split(","), ...sort }) : NEVER), [members, sort]);
  const tagged = useTagged(codes$, key);
  // Codes added since the last result come last, until the next one.
  return useMemo(() => (codes && sort && tagged?.key === key ? ordered(codes, tagged.codes) : codes), [codes, sort, tagged, key]);
}
