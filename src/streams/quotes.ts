/** Quotes in full, for heads and tickets: at most ten a second per instrument. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import type { Observable } from "rxjs";
import type { Instrument } from "#contract/instrument.ts";
import { quoteAt } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";
import { limitsOf } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";
import { takePart } from "./frames.ts";
import { instrumentOf } from "./instruments.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import { QUOTE_CELL_FIELDS, TONES } from "./worker.ts";
import type { QuoteCellField, QuoteUpdate, Tone } from "./worker.ts";

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

const views = new LatestByKey<QuoteView>();

function viewOf(told: QuoteUpdate): QuoteView | null {
  const instrument = instrumentOf(told.code);
  if (!instrument) return null;
  const quote = quoteAt(told.flat, 0);
  const text = Object.fromEntries(QUOTE_CELL_FIELDS.map((field, at) => [field, told.texts[at] ?? ""])) as Record<QuoteCellField, string>;
  const limits = quote.reference > 0 ? limitsOf(instrument, quote.reference, quote.at) : null;
  return { instrument, quote, limits, tone: TONES[told.tone] ?? "flat", text };
}

takePart("quotes", (quotes) => {
  for (const told of quotes) {
    const view = views.watched(told.code) ? viewOf(told) : null;
    if (view) views.tell(told.code, view);
  }
});

/** The quote of an instrument as it changes; begins with the newest known while another watches it. */
export function quote$(code: string): Observable<QuoteView> {
  return views.of(code, () => watch("quotes", code));
}

/** The quote of an instrument, in a component: renders at most ten times a second; null until it has come. */
export function useQuote(code: string): QuoteView | null {
  const watched$ = useMemo(() => quote$(code), [code]);
  const view = useObservableState(watched$, null);
  // After a change of code the hook still holds the one before for a moment.
  return view?.instrument.code === code ? view : null;
}
