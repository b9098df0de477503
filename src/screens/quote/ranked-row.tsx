/** The rows of live rankings: numbered, with what they are ranked by where price and percent do not say it. */
import type { ComponentType } from "react";
import type { Instrument } from "#contract/instrument.ts";
import type { Ranking } from "#contract/quote.ts";
import type { VirtualRowProps } from "#src/ui/virtual-list.tsx";
import { QuoteRow } from "./quote-row.tsx";
import type { SortField } from "./sorting.ts";

type RankedRow = ComponentType<VirtualRowProps<Instrument>>;

function rowWith(metric: SortField | null): RankedRow {
  return function RankedItem({ item, index }) {
    return <QuoteRow instrument={item} rank={index + 1} metric={metric} />;
  };
}

/** One component per ranking, because a list's must not change between renders. Limits are told by how much is traded there. */
export const RANKED_ROWS: Record<Ranking, RankedRow> = {
  gainers: rowWith(null),
  losers: rowWith(null),
  volume: rowWith("volume"),
  turnover: rowWith("turnover"),
  amplitude: rowWith("amplitude"),
  limitUp: rowWith("turnover"),
  limitDown: rowWith("turnover"),
};
