/** Reloads what only the server can compute, once after each burst of facts. */
import { auditTime, map } from "rxjs";
import type { Observable } from "rxjs";
import type { Delta, Resource } from "./resource.ts";

export const REFETCH_DELAY_MS = 400;

/** Deltas that reload a resource after each burst of `causes$`, and change nothing until the answer. */
export function refetchAfter<Value>(causes$: Observable<unknown>, resource: () => Resource<Value>): Observable<Delta<Value>> {
  return causes$.pipe(
    auditTime(REFETCH_DELAY_MS),
    map(() => {
      resource().refetch();
      return (same) => same;
    }),
  );
}
