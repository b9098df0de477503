/** Finds a Chromium for the journeys, or installs one and says so. Run by itself it prints the path. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { NODE, ROOT } from "./install.mjs";

/** What a Chromium is called, and where systems without a search path keep it. */
const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];
const PLACES = ["/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

const say = (text) => process.stderr.write(`${text}\n`);

/** Run a command with its output shown on the error stream, so that the path stays alone on the other. */
const run = (command, args) => spawnSync(command, args, { cwd: ROOT, stdio: ["ignore", 2, 2] }).status === 0;

/** Whether a file is there and says its version: a stub that only points to another installer does not. */
function answers(path) {
  if (!existsSync(path)) return false;
  if (process.platform === "win32") return true;
  return spawnSync(path, ["--version"], { timeout: 20_000, stdio: "ignore" }).status === 0;
}

/** The browser Playwright would download, wherever it keeps them. */
async function playwrightsOwn() {
  const { chromium } = await import("playwright-core");
  return chromium.executablePath();
}

async function find() {
  const named = process.env.CHROMIUM_PATH ?? process.env.PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH;
  if (named) {
    if (answers(named)) return named;
    throw new Error(`No browser answers at ${named}, which the environment names.`);
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES, await playwrightsOwn()];
  return candidates.find(answers) ?? null;
}

async function install() {
  const root = process.getuid?.() === 0;
  if (root && existsSync("/usr/bin/apt-get")) {
    say("No Chromium found: installing the system's package (apt-get install chromium) …");
    if (run("apt-get", ["update"]) && run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"])) {
      const found = await find();
      if (found) return found;
    }
  }
  say("No Chromium found: downloading Playwright's own …");
  run(NODE, [join(ROOT, "node_modules", "playwright-core", "cli.js"), "install", ...(root ? ["--with-deps"] : []), "chromium"]);
  return find();
}

/**
 * The path of a Chromium that runs here.
 * @returns {Promise<string>}
 */
export async function browserPath() {
  const path = (await find()) ?? (await install());
  if (path) return path;
  throw new Error("No Chromium was found and none could be installed: name one in CHROMIUM_PATH.");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(await browserPath());
