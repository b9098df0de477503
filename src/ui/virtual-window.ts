/** The mounted window of a virtual list, over @tanstack/react-virtual: which rows are mounted while it scrolls, resizes or holds the focus. */
import { defaultRangeExtractor, observeElementRect, useVirtualizer } from "@tanstack/react-virtual";
import type { Range, Rect, Virtualizer } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { FocusEvent, KeyboardEvent, RefObject } from "react";
import { itemHeights } from "./virtual-layout.ts";
import type { Layout } from "./virtual-layout.ts";

/** Items mounted beyond each edge. The window moves in steps of rows, of which at most half is visible beyond an edge. */
const OVERSCAN = 4;
const STEP_ROWS = 2;

type ElementVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;

function rootScale(): number {
  return Math.max(1, Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
}

export interface VirtualWindow {
  /** The scrolling element. */
  scroller: RefObject<HTMLDivElement | null>;
  /** The element that contains the rows, somewhere in the scroller. */
  plane: RefObject<HTMLDivElement | null>;
  layout: Layout;
  /** The mounted items in order, including the focused one wherever it is, so that it does not lose its focus. */
  items: readonly number[];
  /** The first and the last item on screen; `last` is -1 when there is none. */
  first: number;
  last: number;
}

/** Track a scroller. `place` makes the layout for a scale (1 at a 16 px root); its identity must be stable between renders. */
export function useVirtualWindow(place: (scale: number) => Layout, focused: number | null): VirtualWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const plane = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(rootScale);
  const layout = useMemo(() => place(scale), [place, scale]);
  const heightOf = useMemo(() => itemHeights(layout), [layout]);
  // A new key function makes the virtualizer measure again; it asks for heights only once.
  const keyOf = useCallback((item: number): number => (item < layout.items ? item : -1), [layout]);
  const stepPx = useRef(0);
  useLayoutEffect(() => {
    stepPx.current = STEP_ROWS * layout.rowPx;
  }, [layout]);
  const mounted = useCallback((range: Range) => withFocused(defaultRangeExtractor(range), focused, range.count), [focused]);

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: layout.items,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    getItemKey: keyOf,
    rangeExtractor: mounted,
    overscan: OVERSCAN,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    observeElementRect: (instance, report) =>
      observeElementRect(instance, (rect: Rect) => {
        setScale(rootScale());
        // A hidden list has no size: it keeps its rows until it is shown again.
        if (rect.height > 0) report(rect);
      }),
    observeElementOffset: (instance, report) => observeOffset(instance, plane, stepPx, report),
    // The list is scrolled by the member and by `jump`, never by the virtualizer.
    scrollToFn: () => undefined,
  });
  const { startIndex: first, endIndex: last } = virtualizer.range ?? { startIndex: 0, endIndex: -1 };
  return { scroller, plane, layout, items: virtualizer.getVirtualIndexes(), first, last };
}

/** Items that are expected next beyond the mounted ones, and how far the window moves before they are told again. */
const AHEAD = 12;
const AHEAD_STEP = 4;

/** The items just beyond the mounted ones, on the side the list scrolled to last; at first below. */
export function useItemsAhead({ first, last, layout }: Pick<VirtualWindow, "first" | "last" | "layout">): readonly number[] {
  const step = Math.floor(first / AHEAD_STEP);
  const [at, setAt] = useState({ step, up: false });
  if (at.step !== step) setAt({ step, up: step < at.step });
  const { up } = at;
  const screen = Math.floor((last - first) / AHEAD_STEP) * AHEAD_STEP;
  const from = step * AHEAD_STEP + (up ? -OVERSCAN - AHEAD : screen + OVERSCAN);
  const start = Math.max(0, from);
  const end = Math.min(layout.items, from + AHEAD + AHEAD_STEP);
  return useMemo(() => Array.from({ length: Math.max(0, end - start) }, (_, nth) => start + nth), [start, end]);
}

/**
 * Reports how far the rows have scrolled, in steps, which halves the renders. The content above the rows may change its height,
 * so their offset is read with every scroll. Every report but the first says "scrolling": the virtualizer then renders what a fling
 * uncovers in the same frame, and not once more when the scroll ends.
 */
function observeOffset(
  { scrollElement }: ElementVirtualizer,
  plane: RefObject<HTMLDivElement | null>,
  stepPx: RefObject<number>,
  report: (offset: number, scrolling: boolean) => void,
): (() => void) | undefined {
  if (!scrollElement) return undefined;
  const measure = (scrolling: boolean): void => {
    if (scrollElement.clientHeight === 0) return;
    const offset = scrollElement.scrollTop - (plane.current?.offsetTop ?? 0);
    report(Math.round(offset / stepPx.current) * stepPx.current, scrolling);
  };
  const onScroll = (): void => measure(true);
  measure(false);
  scrollElement.addEventListener("scroll", onScroll, { passive: true });
  return () => scrollElement.removeEventListener("scroll", onScroll);
}

/** Items in order, with the focused one inserted. */
export function withFocused(items: number[], focused: number | null, count: number): number[] {
  if (focused === null || focused >= count || items.includes(focused)) return items;
  return [...items, focused].toSorted((one, other) => one - other);
}

/** The item an event happened in, by its `data-index`. */
export function itemOf(event: FocusEvent): number | null {
  const index = event.target.closest<HTMLElement>("[data-index]")?.dataset["index"];
  return index === undefined ? null : Number(index);
}

/** Arrow up and down move between rows while a row has the focus; otherwise the keys scroll as usual. */
export function moveFocus(event: KeyboardEvent): void {
  if ((event.key !== "ArrowDown" && event.key !== "ArrowUp") || event.defaultPrevented) return;
  if (!(event.target instanceof Element)) return;
  const row = event.target.closest<HTMLElement>("[data-index]");
  if (!row) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-index]")].toSorted(
    (one, other) => Number(one.dataset["index"]) - Number(other.dataset["index"]),
  );
  const next = rows[rows.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)];
  const target = next?.querySelector<HTMLElement>("a, button");
  if (!target) return;
  event.preventDefault();
  target.focus();
}
