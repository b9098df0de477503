/** Full quotes for page heads and order tickets: at most ten a second per instrument. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import { throttleTime } from "rxjs";
import type { MonoTypeOperatorFunction, Observable } from "rxjs";
import type { Instrument } from "#contract/instrument.ts";
import { quoteAt } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";
import { limitsOf } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";
import { onFramePart } from "./frames.ts";
import { instrumentOf } from "./instruments.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import { QUOTE_CELL_FIELDS, TONES } from "./worker.ts";
import type { QuoteCellField, QuoteUpdate, Tone } from "./worker.ts";

/** A quote with everything a head or a ticket shows. */
export interface QuoteView {
  instrument: Instrument;
  quote: Quote;
  /** The day's limits; null where there are none or the reference is unknown. */
  limits: DayLimits | null;
  /** Last price against reference price; flat while either is unknown. */
  tone: Tone;
  /** Formatted texts by field, the same as in cells; `--` where the market has no value. */
  text: Record<QuoteCellField, string>;
}

const views = new LatestByKey<QuoteView>();

function viewOf(update: QuoteUpdate): QuoteView | null {
  const instrument = instrumentOf(update.code);
  if (!instrument) return null;
  const quote = quoteAt(update.flat, 0);
  const text = Object.fromEntries(QUOTE_CELL_FIELDS.map((field, at) => [field, update.texts[at] ?? ""])) as Record<QuoteCellField, string>;
  const limits = quote.reference > 0 ? limitsOf(instrument, quote.reference, quote.at) : null;
  return { instrument, quote, limits, tone: TONES[update.tone] ?? "flat", text };
}

onFramePart("quotes", (quotes) => {
  for (const update of quotes) {
    const view = views.watched(update.code) ? viewOf(update) : null;
    if (view) views.publish(update.code, view);
  }
});

/** An instrument's quote as it changes; starts with the latest one while another subscriber watches it. */
export function quote$(code: string): Observable<QuoteView> {
  return views.of(code, () => watch("quotes", code));
}

/** Figures that must follow at once are cells; what React renders from a quote may be this late. */
const RENDER_EVERY_MS = 250;

/** Passes on the first value at once, then the newest at most four times a second: what a component renders. */
export const atRenderRate = <Value>(): MonoTypeOperatorFunction<Value> =>
  throttleTime(RENDER_EVERY_MS, undefined, { leading: true, trailing: true });

/** An instrument's quote, in a component: renders at most four times a second, the first at once; null until it arrives. */
export function useQuote(code: string): QuoteView | null {
  const watched$ = useMemo(() => quote$(code).pipe(atRenderRate()), [code]);
  const view = useObservableState(watched$, null);
  // After a change of code the hook briefly holds the previous code's value.
  return view?.instrument.code === code ? view : null;
}
