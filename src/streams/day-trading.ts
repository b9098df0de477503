/** Whether the member may day trade, and when open day trades are squared off. */
import type { DayTrading } from "#contract/day-trading.ts";
import { call } from "#src/gateway/api.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export const dayTrading: Resource<DayTrading> = resource<DayTrading>({ load: () => call("readDayTrading", {}, { shownByCaller: true }) });

/** Read it in a component. */
export function useDayTrading(): Read<DayTrading> {
  return useResource(dayTrading);
}
