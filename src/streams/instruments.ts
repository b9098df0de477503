/**
 * The instrument table and the venue's state. The worker fetches and parses the table, off the main thread; the page gets it
 * once, as one structured clone, because it names the rows it draws.
 */
import { BehaviorSubject, filter, map, distinctUntilChanged } from "rxjs";
import { useObservableEagerState } from "observable-hooks";
import type { Category, Instrument, VenueState } from "#contract/instrument.ts";
import { messages$ } from "./link.ts";
import type { InstrumentTable } from "./worker.ts";

export interface Instruments {
  /** In row order. */
  list: readonly Instrument[];
  categories: readonly Category[];
  byCode: ReadonlyMap<string, Instrument>;
}

const table$ = new BehaviorSubject<Instruments | null>(null);

/** The table; null until it has come. */
export const instruments$ = table$.asObservable();

const venueState$ = new BehaviorSubject<VenueState | null>(null);

/** The venue's trading day: phase, its end, session times; null until the table has come. */
export const venue$ = venueState$.asObservable();

/** The venue's phase, each once. */
export const phase$ = venue$.pipe(
  map((venue) => venue?.phase ?? null),
  distinctUntilChanged(),
);

/** The table, in a component. */
export function useInstruments(): Instruments | null {
  return useObservableEagerState(instruments$);
}

/** The venue's state, in a component. */
export function useVenue(): VenueState | null {
  return useObservableEagerState(venue$);
}

/** The instrument of a code, if the table has come and has it. */
export function instrumentOf(code: string): Instrument | undefined {
  return table$.value?.byCode.get(code);
}

/** Forget the table: the session ended. */
export function clearInstruments(): void {
  table$.next(null);
  venueState$.next(null);
}

function read({ venue, categories, instruments }: InstrumentTable): void {
  venueState$.next(venue);
  table$.next({ list: instruments, categories, byCode: new Map(instruments.map((instrument) => [instrument.code, instrument])) });
}

messages$.pipe(filter((message) => message.kind === "instruments")).subscribe(({ table }) => read(table));
messages$.pipe(filter((message) => message.kind === "venue")).subscribe(({ venue }) => venueState$.next(venue));
