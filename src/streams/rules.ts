/** The trading rules that apply to the member, as the server keeps them. */
import { taipeiDay } from "#contract/kernel/time.ts";
import { ruleOf } from "#contract/rule.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Rules, TradeRule } from "#contract/rule.ts";
import { call } from "#src/gateway/api.ts";
import { useVenue } from "./instruments.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

const rules: Resource<Rules> = resource<Rules>({ load: () => call("readRules", {}, { shownByCaller: true }) });

/** Read every rule in a component. */
export function useRules(): Read<Rules> {
  return useResource(rules);
}

/** Read the rule that applies to an instrument in the venue's session, in a component; null while unknown. */
export function useRule(instrument: Instrument | null): TradeRule | null {
  const { value } = useRules();
  const venue = useVenue();
  return instrument && venue && value ? ruleOf(value, instrument, taipeiDay(venue.opensAt)) : null;
}
