/** Tries one mutant: runs the tests that reach it, the likeliest first, until one fails. */
import type { Coverage } from "./coverage.ts";
import type { Session } from "./session.ts";

export const OUTCOMES = ["killed", "timedOut", "survived", "notCovered"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Most mutants are noticed by the first files: the others are loaded only when those passed. */
const FIRST_FILES = 2;
const START_MS = 30_000;
const SLOWER = 5;
/** A mutant that is reached so much more often than the original runs without end. */
const ENDLESS_TIMES = 100;
const ENDLESS_LEAST = 10_000;

/** As many of the tests as fit into a time, at least one. */
function within(tests: readonly string[], seconds: number, coverage: Coverage): string[] {
  let left = seconds;
  return tests.filter((test, nth) => {
    left -= coverage.secondsOf(test);
    return nth === 0 || left >= 0;
  });
}

/** Tries a mutant of a source file with tests of at most so many seconds. */
export async function judge(session: Session, coverage: Coverage, mutant: number, source: string, seconds: number): Promise<Outcome> {
  const tests = within(coverage.testsOf(mutant, source), seconds, coverage);
  if (tests.length === 0) return "notCovered";
  const on = { mutant, limit: ENDLESS_LEAST + ENDLESS_TIMES * coverage.timesOf(mutant) };
  for (const files of [tests.slice(0, FIRST_FILES), tests.slice(FIRST_FILES)]) {
    if (files.length === 0) continue;
    const expected = files.reduce((sum, file) => sum + coverage.secondsOf(file), 0);
    const run = await session.run(files, on, START_MS + SLOWER * 1000 * expected);
    if (run.timedOut) return "timedOut";
    if (run.errors.length > 0 || run.files.some(({ passed }) => !passed)) return "killed";
  }
  return "survived";
}
