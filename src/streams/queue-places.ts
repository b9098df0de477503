/** How many lots stand before the member's resting orders, asked for every other second while any is shown. */
import { useCallback, useSyncExternalStore } from "react";
import { BehaviorSubject } from "rxjs";
import type { OrderNo } from "#contract/kernel/id.ts";
import { QUEUE_ORDERS } from "#contract/order-endpoints.ts";
import { call } from "#src/gateway/api.ts";

const EVERY_MS = 2_000;

type Places = ReadonlyMap<string, number>;
const NONE: Places = new Map();

const places$ = new BehaviorSubject<Places>(NONE);
/** The orders on screen, with how many parts of it show each. */
const shown = new Map<OrderNo, number>();
let timer: ReturnType<typeof setTimeout> | undefined;

async function read(): Promise<void> {
  const orderNos = [...shown.keys()].slice(0, QUEUE_ORDERS);
  const answer = document.hidden ? null : await call("readQueue", { orderNos }, { shownByCaller: true });
  // A failed call leaves no number that might be old.
  if (answer) places$.next(answer.ok ? new Map(answer.data.places.map(({ orderNo, lots }) => [orderNo, lots])) : NONE);
  if (shown.size > 0) timer = setTimeout(() => void read(), EVERY_MS);
}

function watch(orderNo: OrderNo, changed: () => void): () => void {
  if (shown.size === 0) timer = setTimeout(() => void read());
  shown.set(orderNo, (shown.get(orderNo) ?? 0) + 1);
  const watching = places$.subscribe(changed);
  return () => {
    watching.unsubscribe();
    const left = (shown.get(orderNo) ?? 1) - 1;
    if (left > 0) shown.set(orderNo, left);
    else shown.delete(orderNo);
    if (shown.size > 0) return;
    clearTimeout(timer);
    places$.next(NONE);
  };
}

/** The lots before an order; null while it is not known, or for no order. */
export function useQueuePlace(orderNo: OrderNo | null): number | null {
  const subscribe = useCallback((changed: () => void) => (orderNo === null ? () => undefined : watch(orderNo, changed)), [orderNo]);
  return useSyncExternalStore(subscribe, () => (orderNo === null ? null : (places$.value.get(orderNo) ?? null)));
}
