/** The order one wishes for, shown in place of the kept one until the wish is answered. */
import { useEffect, useRef, useState } from "react";
import { inOrder } from "./reorder.ts";

/** Arrow keys come in bursts; the order is asked for once after each. */
const PAUSE_MS = 600;

export interface WishedOrder<Item> {
  /** The items as wished, or as they are. */
  shown: readonly Item[];
  /** Whether a wish stands that was not answered yet. */
  wishing: boolean;
  /** Wish for an order and ask for it: at once, after a pause, or not yet. */
  wish: (keys: readonly string[], when: "now" | "soon" | "later") => void;
  /** Take the wish back. */
  unwish: () => void;
}

/** Wishes for the order of some items. `onOrder` asks for one; when its promise settles the items speak for themselves again. */
export function useWishedOrder<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  onOrder: (keys: string[]) => Promise<unknown>,
): WishedOrder<Item> {
  const [wished, setWished] = useState<readonly string[] | null>(null);
  const newest = useRef<readonly string[] | null>(null);
  const asking = useRef<(() => void) | null>(null);
  const timer = useRef<number | undefined>(undefined);
  const show = (keys: readonly string[] | null): void => {
    window.clearTimeout(timer.current);
    asking.current = null;
    newest.current = keys;
    setWished(keys);
  };
  const wish: WishedOrder<Item>["wish"] = (keys, when) => {
    show(keys);
    if (when === "later") return;
    const ask = (): void => {
      asking.current = null;
      void onOrder([...keys]).then(() => {
        // A newer wish is shown until its own answer.
        if (newest.current === keys) show(null);
      });
    };
    asking.current = ask;
    if (when === "now") ask();
    else timer.current = window.setTimeout(ask, PAUSE_MS);
  };
  // Leaving before the pause is over still means it.
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
      asking.current?.();
    },
    [],
  );
  return {
    shown: wished === null ? items : inOrder(items, keyOf, wished),
    wishing: wished !== null,
    wish,
    unwish: () => show(null),
  };
}
