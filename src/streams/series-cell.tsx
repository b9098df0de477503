/** A live text of an option series: React renders it once, the priced chain writes it from then on. */
import { memo, useCallback, useState } from "react";
import { seriesText, showSeries } from "./option-chain.ts";
import type { SeriesField } from "./option-worker.ts";

interface SeriesCellProps {
  code: string;
  field: SeriesField;
  className?: string | undefined;
}

export const SeriesCell = memo(function SeriesCell({ code, field, className }: SeriesCellProps) {
  // Keeps the first value: a later render must find nothing to change, or it would overwrite the streamed text.
  const [first] = useState(() => seriesText(code, field));
  const show = useCallback((node: HTMLElement | null) => (node ? showSeries(code, field, node) : undefined), [code, field]);
  return (
    <span ref={show} className={className}>
      {first}
    </span>
  );
});
