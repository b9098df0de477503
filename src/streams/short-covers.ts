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

/** The next of them in a component; null while none is known. */
export function useCoverDay(code: Code): CoverDay | null {
  return useResource(coverDaysOf(code)).value?.[0] ?? null;
}
