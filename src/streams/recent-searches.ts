/** The member's recent searches and the searches popular among all members. */
import type { Answer } from "#contract/endpoints.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";
import { serialQueue, showFailure } from "./serial-queue.ts";

type Searches = Answer<"readSearches">;

/** The member's last searches, newest first, and the popular ones. */
export const recentSearches: Resource<Searches> = resource<Searches>({
  load: () => call("readSearches", {}, { shownByCaller: true }),
});

const enqueue = serialQueue();

function apply(outcome: Outcome<Searches>): void {
  if (outcome.ok) recentSearches.change(() => outcome.data);
}

/** Record that the member chose an instrument from the results; a failure is ignored, the navigation happens anyway. */
export async function noteSearch(code: string): Promise<void> {
  await enqueue(() => call("noteSearch", { code }, { shownByCaller: true }), apply);
}

/** Clear the member's searches; shows a toast when that fails. */
export async function clearSearches(): Promise<void> {
  showFailure(await enqueue(() => call("clearSearches", {}), apply));
}

/** Read the searches in a component. */
export function useSearches(): Read<Searches> {
  return useResource(recentSearches);
}
