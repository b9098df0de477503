/** The reference price of an instrument, against which its prices are above, below or unchanged. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import { distinctUntilChanged, map } from "rxjs";
import { quote$ } from "#src/streams/quotes.ts";

/** In ten-thousandths; null while it is not known. It changes once a day, so it does not rerender with every tick. */
export function useReference(code: string): number | null {
  const reference$ = useMemo(
    () =>
      quote$(code).pipe(
        map((view) => view.quote.reference),
        distinctUntilChanged(),
      ),
    [code],
  );
  const reference = useObservableState(reference$, 0);
  return reference > 0 ? reference : null;
}
