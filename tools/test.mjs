/** `npm test`: every check of the project in order, live, ending with one line `N passed, N failed`. Plain JavaScript: any Node from 20 on starts it. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { browserPath } from "./browser.mjs";
import { databaseTests } from "./database-tests.mjs";
import { ROOT, install } from "./install.mjs";
import { run } from "./run.mjs";

const RESULTS = join(ROOT, ".cache", "test-results");
const SLOWEST = 10;
const keepGoing = process.argv.includes("--keep-going");
/** The long sizes of the tests that could go on for ever. */
if (process.argv.includes("--full")) process.env.TEST_SIZE = "full";

const totals = { passed: 0, failed: 0 };
const failedSteps = [];
/** Every file that ran, with its step. */
const files = [];

/** Run one project of the test runner, or some files of it, and add up; one that broke before its first test counts as one failure. */
async function tests(project, { name = project, only = [], environment = {} } = {}) {
  const file = join(RESULTS, `${name}.json`);
  const args = ["run", "--project", project, "--reporter=default", "--reporter=./tools/test-report.mjs", ...only];
  const content = await run("vitest", args, { ...environment, TEST_REPORT: file });
  let failed = 0;
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    totals.passed += report.passed;
    failed = report.failed;
    files.push(...report.files.map((each) => ({ ...each, name })));
  } catch {
    console.error(`The ${name} tests left no result.`);
  }
  totals.failed += content ? failed : Math.max(failed, 1);
  return content && failed === 0;
}

/** Those that open a database, once more on the one DATABASE_URL names; the others would only be run twice. */
async function serverOnPostgres() {
  if (process.env.DATABASE_URL) return tests("server", { name: "server-postgres", only: databaseTests(ROOT) });
  console.log("Skipped: no DATABASE_URL.");
  return true;
}

async function journeys() {
  const path = await browserPath();
  console.log(`Browser: ${path}`);
  return tests("journeys", { environment: { CHROMIUM_PATH: path, DATABASE_URL: null } });
}

/** A check that is not made of tests counts only when it fails. */
const check = async (tool, args, environment = {}) => {
  const content = await run(tool, args, environment);
  if (!content) totals.failed += 1;
  return content;
};

/** Sizes, and ratios of speeds within one run: the whole table is `npm run bench`. */
const budgets = async () => check("node", ["tests/bench/gate.ts"], { CHROMIUM_PATH: await browserPath() });

const steps = [
  { title: "Format", step: () => check("oxfmt", ["--check"]) },
  { title: "Lint, import law", step: () => check("oxlint", []) },
  { title: "Types", step: () => check("tsc", ["-b"]) },
  { title: "Unused files, exports and dependencies", step: () => check("knip", []) },
  { title: "Client build", step: () => check("vite", ["build", "--logLevel", "warn"]) },
  { title: "Unit tests", step: () => tests("unit") },
  { title: "Server tests, embedded database", step: () => tests("server", { environment: { DATABASE_URL: null } }) },
  { title: "Server tests, PostgreSQL", step: serverOnPostgres },
  { title: "Budgets", step: budgets },
  { title: "Browser journeys", step: journeys },
];

/** Where the time goes, for whoever wants it shorter. */
function listSlowest() {
  if (files.length === 0) return;
  console.log("\nSlowest files:");
  for (const { file, name, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file} (${name})`);
}

install();
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });
for (const { title, step } of steps) {
  console.log(`\n── ${title}`);
  const began = performance.now();
  const content = await step().catch((problem) => {
    console.error(problem instanceof Error ? problem.message : problem);
    totals.failed += 1;
    return false;
  });
  console.log(`── ${title}: ${content ? "ok" : "FAILED"}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (!content) failedSteps.push(title);
  if (!content && !keepGoing) break;
}
listSlowest();
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join("; ")}`);
process.exitCode = failedSteps.length > 0 ? 1 : 0;
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
