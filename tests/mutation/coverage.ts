/** Which test files reach which mutants, measured once without a mutant and kept until a file changes. */
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
  /** Test files for a mutant, the likeliest first: named like its source, then named like its folder or in a folder of that name, then the quickest. */
  testsOf(mutant: number, source: string): string[];
  /** How often a mutant is reached at most by one of its test files. */
  timesOf(mutant: number): number;
  secondsOf(test: string): number;
}

const NO_MUTANT = { mutant: -1, limit: Infinity };
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

function coverageOf(kept: Measurement, tests: readonly string[], sourceOf: (mutant: number) => string): Coverage {
  const loading = new Set(kept.loading);
  const quickest = tests.toSorted((a, b) => (kept.files[a]?.seconds ?? 0) - (kept.files[b]?.seconds ?? 0));
  /** Test files by the source files whose code they run. */
  const running = new Map<string, Set<string>>();
  for (const test of tests)
    for (const mutant of Object.keys(kept.files[test]?.reached ?? {})) {
      const source = sourceOf(Number(mutant));
      running.set(source, (running.get(source) ?? new Set()).add(test));
    }
  /** 2 for a test named like the source, 1 where the names of their folders or of the test and the folder agree. */
  const kinship = (test: string, source: string): number => {
    const folders = dirname(source).split("/");
    if (nameOf(test) === nameOf(source)) return 2;
    return folders.includes(nameOf(test)) || folders.includes(basename(dirname(test))) ? 1 : 0;
  };
  return {
    testsOf: (mutant, source) => {
      const direct = quickest.filter((test) => kept.files[test]?.reached[mutant] !== undefined);
      // A value made while its module is loaded: whoever runs code of the file may see it, or else any test.
      const inherited = loading.has(mutant) ? quickest.filter((test) => running.get(source)?.has(test) ?? !running.has(source)) : [];
      const found = quickest.filter((test) => direct.includes(test) || inherited.includes(test));
      return found.toSorted((a, b) => kinship(b, source) - kinship(a, source));
    },
    timesOf: (mutant) => Math.max(0, ...tests.map((test) => kept.files[test]?.reached[mutant] ?? 0)),
    secondsOf: (test) => kept.files[test]?.seconds ?? 0,
  };
}
