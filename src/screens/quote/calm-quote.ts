/** The quote of an instrument for what is read rather than watched: ratios, a form's warning. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import { throttleTime } from "rxjs";
import { quote$ } from "#src/streams/quotes.ts";
import type { QuoteView } from "#src/streams/quotes.ts";

const CALM_MS = 1_000;

/** Renders at most once a second; null until the quote has come. */
export function useCalmQuote(code: string): QuoteView | null {
  const calm$ = useMemo(() => quote$(code).pipe(throttleTime(CALM_MS, undefined, { leading: true, trailing: true })), [code]);
  const view = useObservableState(calm$, null);
  // After a change of code the hook still holds the one before for a moment.
  return view?.instrument.code === code ? view : null;
}
