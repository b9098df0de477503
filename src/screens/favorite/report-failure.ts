/** Error handling shared by the watchlist editing screens. */
import { showToast } from "#src/gateway/toasts.ts";
import { watchlist } from "#src/streams/watchlist.ts";
import type { WatchOutcome } from "#src/streams/watchlist.ts";

/** Shows `text` when no answer came, and reloads the watchlist: the change may have been made anyway. The call itself shows refusals. */
export function reportFailure(outcome: WatchOutcome, text: string): void {
  if (outcome.ok || outcome.refused || outcome.failed === "expired") return;
  showToast(text, "danger");
  watchlist.refetch();
}
