/** Institutional trading and margin balances of instruments. */
import type { InvestorDay } from "#contract/investor.ts";
import { call } from "#src/gateway/api.ts";
import { resourceByKey, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

interface Investors {
  /** Newest first; null where the source of prices does not report them. */
  days: readonly InvestorDay[] | null;
}

const investorsOf: (code: string) => Resource<Investors> = resourceByKey<string, Investors>((code) => ({
  load: () => call("readInvestors", { code }, { shownByCaller: true }),
}));

/** Read the latest sessions of an instrument in a component. */
export function useInvestors(code: string): Read<Investors> {
  return useResource(investorsOf(code));
}
