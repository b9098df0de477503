/** The shapes a member drew on charts, by instrument: shown at once, then saved on the server. */
import type { ChartShape } from "#contract/preference.ts";
import { call } from "#src/gateway/api.ts";
import { resourceByKey, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";
import { serialQueue, showFailure } from "./serial-queue.ts";

const shapesOf: (code: string) => Resource<readonly ChartShape[]> = resourceByKey<string, readonly ChartShape[]>((code) => ({
  load: async () => {
    const outcome = await call("readShapes", { code }, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.shapes } : outcome;
  },
}));

const enqueue = serialQueue();

/** Replace the shapes on an instrument's chart. If saving fails, the saved shapes show again. */
export function saveShapes(code: string, shapes: readonly ChartShape[]): void {
  shapesOf(code).change(() => shapes);
  void enqueue(
    () => call("saveShapes", { code, shapes: [...shapes] }),
    (outcome) => {
      showFailure(outcome);
      if (!outcome.ok) shapesOf(code).refetch();
    },
  );
}

/** Read the shapes of an instrument in a component. */
export function useShapes(code: string): Read<readonly ChartShape[]> {
  return useResource(shapesOf(code));
}
