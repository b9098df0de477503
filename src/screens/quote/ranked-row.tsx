/** The rows of live rankings: numbered, with the ranked value where price and percent do not show it. */
import type { ComponentType } from "react";
import type { Instrument } from "#contract/instrument.ts";
import type { Ranking } from "#contract/quote.ts";
import type { VirtualRowProps } from "#src/ui/virtual-list.tsx";
import { QuoteRow } from "./quote-row.tsx";
import type { SortField } from "./sorting.ts";

type RankedRow = ComponentType<VirtualRowProps<Instrument>>;

function rowWith(metric?: SortField): RankedRow {
  return function RankedItem({ item, index }) {
    return <QuoteRow instrument={item} rank={index + 1} {...(metric ? { metric } : {})} />;
  };
}

/** One component per ranking, because a list's row component must not change between renders. Limit up and limit down show the turnover. */
export const RANKED_ROWS: Record<Ranking, RankedRow> = {
  gainers: rowWith(),
  losers: rowWith(),
  volume: rowWith(),
  turnover: rowWith("turnover"),
  amplitude: rowWith("amplitude"),
  limitUp: rowWith("turnover"),
  limitDown: rowWith("turnover"),
};
