/** The lines a member drew on charts, by instrument: shown at once, then saved on the server. */
import type { Asked } from "#contract/endpoints.ts";
import type { ChartLine } from "#contract/preference.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { resourceByKey, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";
import { serialQueue, showFailure } from "./serial-queue.ts";

const linesOf: (code: string) => Resource<readonly ChartLine[]> = resourceByKey<string, readonly ChartLine[]>((code) => ({
  load: async () => {
    const outcome = await call("readLines", { code }, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.lines } : outcome;
  },
}));

const enqueue = serialQueue();

/** Replace the lines on an instrument's chart. If saving fails, the saved lines show again. */
export function saveLines(code: string, lines: Asked<"saveLines">["lines"]): Promise<Outcome<{ lines: ChartLine[] }>> {
  linesOf(code).change(() => lines as ChartLine[]);
  return enqueue(
    () => call("saveLines", { code, lines }),
    (outcome) => {
      showFailure(outcome);
      if (!outcome.ok) linesOf(code).refetch();
    },
  );
}

/** Read the lines of an instrument in a component. */
export function useLines(code: string): Read<readonly ChartLine[]> {
  return useResource(linesOf(code));
}
