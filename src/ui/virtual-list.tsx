/** A list of thousands of rows with only a few mounted: fixed height, sticky headings, rows keyed by their own id. */
import type { Path } from "#src/paths.ts";
import { ChevronRight } from "lucide-react";
import { memo, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { Link } from "./link.tsx";
import { bySection, placeSections, sectionAt } from "./virtual-layout.ts";
import { itemOf, moveFocus, useVirtualWindow } from "./virtual-window.ts";
import type { VirtualWindow } from "./virtual-window.ts";
import styles from "./virtual-list.module.css";

export interface VirtualSection<Item> {
  id: string;
  /** The sticky heading's text; without it there is no heading. */
  title?: string;
  /** Where the heading links to. */
  to?: Path;
  /** At the end of the heading: a count, a live change. */
  note?: ReactNode;
  items: readonly Item[];
}

/** Props of a row component. The component's identity must be stable: define it at the top of a module. */
export interface VirtualRowProps<Item> {
  item: Item;
  /** Its index in its section. */
  index: number;
}

export interface VirtualListProps<Item> {
  /** The list's accessible name. */
  label: string;
  sections: readonly VirtualSection<Item>[];
  keyOf: (item: Item) => string;
  Row: ComponentType<VirtualRowProps<Item>>;
  /** Row height at a 16 px root; it grows with larger letters, never shrinks. */
  rowPx?: number;
  headingPx?: number;
  /** Content that scrolls along above and below the rows. */
  before?: ReactNode;
  after?: ReactNode;
  /** The end is near: load the next page. Called again only when the number of rows has changed. */
  onNearEnd?: (rows: number) => void;
  /** The index of the section at the upper edge; `atEnd` when the list cannot scroll further. */
  onTop?: (section: number, atEnd: boolean) => void;
  /** Scroll to the start of a section, by index; pass a new object to scroll again. */
  jump?: { to: number } | null;
}

/** The end is near when this many rows or fewer follow the visible ones. */
const NEAR_END_ROWS = 13;
const DEFAULT_ROW_PX = 64;
const DEFAULT_HEADING_PX = 36;
/** A linked heading has the height of a touch target plus its hairline. */
const LINKED_HEADING_PX = 45;

/** The list fills its container and scrolls on its own. Mounted rows are not rendered again while it scrolls. */
export function VirtualList<Item>({
  label,
  sections,
  keyOf,
  Row,
  rowPx = DEFAULT_ROW_PX,
  headingPx,
  before,
  after,
  onNearEnd,
  onTop,
  jump = null,
}: VirtualListProps<Item>) {
  const id = useId();
  const place = useCallback(
    (scale: number) => {
      const heading = headingPx ?? (sections.some(({ to }) => to !== undefined) ? LINKED_HEADING_PX : DEFAULT_HEADING_PX);
      return placeSections(
        sections.map((section) => ({ rows: section.items.length, headed: section.title !== undefined })),
        Math.round(rowPx * scale),
        Math.round(heading * scale),
      );
    },
    [sections, rowPx, headingPx],
  );
  const [focused, setFocused] = useState<number | null>(null);
  const shown = useVirtualWindow(place, focused);
  const { scroller, plane, layout, items, last } = shown;
  useTopSection(shown, onTop);
  const nearEnd = useEffectEvent((rows: number) => onNearEnd?.(rows));
  const close = layout.rows > 0 && last >= layout.items - 1 - NEAR_END_ROWS;
  useEffect(() => {
    if (close) nearEnd(layout.rows);
  }, [close, layout.rows]);

  const scrollTo = useEffectEvent((section: number) => {
    const target = layout.sections[section];
    if (target) scroller.current?.scrollTo({ top: (plane.current?.offsetTop ?? 0) + target.top });
  });
  useEffect(() => {
    if (jump) scrollTo(jump.to);
  }, [jump]);

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="region"
      aria-label={label}
      tabIndex={0}
      onKeyDown={moveFocus}
      onFocus={(event) => setFocused(itemOf(event))}
      onBlur={() => setFocused(null)}
    >
      {before}
      <div ref={plane} className={styles.plane} style={{ blockSize: layout.height }}>
        {bySection(layout, items).map((mounted) => {
          const section = sections[mounted.section];
          const placed = layout.sections[mounted.section];
          if (!section || !placed) return null;
          return (
            <div key={section.id} className={styles.section} style={{ insetBlockStart: placed.top, blockSize: placed.height }}>
              {section.title !== undefined && (
                <div className={styles.heading} style={{ blockSize: placed.heading }}>
                  <h2 id={`${id}-${section.id}`}>
                    {section.to === undefined ? (
                      section.title
                    ) : (
                      <Link to={section.to} className={styles.way ?? ""}>
                        <span>{section.title}</span>
                        <ChevronRight size={16} aria-hidden />
                      </Link>
                    )}
                  </h2>
                  {section.note !== undefined && <span className={styles.note}>{section.note}</span>}
                </div>
              )}
              <div
                role="list"
                aria-label={section.title === undefined ? label : undefined}
                aria-labelledby={section.title === undefined ? undefined : `${id}-${section.id}`}
              >
                {mounted.rows.map((row) => {
                  const item = section.items[row.index];
                  if (item === undefined) return null;
                  return (
                    <Shell
                      key={keyOf(item)}
                      Row={Row as ComponentType<VirtualRowProps<unknown>>}
                      item={item}
                      index={row.index}
                      of={section.items.length}
                      at={row.item}
                      top={row.top}
                      height={layout.rowPx}
                    />
                  );
                })}
              </div>
            </div>
          );
        })}
      </div>
      {after}
    </div>
  );
}

/** Reports the section at the upper edge whenever it changes. */
function useTopSection({ scroller, plane, layout }: VirtualWindow, onTop: VirtualListProps<unknown>["onTop"]): void {
  const reported = useRef({ top: -1, atEnd: false });
  const report = useEffectEvent((top: number, atEnd: boolean) => {
    if (reported.current.top === top && reported.current.atEnd === atEnd) return;
    reported.current = { top, atEnd };
    onTop?.(top, atEnd);
  });
  const wanted = onTop !== undefined;
  useEffect(() => {
    const element = scroller.current;
    if (!element || !wanted) return;
    const measure = (): void => {
      if (element.clientHeight === 0) return;
      const y = Math.max(0, element.scrollTop - (plane.current?.offsetTop ?? 0));
      report(sectionAt(layout, y), element.scrollTop + element.clientHeight >= element.scrollHeight - 1);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller, plane, layout, wanted]);
}

interface ShellProps {
  Row: ComponentType<VirtualRowProps<unknown>>;
  item: unknown;
  index: number;
  of: number;
  /** Its index among all items. */
  at: number;
  top: number;
  height: number;
}

const Shell = memo(function Shell({ Row, item, index, of, at, top, height }: ShellProps) {
  return (
    <div
      className={styles.row}
      role="listitem"
      aria-setsize={of}
      aria-posinset={index + 1}
      data-index={at}
      style={{ insetBlockStart: top, blockSize: height }}
    >
      <Row item={item} index={index} />
    </div>
  );
});
