/** The moving window of a virtual list: which rows are mounted while its scroller scrolls, is resized, or holds the focus. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { FocusEvent, KeyboardEvent, RefObject } from "react";
import { flushSync } from "react-dom";
import { rowsAt, sameRuns, sectionAt } from "./virtual-layout.ts";
import type { Layout, Run } from "./virtual-layout.ts";

function rootScale(): number {
  return Math.max(1, Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
}

/** A row's place: its section, and where it stands in it. */
export interface RowPlace {
  section: number;
  index: number;
}

interface Seen {
  runs: readonly Run[];
  /** The section at the upper edge. */
  top: number;
  /** Whether it can scroll no further down. */
  atEnd: boolean;
}

export interface VirtualWindow extends Seen {
  /** What scrolls. */
  scroller: RefObject<HTMLDivElement | null>;
  /** What the rows stand on, somewhere in the scroller. */
  plane: RefObject<HTMLDivElement | null>;
  layout: Layout;
}

const same = (one: Seen, other: Seen): boolean => one.top === other.top && one.atEnd === other.atEnd && sameRuns(one.runs, other.runs);

/** Follow a scroller. `place` makes the layout for a scale (1 at a 16 px root); it must keep its identity between renders. */
export function useVirtualWindow(place: (scale: number) => Layout): VirtualWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const plane = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(rootScale);
  const layout = useMemo(() => place(scale), [place, scale]);
  const [seen, setSeen] = useState<Seen>(() => ({ runs: rowsAt(layout, 0, window.innerHeight), top: 0, atEnd: false }));

  const look = useCallback((): void => {
    const element = scroller.current;
    if (!element || element.clientHeight === 0) return;
    const y = Math.max(0, element.scrollTop - (plane.current?.offsetTop ?? 0));
    const atEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
    const next = { runs: rowsAt(layout, y, element.clientHeight), top: sectionAt(layout, y), atEnd };
    setSeen((now) => (same(now, next) ? now : next));
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
  return { scroller, plane, layout, ...seen };
}

/** The rows of each run, and the focused one even when it has scrolled away: its focus must not be lost. */
export function withFocused(runs: readonly Run[], focused: RowPlace | null): { section: number; indexes: number[] }[] {
  const shown = runs.map(({ section, from, to }) => ({ section, indexes: Array.from({ length: to - from }, (_, at) => from + at) }));
  if (!focused) return shown;
  const home = shown.find((run) => run.section === focused.section);
  if (!home) shown.push({ section: focused.section, indexes: [focused.index] });
  else if (!home.indexes.includes(focused.index)) home.indexes.push(focused.index);
  return shown;
}

/** The row an event happened in, by its `data-place`. */
export function placeOf(event: FocusEvent): RowPlace | null {
  const place = event.target.closest<HTMLElement>("[data-place]")?.dataset["place"];
  if (place === undefined) return null;
  const [section = 0, index = 0] = place.split(":").map(Number);
  return { section, index };
}

/** Up and down move from row to row while a row has the focus; otherwise the keys scroll, as everywhere. */
export function moveFocus(event: KeyboardEvent): void {
  if ((event.key !== "ArrowDown" && event.key !== "ArrowUp") || event.defaultPrevented) return;
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
