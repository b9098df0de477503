/** A live value of one order, one position, or all positions together. */
import { LiveCell } from "./quote-cell.tsx";
import { TOTAL } from "./worker.ts";
import type { ProfitCellField } from "./worker.ts";

interface ProfitCellLook {
  field: ProfitCellField;
  className?: string | undefined;
  as?: "span" | "div" | "p" | "td" | "dd" | "b" | "strong" | "output" | undefined;
}

/** What the value is of: an order (null: all positions together), or a position by its `positionId`. */
export type ProfitCellProps = ProfitCellLook & ({ orderNo: string | null } | { positionId: string });

/** Profit, return, market value or cost at the latest price. Orders come from `setPositions`. */
export function ProfitCell(props: ProfitCellProps) {
  const { field, className, as } = props;
  const key = "positionId" in props ? props.positionId : props.orderNo;
  return <LiveCell of={key ?? TOTAL} field={field} className={className} as={as} />;
}
