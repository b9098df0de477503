/** In the process that runs the tests: switches one mutant on, and counts how often each place that has one is reached. */
import process from "node:process";
import { beforeAll, beforeEach, inject } from "vitest";

/** The number of the mutant that is on, and how often it may be reached before it counts as endless; a negative number for none. */
export interface SwitchedOn {
  mutant: number;
  limit: number;
}

/** Times reached by mutant number: while modules were loaded, and by the tests. */
export interface Reached {
  loading: Record<number, number>;
  testing: Record<number, number>;
}

declare module "vitest" {
  interface ProvidedContext {
    switchedOn: SwitchedOn;
  }
  interface TaskMeta {
    reached?: Reached;
  }
}

declare global {
  /** Called by the instrumented source. */
  var mutantIsOn: (mutant: number) => boolean;
}

// This file runs once for each test file. The process ends with the runner, whatever servers and threads a test has open.
if (!("mutantIsOn" in globalThis)) process.once("disconnect", () => process.exit(1));

const { mutant: chosen, limit } = inject("switchedOn");
const reached: Reached = { loading: {}, testing: {} };
let counted = reached.loading;

globalThis.mutantIsOn = (mutant) => {
  const times = (counted[mutant] ?? 0) + 1;
  counted[mutant] = times;
  if (mutant !== chosen) return false;
  if (times > limit) throw new Error(`timed out in mutant ${mutant}: reached ${times} times`);
  return true;
};

beforeAll(() => {
  counted = reached.testing;
});
beforeEach(({ task }) => {
  task.file.meta.reached = reached;
});
