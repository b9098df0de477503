/** `npm run mutate -- <area>`: changes the source in small ways and reports which changes no test notices. */
import process from "node:process";
import { parseArgs } from "node:util";
import { randomFrom } from "#tests/server/simulation/random.ts";
import { files } from "#tests/support/tree.ts";
import { AREAS } from "./areas.ts";
import type { Area } from "./areas.ts";
import { measureCoverage } from "./coverage.ts";
import { OUTCOMES, judge } from "./judge.ts";
import type { Outcome } from "./judge.ts";
import { describeMutant, findMutants, instrument } from "./mutants.ts";
import type { Mutant } from "./mutants.ts";
import { openSession } from "./session.ts";
import type { Session } from "./session.ts";

const HELP = `npm run mutate -- <area> [options]
  area         ${Object.keys(AREAS).join(", ")}
  --file F     only source files with that in their path
  --sample N   a random choice of N mutants (all)
  --seed S     the seed of that choice (1)
  --minutes M  start no mutant after so long; those that were not tried are left out of the table
  --tests T    run at most so many seconds of tests against one mutant (60)
  --jobs J     try so many mutants at once (1)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: "string", default: "" },
    sample: { type: "string", default: "Infinity" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "Infinity" },
    tests: { type: "string", default: "60" },
    jobs: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

interface Numbered {
  number: number;
  path: string;
  text: string;
  mutant: Mutant;
}

/** Every mutant of every area, so that what the tests reach is measured once for all, and the instrumented sources by path. */
function allMutants(): { all: Numbered[]; instrumented: Map<string, string> } {
  const all: Numbered[] = [];
  const instrumented = new Map<string, string>();
  for (const { path, text } of files) {
    if (!path.endsWith(".ts") || !Object.values(AREAS).some(({ folder }) => path.startsWith(folder))) continue;
    const found = findMutants(path, text);
    instrumented.set(path, instrument(text, found, all.length));
    all.push(...found.map((mutant, nth) => ({ number: all.length + nth, path, text, mutant })));
  }
  return { all, instrumented };
}

/** Some of them, in random order. */
function choose(all: readonly Numbered[], count: number, seed: number): Numbered[] {
  const random = randomFrom(seed);
  const left = [...all];
  const chosen: Numbered[] = [];
  while (left.length > 0 && chosen.length < count) chosen.push(...left.splice(random.int(0, left.length - 1), 1));
  return chosen;
}

type Counts = Record<Outcome, number>;
const none = (): Counts => ({ killed: 0, timedOut: 0, survived: 0, notCovered: 0 });

function rowOf(counts: Counts): Record<string, number | string> {
  const mutants = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
  const score = (100 * (counts.killed + counts.timedOut)) / mutants;
  return { mutants, ...counts, score: `${score.toFixed(0)} %` };
}

function printTable(byFile: ReadonlyMap<string, Counts>): void {
  const total = none();
  for (const counts of byFile.values()) for (const outcome of OUTCOMES) total[outcome] += counts[outcome];
  const sorted = [...byFile].toSorted(([a], [b]) => (a < b ? -1 : 1));
  console.table(Object.fromEntries([...sorted, ["all", total] as const].map(([path, counts]) => [path, rowOf(counts)])));
}

async function mutate(name: string, area: Area): Promise<void> {
  const { all, instrumented } = allMutants();
  const candidates = all.filter(({ path }) => path.startsWith(area.folder) && path.includes(values.file));
  const chosen = choose(candidates, Number(values.sample), Number(values.seed));
  console.log(`${chosen.length} of the ${candidates.length} mutants of ${name}, seed ${values.seed}`);
  const first = await openSession(area.tests, instrumented);
  const sessions: Session[] = [first];
  const byFile = new Map<string, Counts>();
  // Stopped early: what was tried so far is still worth knowing.
  process.prependOnceListener("SIGTERM", () => printTable(byFile));
  process.once("SIGINT", () => process.kill(process.pid, "SIGTERM"));
  try {
    const coverage = await measureCoverage(first, instrumented, (number) => all[number]?.path ?? "");
    while (sessions.length < Number(values.jobs)) sessions.push(await openSession(area.tests, instrumented));
    const endsAt = Date.now() + Number(values.minutes) * 60_000;
    const waiting = chosen[Symbol.iterator]();
    const work = async (session: Session): Promise<void> => {
      for (const { number, path, text, mutant } of waiting) {
        if (Date.now() > endsAt) return;
        const outcome = await judge(session, coverage, number, path, Number(values.tests));
        const counts = byFile.get(path) ?? none();
        counts[outcome] += 1;
        byFile.set(path, counts);
        if (outcome === "survived" || outcome === "notCovered") console.log(`${outcome}: ${describeMutant(path, text, mutant)}`);
      }
    };
    await Promise.all(sessions.map(work));
    printTable(byFile);
  } finally {
    for (const session of sessions) await session.close();
  }
}

const [name = ""] = positionals;
const area = AREAS[name];
const numbers = [values.sample, values.seed, values.minutes, values.tests, values.jobs].map(Number);
if (values.help || !area || positionals.length > 1 || numbers.some((number) => !(number > 0))) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
await mutate(name, area);
process.exit();
