/** `npm test`: every check of the project in order, live, ending with one line `N passed, N failed`. Plain JavaScript: any Node from 20 on starts it. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { browserPath } from "./browser.mjs";
import { ROOT, install } from "./install.mjs";

const BIN = join(ROOT, "node_modules", ".bin");
const RESULTS = join(ROOT, ".cache", "test-results");
const LOCAL_DATABASE = "postgres://localhost:5432/test";
const keepGoing = process.argv.includes("--keep-going");

const totals = { passed: 0, failed: 0 };
const failedSteps = [];

/** Run a tool of node_modules on the pinned Node, its output live. @returns {Promise<boolean>} whether it was content */
function run(tool, args, environment = {}) {
  const env = { ...process.env, ...environment, PATH: BIN + delimiter + (process.env.PATH ?? "") };
  for (const [name, value] of Object.entries(environment)) if (value === null) delete env[name];
  const windows = process.platform === "win32";
  return new Promise((answer) => {
    const child = spawn(join(BIN, windows ? `${tool}.cmd` : tool), args, { cwd: ROOT, stdio: "inherit", env, shell: windows });
    child.on("error", () => answer(false));
    child.on("exit", (code) => answer(code === 0));
  });
}

/** Run one project of the test runner and add up its results; one that broke before its first test counts as one failure. */
async function tests(project, name = project, environment = {}) {
  const file = join(RESULTS, `${name}.json`);
  const args = ["run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const content = await run("vitest", args, environment);
  let failed = 0;
  try {
    const result = JSON.parse(readFileSync(file, "utf8"));
    totals.passed += result.numPassedTests;
    failed = result.numFailedTests;
  } catch {
    console.error(`The ${name} tests left no result.`);
  }
  totals.failed += content ? failed : Math.max(failed, 1);
  return content && failed === 0;
}

/** The database to run the server's tests on once more, or null when there is none. */
async function secondDatabase() {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const { Client } = await import("pg").then((pg) => pg.default);
  const url = new URL(LOCAL_DATABASE);
  url.username = process.env.PGUSER ?? userInfo().username;
  const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    await client.query("select 1");
    return url.href;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}

async function serverOnPostgres() {
  const url = await secondDatabase();
  if (url) return tests("server", "server-postgres", { DATABASE_URL: url });
  console.log(`Skipped: no DATABASE_URL, and no PostgreSQL answers at ${LOCAL_DATABASE}.`);
  return true;
}

async function journeys() {
  const path = await browserPath();
  console.log(`Browser: ${path}`);
  return tests("journeys", "journeys", { CHROMIUM_PATH: path, DATABASE_URL: null });
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
  { title: "Server tests, embedded database", step: () => tests("server", "server", { DATABASE_URL: null }) },
  { title: "Server tests, PostgreSQL", step: serverOnPostgres },
  { title: "Budgets", step: budgets },
  { title: "Browser journeys", step: journeys },
];

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
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join("; ")}`);
process.exitCode = failedSteps.length > 0 ? 1 : 0;
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
