/** Instrument profiles with their fictitious fundamentals, and corporate actions. */
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { Profile } from "#contract/profile.ts";
import { call } from "#src/gateway/api.ts";
import { resourceByKey, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

const profileOf: (code: string) => Resource<Profile> = resourceByKey((code: string) => ({
  load: () => call("readProfile", { code }, { shownByCaller: true }),
}));

const actionsOf: (code: string) => Resource<readonly CorporateAction[]> = resourceByKey<string, readonly CorporateAction[]>((code) => ({
  load: async () => {
    const outcome = await call("listActions", { code }, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.actions } : outcome;
  },
}));

/** Read the profile of an instrument in a component. */
export function useProfile(code: string): Read<Profile> {
  return useResource(profileOf(code));
}

/** Read an instrument's corporate actions in a component, oldest first. */
export function useActions(code: string): Read<readonly CorporateAction[]> {
  return useResource(actionsOf(code));
}
