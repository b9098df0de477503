/** Whether the screen is wide enough for three columns. */
import { useSyncExternalStore } from "react";

const WIDE = "(min-width: 1024px)";

function watch(changed: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}

/** Follows the window's width. */
export function useWide(): boolean {
  return useSyncExternalStore(watch, () => window.matchMedia(WIDE).matches);
}
