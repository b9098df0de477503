/** What an editing screen says when a change of the watchlist brought no answer. */
import { showToast } from "#src/gateway/toasts.ts";
import { watchlist } from "#src/streams/watchlist.ts";
import type { WatchOutcome } from "#src/streams/watchlist.ts";

/** Says `sorry` when no answer came, and asks what holds now: the change may have been made all the same. Refusals are said by the call. */
export function reportFailure(outcome: WatchOutcome, sorry: string): void {
  if (outcome.ok || outcome.refused || outcome.failed === "expired") return;
  showToast(sorry, "danger");
  watchlist.refetch();
}
