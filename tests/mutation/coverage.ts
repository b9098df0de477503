/** Which test files reach which mutants, measured once without a mutant and kept until a source file or the test file changes. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ROOT } from "#tests/support/tree.ts";
import type { Session } from "./session.ts";

/** One test file: the time it takes, and how often it reaches each mutant. */
interface Measured {
  hash: string;
  seconds: number;
  reached: Record<number, number>;
}

interface Measurement {
  /** Hash of the instrumented sources. */
  sources: string;
  files: Record<string, Measured>;
  /** Mutants reached while modules are loaded, by whichever test file came first. */
  loading: number[];
}

export interface Coverage {
  /** Test files that may notice a mutant, the likeliest first: one named like its source, then those that reach most mutants of it in the time they take. */
  testsOf(mutant: number, source: string): string[];
  /** How often a mutant is reached at most by one of its test files. */
  timesOf(mutant: number): number;
  secondsOf(test: string): number;
}

const NO_MUTANT = { mutant: -1, limit: Infinity };
/** What a test file takes besides its tests. */
const OVERHEAD_SECONDS = 1;
/** So many test files are measured in one process; then the measurement is kept. */
const AT_ONCE = 16;
const TIME_LIMIT_MS = 900_000;
const FILE = join(ROOT, ".cache", "mutation", "reached.json");

const hashOf = (...texts: readonly string[]): string => createHash("sha256").update(texts.join("\0")).digest("hex");

function readKept(sources: string): Measurement {
  try {
    const kept = JSON.parse(readFileSync(FILE, "utf8")) as Measurement;
    if (kept.sources === sources) return kept;
  } catch {
    // There is none yet.
  }
  return { sources, files: {}, loading: [] };
}

/** Measures the test files that are not measured yet. @throws Error when one of them fails without a mutant */
export async function measureCoverage(
  session: Session,
  instrumented: ReadonlyMap<string, string>,
  sourceOf: (mutant: number) => string,
): Promise<Coverage> {
  const kept = readKept(hashOf(...instrumented.values()));
  const hashes = new Map(session.tests.map((path) => [path, hashOf(readFileSync(join(ROOT, path), "utf8"))]));
  const missing = session.tests.filter((path) => kept.files[path]?.hash !== hashes.get(path));
  if (missing.length > 0) console.log(`Measuring which mutants ${missing.length} test files reach …`);
  for (let from = 0; from < missing.length; from += AT_ONCE) {
    const { files, errors } = await session.run(missing.slice(from, from + AT_ONCE), NO_MUTANT, TIME_LIMIT_MS);
    const failed = files.flatMap((each) => (each.passed ? [] : [`${each.path}: ${each.errors.join("; ")}`]));
    if (failed.length + errors.length > 0) throw new Error(`These tests fail without a mutant:\n${[...failed, ...errors].join("\n")}`);
    const loading = new Set(kept.loading);
    for (const { path, seconds, reached } of files) {
      kept.files[path] = { hash: hashes.get(path) ?? "", seconds, reached: reached.testing };
      for (const mutant of Object.keys(reached.loading)) loading.add(Number(mutant));
    }
    kept.loading = [...loading];
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, JSON.stringify(kept));
  }
  return coverageOf(kept, session.tests, sourceOf);
}

const nameOf = (path: string): string => basename(path).replace(/\.(?:test\.)?tsx?$/, "");

/** By source file and test file: how many of the source's mutants the test reaches. */
function reachedBySource(
  { files }: Measurement,
  tests: readonly string[],
  sourceOf: (mutant: number) => string,
): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  for (const test of tests)
    for (const mutant of Object.keys(files[test]?.reached ?? {})) {
      const source = sourceOf(Number(mutant));
      const bySource = counts.get(source) ?? new Map<string, number>();
      counts.set(source, bySource.set(test, (bySource.get(test) ?? 0) + 1));
    }
  return counts;
}

function coverageOf(kept: Measurement, tests: readonly string[], sourceOf: (mutant: number) => string): Coverage {
  const loading = new Set(kept.loading);
  const secondsOf = (test: string): number => kept.files[test]?.seconds ?? 0;
  const counts = reachedBySource(kept, tests, sourceOf);
  return {
    testsOf: (mutant, source) => {
      const running = counts.get(source);
      // A value made while its module is loaded: every test that runs code of the file may see it, or else any test.
      const isInherited = (test: string): boolean => loading.has(mutant) && (running?.has(test) ?? true);
      const found = tests.filter((test) => kept.files[test]?.reached[mutant] !== undefined || isInherited(test));
      const chance = (test: string): number =>
        nameOf(test) === nameOf(source) ? Infinity : (running?.get(test) ?? 0) / (OVERHEAD_SECONDS + secondsOf(test));
      return found.toSorted((a, b) => chance(b) - chance(a) || secondsOf(a) - secondsOf(b));
    },
    timesOf: (mutant) => Math.max(0, ...tests.map((test) => kept.files[test]?.reached[mutant] ?? 0)),
    secondsOf,
  };
}
