/** A live value of one position or of all positions together. */
import { LiveCell } from "./quote-cell.tsx";
import { TOTAL } from "./worker.ts";
import type { ProfitCellField } from "./worker.ts";

export interface ProfitCellProps {
  /** Null shows all positions together. */
  orderNo: string | null;
  field: ProfitCellField;
  className?: string | undefined;
  as?: "span" | "div" | "p" | "td" | "dd" | "b" | "strong" | "output" | undefined;
}

/** Profit, return, market value or cost of a position at the latest price. Positions come from `setPositions`. */
export function ProfitCell({ orderNo, ...rest }: ProfitCellProps) {
  return <LiveCell of={orderNo ?? TOTAL} {...rest} />;
}
