/** The member's chart and streaming preferences: changes show at once and are then saved on the server. */
import { USUAL_PREFERENCES } from "#contract/usual-preference.ts";
import type { Preferences } from "#contract/preference.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Resource } from "./resource.ts";
import { serialQueue, showFailure } from "./serial-queue.ts";

/** The saved preferences with unsaved changes applied. */
export const preferences: Resource<Preferences> = resource<Preferences>({
  load: () => call("readPreferences", {}, { shownByCaller: true }),
});

const enqueue = serialQueue();
/** Number of changes shown but not yet saved; the answer to an older change must not undo a newer one. */
let unsaved = 0;

/** Save a change. It shows at once; if saving fails, the saved preferences show again. */
export function savePreferences(change: Partial<Preferences>): Promise<Outcome<Preferences>> {
  unsaved += 1;
  preferences.change((known) => ({ ...known, ...change }));
  return enqueue(
    // Only what changed: other fields may have been changed on another device.
    () => call("savePreferences", change),
    (outcome) => {
      showFailure(outcome);
      if (!outcome.ok) preferences.refetch();
      else if (unsaved === 1) preferences.change(() => outcome.data);
    },
  ).finally(() => (unsaved -= 1));
}

/** Read the preferences in a component; the defaults until they are loaded. */
export function usePreferences(): Preferences {
  return useResource(preferences).value ?? USUAL_PREFERENCES;
}
