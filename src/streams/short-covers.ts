/** The coming days by which shorts of an instrument must be covered. */
import type { CoverDay } from "#contract/short-cover.ts";
import type { Code } from "#contract/kernel/id.ts";
import { call } from "#src/gateway/api.ts";
import { resourceByKey, useResource } from "./resource.ts";

const coverDaysOf = resourceByKey<Code, readonly CoverDay[]>((code) => ({
  load: async () => {
    const outcome = await call("listCoverDays", { code }, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.days } : outcome;
  },
}));

const NONE: readonly CoverDay[] = [];

/** Them in a component, the earliest first; none while they load. */
export function useCoverDays(code: Code): readonly CoverDay[] {
  return useResource(coverDaysOf(code)).value ?? NONE;
}
