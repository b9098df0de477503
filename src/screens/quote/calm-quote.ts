/** A throttled quote for derived values such as ratios and form warnings. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import { throttleTime } from "rxjs";
import { quote$ } from "#src/streams/quotes.ts";
import type { QuoteView } from "#src/streams/quotes.ts";

const THROTTLE_MS = 1_000;

/** Renders at most once a second; null until the quote has arrived. */
export function useCalmQuote(code: string): QuoteView | null {
  const throttled$ = useMemo(() => quote$(code).pipe(throttleTime(THROTTLE_MS, undefined, { leading: true, trailing: true })), [code]);
  const view = useObservableState(throttled$, null);
  // After a code change the hook briefly still holds the previous quote.
  return view?.instrument.code === code ? view : null;
}
