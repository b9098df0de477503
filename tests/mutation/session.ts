/** A test runner that stays open: runs test files against the instrumented sources, with one mutant on or none. */
import { relative, resolve, sep } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { createVitest } from "vitest/node";
import type { TestModule, TestSpecification, Vitest } from "vitest/node";
import { ROOT } from "#tests/support/tree.ts";
import type { Reached, SwitchedOn } from "./worker-setup.ts";

/** How a test file went. */
export interface FileRun {
  path: string;
  passed: boolean;
  seconds: number;
  errors: string[];
  reached: Reached;
}

export interface Run {
  files: FileRun[];
  /** Errors outside of every test; also when the process of the tests ended or was stopped. */
  errors: string[];
  timedOut: boolean;
}

export interface Session {
  /** Test files, from the project's root. */
  tests: string[];
  /** Runs files one after another in one new process until one fails, or until the time is over. */
  run(paths: readonly string[], on: SwitchedOn, timeLimitMs: number): Promise<Run>;
  close(): Promise<void>;
}

/** A test that waits longer for something has failed. */
const TEST_TIMEOUT_MS = 15_000;
const TIMED_OUT = /timed out in/;

const pathOf = (id: string): string => relative(ROOT, id).split(sep).join("/");

/** Runs files in the order they are given. */
class GivenOrder {
  shard = (files: TestSpecification[]): TestSpecification[] => files;
  sort = (files: TestSpecification[]): TestSpecification[] => files;
}

function outcomeOf(module: TestModule): FileRun {
  const results = [...module.children.allTests()].map((test) => test.result());
  const errors = [...module.errors(), ...results.flatMap(({ errors }) => errors ?? [])].map(({ message }) => message);
  const { duration } = module.diagnostic();
  const reached = module.meta().reached ?? { loading: {}, testing: {} };
  return { path: pathOf(module.moduleId), passed: module.ok(), seconds: duration / 1000, errors, reached };
}

/** Ends the current run in the middle of whatever it does: a second call to cancel is what stops an endless loop. */
async function stop(vitest: Vitest): Promise<void> {
  await Promise.allSettled([vitest.cancelCurrentRun("keyboard-input"), vitest.cancelCurrentRun("keyboard-input")]);
}

/** Opens a session on some test files. `sources`: instrumented text by path. */
export async function openSession(tests: readonly string[], sources: ReadonlyMap<string, string>): Promise<Session> {
  delete process.env["DATABASE_URL"];
  const vitest = await createVitest(
    "test",
    {
      config: false,
      root: ROOT,
      watch: false,
      include: [...tests],
      reporters: [{}],
      silent: true,
      pool: "forks",
      // One process for all files of a run: modules are loaded once, and the database is opened once.
      isolate: false,
      maxWorkers: 1,
      bail: 1,
      execArgv: ["--liftoff-only"],
      globalSetup: ["tests/support/global-setup.ts"],
      setupFiles: ["tests/mutation/worker-setup.ts"],
      sequence: { sequencer: GivenOrder },
      testTimeout: TEST_TIMEOUT_MS,
      hookTimeout: TEST_TIMEOUT_MS,
    },
    {
      plugins: [
        {
          name: "mutants",
          enforce: "pre",
          transform: (_, id) => {
            const code = sources.get(pathOf(id));
            return code === undefined ? undefined : { code, map: null };
          },
        },
      ],
    },
  );
  const specifications = await vitest.globTestSpecifications();
  const byPath = new Map(specifications.map((specification) => [pathOf(specification.moduleId), specification]));
  return {
    tests: [...byPath.keys()].toSorted(),
    close: () => vitest.close(),
    async run(paths, on, timeLimitMs) {
      vitest.getRootProject().provide("switchedOn", on);
      const chosen = paths.flatMap((path) => byPath.get(path) ?? []);
      const running = vitest.runTestSpecifications(chosen);
      const timer = new AbortController();
      const isLate = delay(timeLimitMs, true, { signal: timer.signal }).catch(() => false);
      const late = await Promise.race([running.then(() => false), isLate]);
      timer.abort();
      if (late) await stop(vitest);
      const { testModules, unhandledErrors } = await running;
      const ids = new Set(chosen.map(({ moduleId }) => resolve(moduleId)));
      const files = testModules.filter(({ moduleId }) => ids.has(resolve(moduleId))).map(outcomeOf);
      const errors = unhandledErrors.map((error) => (error instanceof Error ? error.message : JSON.stringify(error)));
      const timedOut = late || [...errors, ...files.flatMap((file) => file.errors)].some((message) => TIMED_OUT.test(message));
      return { files, errors, timedOut };
    },
  };
}
