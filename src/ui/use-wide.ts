/** How much room the screen has: enough for a list beside a detail, or for three columns. */
import { useSyncExternalStore } from "react";

function matching(query: string) {
  return {
    watch: (changed: () => void): (() => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    now: (): boolean => window.matchMedia(query).matches,
  };
}

const two = matching("(min-width: 768px)");
const three = matching("(min-width: 1024px)");

/** Whether there is room for three columns; follows the window's width. */
export function useWide(): boolean {
  return useSyncExternalStore(three.watch, three.now);
}

/** How many columns there is room for; follows the window's width. */
export function usePanes(): 1 | 2 | 3 {
  const room = useSyncExternalStore(two.watch, two.now);
  return useWide() ? 3 : room ? 2 : 1;
}
