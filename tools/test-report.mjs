/**
 * A vitest reporter that writes counts and the time per file and its slowest test as JSON. Where a test process ends before its tests, it prints how,
 * and the files that were running, which vitest itself does not say.
 */
import { subscribe } from "node:diagnostics_channel";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";

/** Worker time of a file: loading, hooks and tests. */
const secondsOf = (module) => {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;
};

/** A file's slowest test: its name and seconds. */
const slowestOf = (tests) => {
  const timed = tests.map((test) => ({ test: test.name, seconds: (test.diagnostic()?.duration ?? 0) / 1000 }));
  return timed.toSorted((a, b) => b.seconds - a.seconds)[0];
};

export default class TestReport {
  #running = new Set();
  #lost = [];

  constructor() {
    subscribe("child_process", ({ process: child }) =>
      child.once("exit", (code, signal) => {
        // Vitest ends its processes by a signal too, once their files are done.
        if (child.spawnargs.some((each) => each.includes("vitest")) && !child.killed)
          this.#lost.push({ ended: signal ?? `code ${code}`, running: [...this.#running] });
      }),
    );
  }

  onTestModuleStart(module) {
    this.#running.add(module.relativeModuleId);
  }

  onTestModuleEnd(module) {
    this.#running.delete(module.relativeModuleId);
  }

  onTestRunEnd(modules, errors) {
    for (const { ended, running } of this.#lost)
      console.error(`A test process ended with ${ended} while these ran: ${running.join(", ") || "none"}`);
    const unfinished = [...this.#running];
    if (unfinished.length > 0) console.error(`Never finished: ${unfinished.join(", ")}`);
    const file = process.env.TEST_REPORT;
    if (!file) return;
    const files = modules.map((module) => {
      const tests = [...module.children.allTests()];
      const states = tests.map((test) => test.result().state);
      const count = (state) => states.filter((each) => each === state).length;
      // A file that failed in a hook or while loading counts as at least one failure.
      const failed = Math.max(count("failed"), module.ok() ? 0 : 1);
      return { file: module.relativeModuleId, passed: count("passed"), failed, seconds: secondsOf(module), slowest: slowestOf(tests) };
    });
    const sum = (key) => files.reduce((total, each) => total + each[key], 0);
    mkdirSync(dirname(file), { recursive: true });
    const report = { passed: sum("passed"), failed: Math.max(sum("failed"), errors.length > 0 ? 1 : 0), files };
    writeFileSync(file, JSON.stringify(report));
  }
}
