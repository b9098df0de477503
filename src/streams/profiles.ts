/** Instrument profiles with their fictitious fundamentals, and corporate actions. */
import type { CorporateAction, ExDate } from "#contract/corporate-action.ts";
import type { Profile } from "#contract/profile.ts";
import { call } from "#src/gateway/api.ts";
import { resourceByKey, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

const profileOf: (code: string) => Resource<Profile> = resourceByKey((code: string) => ({
  load: () => call("readProfile", { code }, { shownByCaller: true }),
}));

/** Ex-events of an instrument: those within its history, and those announced, each the earliest first. */
export interface ExEvents {
  actions: readonly CorporateAction[];
  coming: readonly ExDate[];
}

const actionsOf: (code: string) => Resource<ExEvents> = resourceByKey<string, ExEvents>((code) => ({
  load: () => call("listActions", { code }, { shownByCaller: true }),
}));

/** Read the profile of an instrument in a component. */
export function useProfile(code: string): Read<Profile> {
  return useResource(profileOf(code));
}

/** Read an instrument's corporate actions in a component. */
export function useActions(code: string): Read<ExEvents> {
  return useResource(actionsOf(code));
}
