/** What the account was worth over a span. */
import type { CurvePoint, CurveSpan } from "#contract/curve.ts";
import { call } from "#src/gateway/api.ts";
import { resourceByKey, useResource } from "./resource.ts";
import type { Read } from "./resource.ts";

const curve = resourceByKey<CurveSpan, readonly CurvePoint[]>((span) => ({
  load: async () => {
    const outcome = await call("readCurve", { span }, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.points } : outcome;
  },
}));

/** Read it in a component, oldest first. */
export function useCurve(span: CurveSpan): Read<readonly CurvePoint[]> {
  return useResource(curve(span));
}
