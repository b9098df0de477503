/**
 * `npm run test:soak` finds flaky tests: repeats the journeys under load, the server tests, and `npm test` on a fresh clone. Ends with a
 * table of results by file.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ROOT, install } from "./install.mjs";
import { run } from "./run.mjs";

const HELP = `npm run test:soak -- [parts] [options]
  parts          journeys, server, clone; all of them when none is named
  --journeys N   rounds of all journeys, three files at once (10)
  --server N     runs of the server's tests (3)
  --clone N      runs of npm test on a fresh clone (2)
  --only WORD    only journey files with that in their name
  --idle         no other load on the cores`;

/** Journey files at once: more than `npm test` runs, so that they are one another's load. */
const JOURNEY_WORKERS = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    journeys: { type: "string", default: "10" },
    server: { type: "string", default: "3" },
    clone: { type: "string", default: "2" },
    only: { type: "string", default: "" },
    idle: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

/** Temporary folders, removed at exit and on signals. */
const temporaryFolders = [];
process.on("exit", () => temporaryFolders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));
function folderFor(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  temporaryFolders.push(folder);
  return folder;
}

/** Results of all runs by file. */
const outcomes = new Map();
const record = (file, passed, failed, seconds) => outcomes.set(file, [...(outcomes.get(file) ?? []), { passed, failed, seconds }]);

/** A process that loads one core until this process ends or kills it. */
const BUSY =
  "process.on('disconnect', () => process.exit()); const spin = () => { for (let n = 0; n < 5e7; n += 1); setImmediate(spin); }; spin();";

/** Adds one process of low priority for each core. @returns {() => void} a function that stops the load */
function loadCores() {
  if (values.idle) return () => {};
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", BUSY], { stdio: ["ignore", "ignore", "ignore", "ipc"] }),
  );
  for (const { pid } of children) if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  return () => children.forEach((child) => child.kill());
}

/** Runs vitest projects once and records the result of each file. */
async function vitest(name, args, environment = {}) {
  const report = join(folderFor("soak-"), "report.json");
  const began = performance.now();
  const succeeded = await run("vitest", ["run", "--reporter=dot", "--reporter=./tools/test-report.mjs", ...args], {
    ...environment,
    TEST_REPORT: report,
  });
  try {
    const { files } = JSON.parse(readFileSync(report, "utf8"));
    for (const { file, passed, failed, seconds } of files) record(file, passed, failed, seconds);
    if (!succeeded && files.every(({ failed }) => failed === 0)) record(`${name} (the runner)`, 0, 1, 0);
  } catch {
    record(name, 0, 1, (performance.now() - began) / 1000);
  }
}

async function journeys(times) {
  const files = readdirSync(join(ROOT, "tests", "journeys")).filter((name) => name.endsWith(".test.ts") && name.includes(values.only));
  const only = files.map((name) => `tests/journeys/${name}`);
  if (!(await run("vite", ["build", "--logLevel", "warn"]))) return record("the client build", 0, 1, 0);
  const stopLoad = loadCores();
  try {
    for (let time = 1; time <= times; time += 1) {
      console.log(`\n── journeys, round ${time} of ${times}`);
      await vitest("journeys", ["--project", "journeys", ...only], { VITEST_MAX_WORKERS: String(JOURNEY_WORKERS) });
    }
  } finally {
    stopLoad();
  }
}

async function server(times) {
  for (let time = 1; time <= times; time += 1) {
    console.log(`\n── server, run ${time} of ${times}`);
    await vitest("server", ["--project", "server", "--project", "isolated-server"]);
  }
}

/** Runs `npm test` in a folder with live output. @returns the counts of its last line */
async function npmTest(folder) {
  const { CHROMIUM_PATH: _path, ...environment } = process.env;
  const windows = process.platform === "win32";
  const child = spawn("npm", ["test"], {
    cwd: folder,
    // Without CHROMIUM_PATH, so that the clone finds or installs the browser itself.
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
    shell: windows,
    // A separate process group, so that the whole tree can be stopped.
    detached: !windows,
  });
  const stop = () => {
    if (child.pid !== undefined) process.kill(windows ? child.pid : -child.pid, "SIGTERM");
  };
  process.once("exit", stop);
  let last = "";
  child.stdout.on("data", (chunk) => {
    process.stdout.write(chunk);
    last = (last + String(chunk)).slice(-200);
  });
  const [code] = await once(child, "close");
  process.off("exit", stop);
  const [, passed = 0, failed = 0] = /(\d+) passed, (\d+) failed\s*$/.exec(last) ?? [];
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(1, Number(failed)) };
}

/** Tests the committed state, without uncommitted files. */
async function clone(times) {
  for (let time = 1; time <= times; time += 1) {
    const folder = folderFor("soak-clone-");
    console.log(`\n── npm test on a fresh clone, run ${time} of ${times}`);
    execFileSync("git", ["clone", "--quiet", "--no-hardlinks", ROOT, folder]);
    const began = performance.now();
    const { passed, failed } = await npmTest(folder);
    record("npm test on a fresh clone", passed, failed, (performance.now() - began) / 1000);
    rmSync(folder, { recursive: true, force: true });
  }
}

function table() {
  const rows = [...outcomes].map(([file, runs]) => {
    const sorted = runs.map(({ seconds }) => seconds).toSorted((a, b) => a - b);
    const failed = runs.filter((each) => each.failed > 0).length;
    const median = ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
    return { file, runs: runs.length, passed: runs.length - failed, failed, "median seconds": Number(median.toFixed(1)) };
  });
  console.table(rows.toSorted((a, b) => b.failed - a.failed || b["median seconds"] - a["median seconds"]));
  return rows.reduce((sum, { failed }) => sum + failed, 0);
}

const parts = { journeys, server, clone };
const unknown = positionals.filter((part) => !(part in parts));
const counts = Object.keys(parts).map((part) => Number(values[part]));
if (values.help || unknown.length > 0 || counts.some((count) => !Number.isInteger(count) || count < 0)) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
install();
for (const [part, work] of Object.entries(parts))
  if (positionals.length === 0 || positionals.includes(part)) await work(Number(values[part]));
const failed = table();
console.log(failed === 0 ? "Every run passed." : `${failed} runs failed.`);
process.exitCode = failed === 0 ? 0 : 1;
