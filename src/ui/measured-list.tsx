/** A list of cards or rows as high as their content, of which only a screenful is mounted; it scrolls with the body of its screen. */
import { defaultRangeExtractor, observeElementRect, useVirtualizer } from "@tanstack/react-virtual";
import type { Range, Rect } from "@tanstack/react-virtual";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { ReactNode } from "react";
import styles from "./measured-list.module.css";
import { itemOf, withFocused } from "./virtual-window.ts";

export interface MeasuredListProps<Item> {
  /** The list's accessible name. */
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** About how high a row is, until it is measured. */
  estimatePx: number;
  gapPx?: number;
  /** The end is near: load the next page; left out while there is none or one is loading. Called again only when it was left out, or with more items. */
  onNearEnd?: (() => void) | undefined;
  children: (item: Item) => ReactNode;
}

/** Rows mounted beyond each edge, and rows below those on screen from which on the end is near. */
const OVERSCAN = 4;
const NEAR_END_ROWS = 6;

/** Where the list begins in what scrolls it. */
function useMargin(list: { current: HTMLElement | null }): number {
  const [margin, setMargin] = useState(0);
  useEffect(() => {
    const element = list.current;
    const scroller = scrollerOf(element);
    if (!element || !scroller) return undefined;
    const measure = (): void => {
      const top = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
      setMargin((before) => (Math.abs(before - top) < 1 ? before : top));
    };
    // Whatever is above the list moves it by changing the size of something around it.
    const observer = new ResizeObserver(measure);
    for (let around = element.parentElement; around; around = around === scroller ? null : around.parentElement) observer.observe(around);
    return () => observer.disconnect();
  }, [list]);
  return margin;
}

const scrollerOf = (element: HTMLElement | null): HTMLElement | null => element?.closest<HTMLElement>("[data-scroll]") ?? null;

/** Rows in order, with the focused one and those beside it: the Tab key finds the next row even before the list has scrolled to it. */
function withNeighbours(rows: number[], focused: number | null, count: number): number[] {
  if (focused === null) return rows;
  return [focused - 1, focused, focused + 1].filter((row) => row >= 0).reduce((all, row) => withFocused(all, row, count), rows);
}

/** The row that has the focus stays mounted wherever the list is scrolled, and its neighbours with it. */
export function MeasuredList<Item>({ label, items, keyOf, estimatePx, gapPx = 0, onNearEnd, children }: MeasuredListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const margin = useMargin(list);
  const [focused, setFocused] = useState<number | null>(null);
  const mounted = useCallback((range: Range) => withNeighbours(defaultRangeExtractor(range), focused, range.count), [focused]);
  const virtualizer = useVirtualizer<HTMLElement, HTMLLIElement>({
    count: items.length,
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: () => estimatePx,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    rangeExtractor: mounted,
    overscan: OVERSCAN,
    gap: gapPx,
    scrollMargin: margin,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    // A hidden list has no size: it keeps its rows until it is shown again.
    observeElementRect: (instance, report) => observeElementRect(instance, (rect: Rect) => void (rect.height > 0 && report(rect))),
    measureElement: (element) => element.getBoundingClientRect().height || estimatePx,
  });
  const isNear = items.length > 0 && (virtualizer.range?.endIndex ?? -1) >= items.length - 1 - NEAR_END_ROWS;
  const nearEnd = useEffectEvent(() => onNearEnd?.());
  const isWanted = isNear && onNearEnd !== undefined;
  useEffect(() => {
    if (isWanted) nearEnd();
  }, [isWanted, items.length]);
  return (
    <ul
      ref={list}
      role="list"
      aria-label={label}
      className={styles.list}
      style={{ blockSize: virtualizer.getTotalSize() }}
      onFocus={(event) => setFocused(itemOf(event))}
      onBlur={() => setFocused(null)}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index];
        if (item === undefined) return null;
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className={styles.row}
            style={{ insetBlockStart: start - margin }}
          >
            {children(item)}
          </li>
        );
      })}
    </ul>
  );
}
