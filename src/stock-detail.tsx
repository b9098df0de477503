/** The detail of a stock, with the order sheets of the trade screens that its chart opens. */
import { lazy } from "react";
import { OwnSheets } from "#src/screens/chart/own-sheets.ts";
import { StockDetail as Detail } from "#src/screens/market/stock-detail.tsx";

const SHEETS = {
  Amend: lazy(async () => ({ default: (await import("#src/screens/trade/amend-sheet.tsx")).AmendSheet })),
  Exits: lazy(async () => ({ default: (await import("#src/screens/trade/exits-sheet.tsx")).ExitsSheet })),
};

export function StockDetail() {
  return (
    <OwnSheets value={SHEETS}>
      <Detail />
    </OwnSheets>
  );
}
