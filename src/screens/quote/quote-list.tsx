/** A live list of instruments: rows of the member's density in one virtual list. */
import type { Instrument } from "#contract/instrument.ts";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import type { VirtualListProps } from "#src/ui/virtual-list.tsx";
import { ROW_PX, useDensity } from "./density.ts";
import { QuoteItem } from "./quote-row.tsx";

type QuoteListProps = Omit<VirtualListProps<Instrument>, "keyOf" | "Row" | "rowPx"> & Partial<Pick<VirtualListProps<Instrument>, "Row">>;

const codeOf = (instrument: Instrument): string => instrument.code;

/** Fills its container and scrolls on its own. */
export function QuoteList({ Row = QuoteItem, ...list }: QuoteListProps) {
  return <VirtualList {...list} keyOf={codeOf} Row={Row} rowPx={ROW_PX[useDensity()]} />;
}
