/** Quotes in full, for heads and tickets: at most ten a second per instrument. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import { Observable } from "rxjs";
import type { Instrument } from "#contract/instrument.ts";
import { quoteAt } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";
import { dayLimits } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";
import { frames$ } from "./frames.ts";
import { instrumentOf } from "./instruments.ts";
import { watch } from "./watching.ts";
import { QUOTE_CELL_FIELDS, TONES } from "./worker.ts";
import type { QuoteCellField, QuoteTold, Tone } from "./worker.ts";

/** A quote with everything a head or a ticket says about it. */
export interface QuoteView {
  instrument: Instrument;
  quote: Quote;
  /** The day's limits; null where there are none or the reference is unknown. */
  limits: DayLimits | null;
  /** Last against reference; flat while either is unknown. */
  tone: Tone;
  /** Ready texts by field, the same as cells show; `--` where the market has nothing. */
  text: Record<QuoteCellField, string>;
}

/** The newest view of each watched code, for those who begin to watch it too. */
const newest = new Map<string, QuoteView>();
const watchers = new Map<string, Set<(view: QuoteView) => void>>();

function viewOf(told: QuoteTold): QuoteView | null {
  const instrument = instrumentOf(told.code);
  if (!instrument) return null;
  const quote = quoteAt(told.flat, 0);
  const text = Object.fromEntries(QUOTE_CELL_FIELDS.map((field, at) => [field, told.texts[at] ?? ""])) as Record<QuoteCellField, string>;
  const limits = quote.reference > 0 ? dayLimits(instrument.kind, quote.reference) : null;
  return { instrument, quote, limits, tone: TONES[told.tone] ?? "flat", text };
}

frames$.subscribe((frame) => {
  for (const told of frame.quotes ?? []) {
    const watching = watchers.get(told.code);
    const view = watching && viewOf(told);
    if (!view) continue;
    newest.set(told.code, view);
    for (const tell of watching) tell(view);
  }
});

/** The quote of an instrument as it changes; begins with the newest known while another watches it. */
export function quote$(code: string): Observable<QuoteView> {
  return new Observable((watcher) => {
    const tell = (view: QuoteView): void => watcher.next(view);
    const beside = watchers.get(code) ?? new Set();
    watchers.set(code, beside.add(tell));
    const stop = watch("quotes", code);
    const known = newest.get(code);
    if (known) tell(known);
    return () => {
      beside.delete(tell);
      stop();
      if (beside.size > 0) return;
      watchers.delete(code);
      newest.delete(code);
    };
  });
}

/** The quote of an instrument, in a component: renders at most ten times a second; null until it has come. */
export function useQuote(code: string): QuoteView | null {
  const watched$ = useMemo(() => quote$(code), [code]);
  const view = useObservableState(watched$, null);
  // After a change of code the hook still holds the one before for a moment.
  return view?.instrument.code === code ? view : null;
}

/** The session ended. */
export function clearQuotes(): void {
  newest.clear();
}
