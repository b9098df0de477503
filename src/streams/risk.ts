/** The risk controls the member set on themselves. */
import type { Risk } from "#contract/risk.ts";
import { call } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export const risk: Resource<Risk> = resource<Risk>({ load: () => call("readRisk", {}, { shownByCaller: true }) });

/** Read the risk controls in a component. */
export function useRisk(): Read<Risk> {
  return useResource(risk);
}
