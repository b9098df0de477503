/** The workspace of a stock, whose charts can open the order sheets. */
import { StockWorkspace as Screen } from "#src/screens/workspace/stock-workspace.tsx";
import { OrderSheets } from "./order-sheets.tsx";

export function StockWorkspace() {
  return (
    <OrderSheets>
      <Screen />
    </OrderSheets>
  );
}
