/** A list of thousands of rows with only a few mounted: fixed height, sticky headings, rows keyed by their own id. */
import type { Path } from "#src/paths.ts";
import { ChevronRight } from "lucide-react";
import { memo, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { Link } from "./link.tsx";
import { bySection, placeSections, sectionAt } from "./virtual-layout.ts";
import type { PlacedRow, PlacedSection } from "./virtual-layout.ts";
import { itemOf, moveFocus, useItemsAhead, useVirtualWindow } from "./virtual-window.ts";
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
  /** The items that scrolling would show next; called again when they change, and with none when the list is hidden. */
  onAhead?: (items: readonly Item[]) => void;
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
  onAhead,
  onTop,
  jump = null,
}: VirtualListProps<Item>) {
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
  const { scroller, plane, layout, items } = shown;
  useTopSection(shown, onTop);
  useNearEnd(shown, onNearEnd);
  useAhead(shown, sections, onAhead);
  useJump(shown, jump);
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
            <Section
              key={section.id}
              section={section}
              placed={placed}
              rows={mounted.rows}
              rowPx={layout.rowPx}
              label={label}
              keyOf={keyOf}
              Row={Row}
            />
          );
        })}
      </div>
      {after}
    </div>
  );
}

interface SectionProps<Item> extends Pick<VirtualListProps<Item>, "label" | "keyOf" | "Row"> {
  section: VirtualSection<Item>;
  placed: PlacedSection;
  /** Its mounted rows. */
  rows: readonly PlacedRow[];
  rowPx: number;
}

/** The mounted part of a section: its heading, and a list named by it. */
function Section<Item>({ section, placed, rows, rowPx, label, keyOf, Row }: SectionProps<Item>) {
  const id = useId();
  const { title, to, note, items } = section;
  return (
    <div className={styles.section} style={{ insetBlockStart: placed.top, blockSize: placed.height }}>
      {title !== undefined && (
        <div className={styles.heading} style={{ blockSize: placed.heading }}>
          <h2 id={id}>
            {to === undefined ? (
              title
            ) : (
              <Link to={to} className={styles.way ?? ""}>
                <span>{title}</span>
                <ChevronRight size={16} aria-hidden />
              </Link>
            )}
          </h2>
          {note !== undefined && <span className={styles.note}>{note}</span>}
        </div>
      )}
      <div role="list" aria-label={title === undefined ? label : undefined} aria-labelledby={title === undefined ? undefined : id}>
        {rows.map(({ index, item: at, top }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <Shell
              key={keyOf(item)}
              Row={Row as ComponentType<VirtualRowProps<unknown>>}
              item={item}
              index={index}
              of={items.length}
              at={at}
              top={top}
              height={rowPx}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Reports that the end is near, once per number of rows. */
function useNearEnd({ layout, last }: VirtualWindow, onNearEnd: VirtualListProps<unknown>["onNearEnd"]): void {
  const nearEnd = useEffectEvent((rows: number) => onNearEnd?.(rows));
  const close = layout.rows > 0 && last >= layout.items - 1 - NEAR_END_ROWS;
  useEffect(() => {
    if (close) nearEnd(layout.rows);
  }, [close, layout.rows]);
}

/** Reports the items that scrolling would show next. */
function useAhead<Item>(shown: VirtualWindow, sections: readonly VirtualSection<Item>[], onAhead: VirtualListProps<Item>["onAhead"]): void {
  const { layout } = shown;
  const items = useItemsAhead(shown);
  useEffect(() => {
    const rows = bySection(layout, items).flatMap(({ section, rows: placed }) =>
      placed.map(({ index }) => sections[section]?.items[index]),
    );
    onAhead?.(rows.filter((item) => item !== undefined));
  }, [layout, items, sections, onAhead]);
  useEffect(() => () => onAhead?.([]), [onAhead]);
}

/** Scrolls to the start of a section whenever another jump is requested. */
function useJump({ scroller, plane, layout }: VirtualWindow, jump: VirtualListProps<unknown>["jump"]): void {
  const scrollTo = useEffectEvent((section: number) => {
    const target = layout.sections[section];
    if (target) scroller.current?.scrollTo({ top: (plane.current?.offsetTop ?? 0) + target.top });
  });
  useEffect(() => {
    if (jump) scrollTo(jump.to);
  }, [jump]);
}

/** Reports the section at the upper edge whenever it changes. */
function useTopSection({ scroller, plane, layout }: VirtualWindow, onTop: VirtualListProps<unknown>["onTop"]): void {
  const reported = useRef("");
  const report = useEffectEvent((top: number, atEnd: boolean) => {
    const place = `${top} ${atEnd}`;
    if (reported.current === place) return;
    reported.current = place;
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
