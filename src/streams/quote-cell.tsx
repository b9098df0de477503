/** A live value of an instrument: React renders it once, the cell stream writes it from then on. */
import { memo, useCallback, useState } from "react";
import { cellOf, showCell, toneWord } from "./cells.ts";
import type { ProfitCellField, QuoteCellField } from "./worker.ts";

type Tag = "span" | "div" | "p" | "td" | "dd" | "b" | "strong" | "output";

interface LiveCellProps {
  /** Instrument code, order number, or `TOTAL`. */
  of: string;
  field: QuoteCellField | ProfitCellField;
  className?: string | undefined;
  as?: Tag | undefined;
}

/** The node of one cell. Its text and `data-d` are written by the cell stream after the first render. */
export const LiveCell = memo(function LiveCell({ of, field, className, as = "span" }: LiveCellProps) {
  // Keeps the first value: a later render must find nothing to change, or it would overwrite the streamed text.
  const [first] = useState(() => {
    const cell = cellOf(of, field);
    return { text: cell.text, tone: toneWord(cell) };
  });
  const show = useCallback((node: HTMLElement | null) => (node ? showCell(cellOf(of, field), node) : undefined), [of, field]);
  const Tag = as;
  return (
    <Tag ref={show} className={className} data-d={first.tone}>
      {first.text}
    </Tag>
  );
});

export interface QuoteCellProps {
  code: string;
  field: QuoteCellField;
  className?: string | undefined;
  as?: Tag | undefined;
}

/** A live value of an instrument, coloured by `data-d`; changes include their own ▲▼– mark. */
export function QuoteCell({ code, ...rest }: QuoteCellProps) {
  return <LiveCell of={code} {...rest} />;
}
