/** The detail of a stock, whose charts can open the order sheets. */
import { StockDetail as Screen } from "#src/screens/market/stock-detail.tsx";
import { OrderSheets } from "./order-sheets.tsx";

export function StockDetail() {
  return (
    <OrderSheets>
      <Screen />
    </OrderSheets>
  );
}
