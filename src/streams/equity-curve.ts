/** The account's equity over a time span. */
import type { EquityPoint, EquityCurveSpan } from "#contract/equity-curve.ts";
import { call } from "#src/gateway/api.ts";
import { resourceByKey, useResource } from "./resource.ts";
import type { Read } from "./resource.ts";

const curve = resourceByKey<EquityCurveSpan, readonly EquityPoint[]>((span) => ({
  load: async () => {
    const outcome = await call("readCurve", { span }, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.points } : outcome;
  },
}));

/** Read the equity curve in a component, oldest point first. */
export function useEquityCurve(span: EquityCurveSpan): Read<readonly EquityPoint[]> {
  return useResource(curve(span));
}
