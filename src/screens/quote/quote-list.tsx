/** A live list of instruments: rows of the member's density in one virtual list. */
import type { Instrument } from "#contract/instrument.ts";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import type { VirtualListProps } from "#src/ui/virtual-list.tsx";
import { ROW_PX, useDensity } from "./density.ts";
import { rememberOrigin } from "./origin-list.ts";
import { QuoteItem } from "./quote-row.tsx";
import styles from "./quote-list.module.css";

type QuoteListProps = Omit<VirtualListProps<Instrument>, "keyOf" | "Row" | "rowPx"> & Partial<Pick<VirtualListProps<Instrument>, "Row">>;

/** Whether a click opens the detail of a row. */
const isDetailLink = (target: EventTarget): boolean => target instanceof Element && target.closest("[data-quote] a") !== null;

const codeOf = (instrument: Instrument): string => instrument.code;

/** Fills its container and scrolls on its own. */
export function QuoteList({ Row = QuoteItem, ...list }: QuoteListProps) {
  return (
    // Clicks come up from the row's link, which has forgotten the list before.
    <div
      className={styles.origin}
      onClick={(event) => isDetailLink(event.target) && rememberOrigin(list.sections.flatMap(({ items }) => items))}
    >
      <VirtualList {...list} keyOf={codeOf} Row={Row} rowPx={ROW_PX[useDensity()]} />
    </div>
  );
}
