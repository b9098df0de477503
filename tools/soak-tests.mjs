/**
 * `npm run test:soak`: are the tests the same every time? Journey files over and over with every core kept busy by something else, the
 * server's tests a few times, and all of `npm test` on a fresh clone with no browser on the PATH. Ends with a table; stops by itself.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ROOT, install } from "./install.mjs";
import { run } from "./run.mjs";

const HELP = `npm run test:soak -- [parts] [options]
  parts          journeys, server, clone; all of them when none is named
  --journeys N   runs of each journey file (10)
  --server N     runs of the server's tests (3)
  --clone N      runs of npm test on a fresh clone (2)
  --only WORD    only journey files with that in their name
  --idle         do not keep the cores busy meanwhile`;

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

/** By file, how each of its runs went. */
const outcomes = new Map();
const note = (file, passed, failed, seconds) => outcomes.set(file, [...(outcomes.get(file) ?? []), { passed, failed, seconds }]);

/** One core's worth of work for nothing, until this process ends or says so. */
const BUSY =
  "process.on('disconnect', () => process.exit()); const spin = () => { for (let n = 0; n < 5e7; n += 1); setImmediate(spin); }; spin();";

/** @returns {() => void} lets the cores go */
function keepBusy() {
  if (values.idle) return () => {};
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", BUSY], { stdio: ["ignore", "ignore", "ignore", "ipc"] }),
  );
  return () => children.forEach((child) => child.kill());
}

async function vitest(project, only) {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const report = join(folder, "report.json");
  const began = performance.now();
  const content = await run("vitest", ["run", "--project", project, "--reporter=dot", "--reporter=./tools/test-report.mjs", ...only], {
    TEST_REPORT: report,
  });
  const name = only[0] ?? project;
  try {
    const { files } = JSON.parse(readFileSync(report, "utf8"));
    for (const { file, passed, failed, seconds } of files) note(file, passed, failed, seconds);
    if (!content && files.every(({ failed }) => failed === 0)) note(`${name} (the runner)`, 0, 1, 0);
  } catch {
    note(name, 0, 1, (performance.now() - began) / 1000);
  }
  rmSync(folder, { recursive: true, force: true });
}

async function journeys(times) {
  const files = readdirSync(join(ROOT, "tests", "journeys")).filter((name) => name.endsWith(".test.ts") && name.includes(values.only));
  const letGo = keepBusy();
  try {
    for (let time = 1; time <= times; time += 1) {
      for (const name of files) {
        console.log(`\n── ${name}, run ${time} of ${times}`);
        await vitest("journeys", [`tests/journeys/${name}`]);
      }
    }
  } finally {
    letGo();
  }
}

async function server(times) {
  for (let time = 1; time <= times; time += 1) {
    console.log(`\n── server, run ${time} of ${times}`);
    await vitest("server", []);
  }
}

/** Folders of the PATH in which no browser lies. */
function pathWithoutBrowser() {
  const browser = /^(?:chromium|chrome|google-chrome|headless.shell|msedge)/i;
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => {
    try {
      return !readdirSync(folder).some((name) => browser.test(name));
    } catch {
      return false;
    }
  });
  return folders.join(delimiter);
}

/** What is committed, not what lies about here. */
async function clone(times) {
  for (let time = 1; time <= times; time += 1) {
    const folder = mkdtempSync(join(tmpdir(), "soak-clone-"));
    console.log(`\n── npm test on a fresh clone, run ${time} of ${times}`);
    execFileSync("git", ["clone", "--quiet", "--no-hardlinks", ROOT, folder]);
    const environment = { ...process.env, PATH: pathWithoutBrowser() };
    delete environment.CHROMIUM_PATH;
    const began = performance.now();
    const { promise, resolve } = Promise.withResolvers();
    const child = spawn("npm", ["test"], {
      cwd: folder,
      env: environment,
      stdio: ["inherit", "pipe", "inherit"],
      shell: process.platform === "win32",
    });
    let last = "";
    child.stdout.on("data", (chunk) => {
      process.stdout.write(chunk);
      last = (last + String(chunk)).slice(-200);
    });
    child.on("error", () => resolve(1));
    child.on("close", resolve);
    const code = await promise;
    const [, passed = 0, failed = 0] = /(\d+) passed, (\d+) failed\s*$/.exec(last) ?? [];
    note(
      "npm test on a fresh clone",
      Number(passed),
      code === 0 ? Number(failed) : Math.max(1, Number(failed)),
      (performance.now() - began) / 1000,
    );
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
console.log(failed === 0 ? "Every run passed." : `${failed} runs of files failed.`);
process.exitCode = failed === 0 ? 0 : 1;
