/** A list order requested by the member, shown in place of the saved order until the server answers. */
import { useEffect, useRef, useState } from "react";
import { inOrder } from "./reorder.ts";

/** Arrow keys come in bursts; one request is sent after each burst. */
const PAUSE_MS = 600;

export interface ReorderRequest<Item> {
  /** The items in the requested order, or in their own. */
  shown: readonly Item[];
  /** Whether a request is pending. */
  pending: boolean;
  /** Show an order and request it: at once, after a pause, or not yet. */
  request: (keys: readonly string[], when: "now" | "soon" | "later") => void;
  /** Drop the request and show the items' own order. */
  revert: () => void;
}

/** Requests for the order of some items. `onOrder` sends one; when its promise settles the items' own order is shown again. */
export function useReorderRequest<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  onOrder: (keys: string[]) => Promise<unknown>,
): ReorderRequest<Item> {
  const [requested, setRequested] = useState<readonly string[] | null>(null);
  const latest = useRef<readonly string[] | null>(null);
  const unsent = useRef<(() => void) | null>(null);
  const timer = useRef<number | undefined>(undefined);
  const show = (keys: readonly string[] | null): void => {
    window.clearTimeout(timer.current);
    unsent.current = null;
    latest.current = keys;
    setRequested(keys);
  };
  const request: ReorderRequest<Item>["request"] = (keys, when) => {
    show(keys);
    if (when === "later") return;
    const send = (): void => {
      unsent.current = null;
      void onOrder([...keys]).then(() => {
        // A newer request stays shown until its own answer.
        if (latest.current === keys) show(null);
      });
    };
    unsent.current = send;
    if (when === "now") send();
    else timer.current = window.setTimeout(send, PAUSE_MS);
  };
  // On unmount a request that is still waiting for the pause is sent.
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
      unsent.current?.();
    },
    [],
  );
  return {
    shown: requested === null ? items : inOrder(items, keyOf, requested),
    pending: requested !== null,
    request,
    revert: () => show(null),
  };
}
