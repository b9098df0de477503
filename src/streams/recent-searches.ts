/** What the member looked up before, and what many members look up. */
import type { Answer } from "#contract/endpoints.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";
import { sayUnkept, serialQueue } from "./serial-queue.ts";

type Searches = Answer<"readSearches">;

/** The member's last searches, newest first, and the hot ones. */
export const recentSearches: Resource<Searches> = resource<Searches>({
  load: () => call("readSearches", {}, { shownByCaller: true }),
});

const inTurn = serialQueue();

function take(outcome: Outcome<Searches>): void {
  if (outcome.ok) recentSearches.change(() => outcome.data);
}

/** Note that the member chose an instrument from the results; should it fail, the choice still stands. */
export async function noteSearch(code: string): Promise<void> {
  await inTurn(() => call("noteSearch", { code }, { shownByCaller: true }), take);
}

/** Forget the member's searches; says so when they could not be. */
export async function clearSearches(): Promise<void> {
  sayUnkept(await inTurn(() => call("clearSearches", {}), take));
}

/** Read the searches in a component. */
export function useSearches(): Read<Searches> {
  return useResource(recentSearches);
}
