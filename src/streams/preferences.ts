/** How the member likes charts and stream: shown changed at once, kept by the desk after. */
import { USUAL_PREFERENCES } from "#contract/preference.ts";
import type { Preferences } from "#contract/preference.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Resource } from "./resource.ts";
import { sayUnkept, serialQueue } from "./serial-queue.ts";

/** What the member chose. */
export const preferences: Resource<Preferences> = resource<Preferences>({
  load: () => call("readPreferences", {}, { shownByCaller: true }),
});

const inTurn = serialQueue();
/** Changes shown but not yet kept; an answer to an older one must not undo a newer. */
let unkept = 0;

/** Keep a change. It shows at once; when it cannot be kept, what is kept shows again. */
export function savePreferences(change: Partial<Preferences>): Promise<Outcome<Preferences>> {
  unkept += 1;
  preferences.change((known) => ({ ...known, ...change }));
  return inTurn(
    () => keep(change),
    (outcome) => {
      sayUnkept(outcome);
      if (!outcome.ok) preferences.refetch();
      else if (unkept === 1) preferences.change(() => outcome.data);
    },
  ).finally(() => (unkept -= 1));
}

async function keep(change: Partial<Preferences>): Promise<Outcome<Preferences>> {
  const shown = preferences.now().value;
  if (shown) return call("savePreferences", { ...shown, ...change });
  // The desk keeps them as a whole: what was never read must not be overwritten with the usual ones.
  const read = await call("readPreferences", {});
  return read.ok ? call("savePreferences", { ...read.data, ...change }) : read;
}

/** Read the preferences in a component; the usual ones until they have come. */
export function usePreferences(): Preferences {
  return useResource(preferences).value ?? USUAL_PREFERENCES;
}
