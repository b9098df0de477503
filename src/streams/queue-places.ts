/** How many lots stand before the member's resting orders, asked for every other second while any is shown. */
import { useCallback, useSyncExternalStore } from "react";
import { exhaustMap, filter, finalize, share, tap, timer } from "rxjs";
import type { OrderNo } from "#contract/kernel/id.ts";
import { QUEUE_ORDERS } from "#contract/order-endpoints.ts";
import { call } from "#src/gateway/api.ts";

const EVERY_MS = 2_000;

type Places = ReadonlyMap<string, number>;
const NONE: Places = new Map();

/** The orders on screen, with how many parts of it show each. */
const shown = new Map<OrderNo, number>();
let places = NONE;

/** The places of the shown orders; a failed call leaves no number that might be old. */
async function read(): Promise<Places> {
  const answer = await call("readQueue", { orderNos: [...shown.keys()].slice(0, QUEUE_ORDERS) }, { shownByCaller: true });
  return answer.ok ? new Map(answer.data.places.map(({ orderNo, lots }) => [orderNo, lots])) : NONE;
}

/** One loop for all who watch; it ends with the last of them, and what was still being asked is dropped. */
const places$ = timer(0, EVERY_MS).pipe(
  filter(() => !document.hidden),
  exhaustMap(read),
  tap((read) => (places = read)),
  finalize(() => (places = NONE)),
  share(),
);

function watch(orderNo: OrderNo, changed: () => void): () => void {
  shown.set(orderNo, (shown.get(orderNo) ?? 0) + 1);
  const watching = places$.subscribe(changed);
  return () => {
    const left = (shown.get(orderNo) ?? 1) - 1;
    if (left > 0) shown.set(orderNo, left);
    else shown.delete(orderNo);
    watching.unsubscribe();
  };
}

/** The lots before an order; null while it is not known, or for no order. */
export function useQueuePlace(orderNo: OrderNo | null): number | null {
  const subscribe = useCallback((changed: () => void) => (orderNo === null ? () => undefined : watch(orderNo, changed)), [orderNo]);
  return useSyncExternalStore(subscribe, () => (orderNo === null ? null : (places.get(orderNo) ?? null)));
}
