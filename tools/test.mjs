/** `npm test`: runs every check in order with live output and ends with `N passed, N failed`. Plain JavaScript, so that any Node from 20 on can start it. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { browserPath } from "./browser.mjs";
import { databaseTests } from "./database-tests.mjs";
import { ROOT, install } from "./install.mjs";
import { run } from "./run.mjs";

const RESULTS = join(ROOT, ".cache", "test-results");
const SLOWEST = 10;
const keepGoing = process.argv.includes("--keep-going");
/** `--full` selects the large sizes of the randomised tests. */
if (process.argv.includes("--full")) process.env.TEST_SIZE = "full";

const totals = { passed: 0, failed: 0 };
const failedSteps = [];
/** Every test file that ran, with its project. */
const files = [];

/** Runs vitest projects, or some of their files, and adds up the counts; a run that fails before its first test counts as one failure. */
async function tests(name, { projects = [name], only = [], environment = {} } = {}) {
  const file = join(RESULTS, `${name}.json`);
  const args = [
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    "--reporter=default",
    "--reporter=./tools/test-report.mjs",
    ...only,
  ];
  const succeeded = await run("vitest", args, { ...environment, TEST_REPORT: file });
  let failed = 0;
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    totals.passed += report.passed;
    failed = report.failed;
    files.push(...report.files.map((each) => ({ ...each, name })));
  } catch {
    console.error(`The ${name} tests wrote no result.`);
  }
  totals.failed += succeeded ? failed : Math.max(failed, 1);
  return succeeded && failed === 0;
}

const SERVER = ["server", "isolated-server"];

/** Runs the server tests that open a database again on PostgreSQL (DATABASE_URL). */
async function serverOnPostgres() {
  if (process.env.DATABASE_URL) return tests("server-postgres", { projects: SERVER, only: databaseTests(ROOT) });
  console.log("Skipped: no DATABASE_URL.");
  return true;
}

async function journeys() {
  const path = await browserPath();
  console.log(`Browser: ${path}`);
  return tests("journeys", { environment: { CHROMIUM_PATH: path, DATABASE_URL: null } });
}

/** Runs a check without test counts; it adds one failure if it fails. */
const check = async (tool, args, environment = {}) => {
  const succeeded = await run(tool, args, environment);
  if (!succeeded) totals.failed += 1;
  return succeeded;
};

/** Bundle sizes, and speed ratios within one run; `npm run bench` measures the whole table. */
const budgets = async () => check("node", ["tests/bench/budget-check.ts"], { CHROMIUM_PATH: await browserPath() });

const steps = [
  { title: "Format", step: () => check("oxfmt", ["--check"]) },
  { title: "Lint, import rules", step: () => check("oxlint", []) },
  // Each further checker of a project checks the shared types again: two need twice the CPU time of one and twice its memory.
  { title: "Types", step: () => check("tsc", ["-b", "--checkers", "1"]) },
  { title: "Unused files, exports and dependencies", step: () => check("knip", []) },
  { title: "Client build", step: () => check("vite", ["build", "--logLevel", "warn"]) },
  { title: "Unit tests", step: () => tests("unit") },
  { title: "Server tests, embedded database", step: () => tests("server", { projects: SERVER, environment: { DATABASE_URL: null } }) },
  { title: "Server tests, PostgreSQL", step: serverOnPostgres },
  { title: "Budgets", step: budgets },
  { title: "Browser journeys", step: journeys },
];

/** Prints the slowest test files. */
function listSlowest() {
  if (files.length === 0) return;
  console.log("\nSlowest files:");
  for (const { file, name, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file} (${name})`);
}

/** Prints every journey's seconds, with the story that took the most of them. */
function listJourneys() {
  const journeys = files.filter(({ name }) => name === "journeys").toSorted((a, b) => b.seconds - a.seconds);
  if (journeys.length === 0) return;
  console.log("\nJourneys, each with its slowest story:");
  for (const { file, seconds, slowest } of journeys) {
    const story = slowest ? `${slowest.seconds.toFixed(1)} s: ${slowest.test}` : "";
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${basename(file, ".test.ts").padEnd(15)} ${story}`);
  }
}

install();
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });
for (const { title, step } of steps) {
  console.log(`\n── ${title}`);
  const began = performance.now();
  const succeeded = await step().catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    totals.failed += 1;
    return false;
  });
  console.log(`── ${title}: ${succeeded ? "ok" : "FAILED"}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (!succeeded) failedSteps.push(title);
  if (!succeeded && !keepGoing) break;
}
listSlowest();
listJourneys();
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join("; ")}`);
process.exitCode = failedSteps.length > 0 ? 1 : 0;
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
