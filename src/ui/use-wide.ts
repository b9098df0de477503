/** The window's width class: room for one, two or three columns. */
import { useSyncExternalStore } from "react";

function mediaQuery(query: string) {
  return {
    watch: (changed: () => void): (() => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    now: (): boolean => window.matchMedia(query).matches,
  };
}

/** Not on a phone on its side: it has the width, but not the height. */
const twoColumns = mediaQuery("(min-width: 768px) and (min-height: 501px)");
const threeColumns = mediaQuery("(min-width: 1024px)");

/** Whether there is room for three columns; follows the window's width. */
export function useWide(): boolean {
  return useSyncExternalStore(threeColumns.watch, threeColumns.now);
}

/** Whether there is room for a list beside a page; follows the window's width. */
export function useSplit(): boolean {
  return useSyncExternalStore(twoColumns.watch, twoColumns.now);
}
