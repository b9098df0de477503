/**
 * The instrument table and the venue's state. The worker fetches and parses the table off the main thread; the page receives
 * it once, as a structured clone, because screens need instrument names for the rows they draw.
 */
import { useMemo } from "react";
import { BehaviorSubject, map, distinctUntilChanged } from "rxjs";
import { useObservableEagerState } from "observable-hooks";
import type { Board, Category, Instrument, VenueState } from "#contract/instrument.ts";
import { onWorkerMessage } from "./worker-link.ts";
import type { InstrumentTable } from "./worker.ts";

export interface Instruments {
  /** In row order. */
  list: readonly Instrument[];
  categories: readonly Category[];
  byCode: ReadonlyMap<string, Instrument>;
}

const table$ = new BehaviorSubject<Instruments | null>(null);

/** The table; null until it arrives. */
export const instruments$ = table$.asObservable();

const venueState$ = new BehaviorSubject<VenueState | null>(null);

/** The venue's state: phase, its end, session times; null until the table arrives. */
export const venue$ = venueState$.asObservable();

/** The venue's phase; emits only changes. */
export const phase$ = venue$.pipe(
  map((venue) => venue?.phase ?? null),
  distinctUntilChanged(),
);

/** The table, in a component. */
export function useInstruments(): Instruments | null {
  return useObservableEagerState(instruments$);
}

/** The given boards that the venue lists, in order; all of them until the table arrives. A live feed may lack some. */
export function useListedBoards<Some extends Board>(boards: readonly Some[]): readonly Some[] {
  const table = useInstruments();
  return useMemo(
    () => (table ? boards.filter((board) => table.categories.some((category) => category.board === board)) : boards),
    [table, boards],
  );
}

/** The venue's state, in a component. */
export function useVenue(): VenueState | null {
  return useObservableEagerState(venue$);
}

/** The instrument of a code; undefined before the table arrives or for an unknown code. */
export function instrumentOf(code: string): Instrument | undefined {
  return table$.value?.byCode.get(code);
}

/** Clear the table when the session ends. */
export function clearInstruments(): void {
  table$.next(null);
  venueState$.next(null);
}

function read({ venue, categories, instruments }: InstrumentTable): void {
  venueState$.next(venue);
  table$.next({ list: instruments, categories, byCode: new Map(instruments.map((instrument) => [instrument.code, instrument])) });
}

onWorkerMessage("instruments", ({ table }) => read(table));
onWorkerMessage("venue", ({ venue }) => venueState$.next(venue));
