/** A live value of one order, one position, or all positions together. */
import { LiveCell } from "./quote-cell.tsx";
import { DAY_TRADES, TOTAL } from "./worker.ts";
import type { ProfitCellField } from "./worker.ts";

interface ProfitCellLook {
  field: ProfitCellField;
  className?: string | undefined;
  as?: "span" | "div" | "p" | "td" | "dd" | "b" | "strong" | "output" | undefined;
}

/** What the value is of: an order (null: all positions together), a position by its `positionId`, or all open day trades. */
export type ProfitCellProps = ProfitCellLook & ({ orderNo: string | null } | { positionId: string } | { dayTrades: true });

const keyOf = (props: ProfitCellProps): string =>
  "dayTrades" in props ? DAY_TRADES : "positionId" in props ? props.positionId : (props.orderNo ?? TOTAL);

/** Profit, return, market value or cost at the latest price. Orders come from `setPositions`. */
export function ProfitCell(props: ProfitCellProps) {
  const { field, className, as } = props;
  return <LiveCell of={keyOf(props)} field={field} className={className} as={as} />;
}
