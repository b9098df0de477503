/** Orders that the market or the broker changed since the member last looked at them, for the badge of the trade tab. */
import { BehaviorSubject, distinctUntilChanged, map } from "rxjs";
import { useObservableEagerState } from "observable-hooks";

const changed$ = new BehaviorSubject<ReadonlySet<string>>(new Set());
/** The number of changed orders. */
export const changedCount$ = changed$.pipe(
  map(({ size }) => size),
  distinctUntilChanged(),
);

/** Note that an order changed. */
export function noteChanged(orderNo: string): void {
  if (!changed$.value.has(orderNo)) changed$.next(new Set([...changed$.value, orderNo]));
}

/** Forget the changes: the member has seen them, or has left. */
export function forgetChanged(): void {
  if (changed$.value.size > 0) changed$.next(new Set());
}

/** Read that number in a component. */
export function useChangedOrders(): number {
  return useObservableEagerState(changedCount$);
}
