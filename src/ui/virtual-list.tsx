/** A list of thousands with a few rows mounted: fixed height, sticky headings, rows keyed by their own id. */
import { memo, useCallback, useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ComponentType, FocusEvent, KeyboardEvent, ReactNode } from "react";
import { flushSync } from "react-dom";
import { placeSections, rowsAt, sameRuns } from "./virtual-layout.ts";
import type { Run } from "./virtual-layout.ts";
import styles from "./virtual-list.module.css";

export interface VirtualSection<Item> {
  id: string;
  /** Its sticky heading; none without a title. */
  title?: string;
  /** At the end of the heading: a count. */
  note?: string;
  items: readonly Item[];
}

/** What a row component gets. It must not change identity between renders: define it at the top of a module. */
export interface VirtualRowProps<Item> {
  item: Item;
  /** Its place in its section. */
  index: number;
}

export interface VirtualListProps<Item> {
  /** Names the list. */
  label: string;
  sections: readonly VirtualSection<Item>[];
  keyOf: (item: Item) => string;
  Row: ComponentType<VirtualRowProps<Item>>;
  /** Row height at a 16 px root; it grows with larger letters, never shrinks. */
  rowPx?: number;
  headingPx?: number;
  /** Scrolls along above and below the rows. */
  before?: ReactNode;
  after?: ReactNode;
  /** The end is near: load the next page. Called again only when the number of rows has changed. */
  onNearEnd?: (rows: number) => void;
  /** The rows mounted now, first and last counted over all sections. */
  onRange?: (first: number, last: number) => void;
}

const NEAR_END_ROWS = 10;
const DEFAULT_ROW_PX = 64;
const DEFAULT_HEADING_PX = 36;

function rootScale(): number {
  return Math.max(1, Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
}

/** The list fills its place and scrolls alone. Rows already mounted are not rendered again while it scrolls. */
export function VirtualList<Item>({
  label,
  sections,
  keyOf,
  Row,
  rowPx = DEFAULT_ROW_PX,
  headingPx = DEFAULT_HEADING_PX,
  before,
  after,
  onNearEnd,
  onRange,
}: VirtualListProps<Item>) {
  const scroller = useRef<HTMLDivElement>(null);
  const plane = useRef<HTMLDivElement>(null);
  const id = useId();
  const [scale, setScale] = useState(rootScale);
  const layout = useMemo(
    () =>
      placeSections(
        sections.map((section) => ({ rows: section.items.length, headed: section.title !== undefined })),
        Math.round(rowPx * scale),
        Math.round(headingPx * scale),
      ),
    [sections, rowPx, headingPx, scale],
  );
  const [runs, setRuns] = useState<readonly Run[]>(() => rowsAt(layout, 0, window.innerHeight));
  const [focused, setFocused] = useState<{ section: number; index: number } | null>(null);

  const look = useCallback((): void => {
    const element = scroller.current;
    if (!element || element.clientHeight === 0) return;
    const y = Math.max(0, element.scrollTop - (plane.current?.offsetTop ?? 0));
    const next = rowsAt(layout, y, element.clientHeight);
    setRuns((now) => (sameRuns(now, next) ? now : next));
  }, [layout]);

  useLayoutEffect(look, [look]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // Synchronously, so that what a fling uncovers is painted in the same frame.
    const scrolled = (): void => flushSync(look);
    const observer = new ResizeObserver(() => {
      setScale(rootScale());
      look();
    });
    element.addEventListener("scroll", scrolled, { passive: true });
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", scrolled);
      observer.disconnect();
    };
  }, [look]);

  const tell = useEffectEvent((first: number, last: number) => onRange?.(first, last));
  const nearEnd = useEffectEvent((rows: number) => onNearEnd?.(rows));
  const firstRun = runs[0];
  const lastRun = runs.at(-1);
  const first = firstRun ? (layout.sections[firstRun.section]?.before ?? 0) + firstRun.from : 0;
  const last = lastRun ? (layout.sections[lastRun.section]?.before ?? 0) + lastRun.to - 1 : -1;
  useEffect(() => tell(first, last), [first, last]);
  const close = layout.rows > 0 && last >= layout.rows - NEAR_END_ROWS;
  useEffect(() => {
    if (close) nearEnd(layout.rows);
  }, [close, layout.rows]);

  const shown = withFocused(runs, focused);
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="region"
      aria-label={label}
      tabIndex={0}
      onKeyDown={(event) => moveFocus(event)}
      onFocus={(event) => setFocused(placeOf(event))}
      onBlur={() => setFocused(null)}
    >
      {before}
      <div ref={plane} className={styles.plane} style={{ blockSize: layout.height }}>
        {shown.map((run) => {
          const section = sections[run.section];
          const place = layout.sections[run.section];
          if (!section || !place) return null;
          return (
            <div key={section.id} className={styles.section} style={{ insetBlockStart: place.top, blockSize: place.height }}>
              {section.title !== undefined && (
                <div className={styles.heading} style={{ blockSize: place.heading }}>
                  <h2 id={`${id}-${section.id}`}>{section.title}</h2>
                  {section.note !== undefined && <span>{section.note}</span>}
                </div>
              )}
              <div
                role="list"
                aria-label={section.title === undefined ? label : undefined}
                aria-labelledby={section.title === undefined ? undefined : `${id}-${section.id}`}
              >
                {run.indexes.map((index) => {
                  const item = section.items[index];
                  if (item === undefined) return null;
                  return (
                    <Shell
                      key={keyOf(item)}
                      Row={Row as ComponentType<VirtualRowProps<unknown>>}
                      item={item}
                      index={index}
                      of={section.items.length}
                      place={`${run.section}:${index}`}
                      top={place.heading + index * layout.rowPx}
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

interface ShellProps {
  Row: ComponentType<VirtualRowProps<unknown>>;
  item: unknown;
  index: number;
  of: number;
  place: string;
  top: number;
  height: number;
}

const Shell = memo(function Shell({ Row, item, index, of, place, top, height }: ShellProps) {
  return (
    <div
      className={styles.row}
      role="listitem"
      aria-setsize={of}
      aria-posinset={index + 1}
      data-place={place}
      style={{ insetBlockStart: top, blockSize: height }}
    >
      <Row item={item} index={index} />
    </div>
  );
});

/** The rows of each run, and the focused one even when it has scrolled away: its focus must not be lost. */
function withFocused(runs: readonly Run[], focused: { section: number; index: number } | null): { section: number; indexes: number[] }[] {
  const shown = runs.map(({ section, from, to }) => ({ section, indexes: Array.from({ length: to - from }, (_, at) => from + at) }));
  if (!focused) return shown;
  const home = shown.find((run) => run.section === focused.section);
  if (!home) shown.push({ section: focused.section, indexes: [focused.index] });
  else if (!home.indexes.includes(focused.index)) home.indexes.push(focused.index);
  return shown;
}

function placeOf(event: FocusEvent): { section: number; index: number } | null {
  const place = event.target.closest<HTMLElement>("[data-place]")?.dataset["place"];
  if (place === undefined) return null;
  const [section = 0, index = 0] = place.split(":").map(Number);
  return { section, index };
}

/** Up and down move from row to row while a row has the focus; otherwise the keys scroll, as everywhere. */
function moveFocus(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (!(event.target instanceof Element)) return;
  const row = event.target.closest<HTMLElement>("[data-place]");
  if (!row) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-place]")].toSorted(
    (one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top,
  );
  const next = rows[rows.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)];
  const target = next?.querySelector<HTMLElement>("a, button");
  if (!target) return;
  event.preventDefault();
  target.focus();
}
