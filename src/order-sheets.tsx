/** The order sheets of the trade screens, for the charts inside. */
import { lazy } from "react";
import type { ReactNode } from "react";
import { OwnSheets } from "#src/screens/chart/own-sheets.ts";

const SHEETS = {
  Amend: lazy(async () => ({ default: (await import("#src/screens/trade/amend-sheet.tsx")).AmendSheet })),
  Exits: lazy(async () => ({ default: (await import("#src/screens/trade/exits-sheet.tsx")).ExitsSheet })),
};

export function OrderSheets({ children }: { children: ReactNode }) {
  return <OwnSheets value={SHEETS}>{children}</OwnSheets>;
}
