/** A live list of instruments: rows of the member's density in one virtual list. */
import { useCallback, useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { foresee } from "#src/streams/subscriptions.ts";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import type { VirtualListProps } from "#src/ui/virtual-list.tsx";
import { ROW_PX, useDensity } from "./density.ts";
import { rememberOrigin } from "./origin-list.ts";
import { QuoteItem } from "./quote-row.tsx";
import styles from "./quote-list.module.css";

type QuoteListProps = Omit<VirtualListProps<Instrument>, "keyOf" | "Row" | "rowPx" | "onAhead"> &
  Partial<Pick<VirtualListProps<Instrument>, "Row">>;

/** Whether a click opens the detail of a row. */
const isDetailLink = (target: EventTarget): boolean => target instanceof Element && target.closest("[data-quote] a") !== null;

const codeOf = (instrument: Instrument): string => instrument.code;

/** Fills its container and scrolls on its own. */
export function QuoteList({ Row = QuoteItem, ...list }: QuoteListProps) {
  const [self] = useState(() => ({}));
  const onAhead = useCallback((items: readonly Instrument[]) => foresee(self, items.map(codeOf)), [self]);
  return (
    // Clicks come up from the row's link, which has forgotten the list before.
    <div
      className={styles.origin}
      onClick={(event) => isDetailLink(event.target) && rememberOrigin(list.sections.flatMap(({ items }) => items))}
    >
      <VirtualList {...list} keyOf={codeOf} Row={Row} rowPx={ROW_PX[useDensity()]} onAhead={onAhead} />
    </div>
  );
}
