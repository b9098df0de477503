/** Finds a Chromium for the browser journeys, or installs one. Run as a script it prints the path. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { NODE, ROOT } from "./install.mjs";

/** Executable names, and fixed locations outside the PATH. */
const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];
const PLACES = ["/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

const say = (text) => process.stderr.write(`${text}\n`);

/** Runs a command with its output on stderr, because stdout carries only the path. */
const run = (command, args) => spawnSync(command, args, { cwd: ROOT, stdio: ["ignore", 2, 2] }).status === 0;

/** Tells whether an executable exists and prints its version; distribution stubs that only point to an installer do not. */
function isUsable(path) {
  if (!existsSync(path)) return false;
  if (process.platform === "win32") return true;
  return spawnSync(path, ["--version"], { timeout: 20_000, stdio: "ignore" }).status === 0;
}

/** Path of the browser that Playwright downloads. */
async function playwrightBrowser() {
  const { chromium } = await import("playwright-core");
  return chromium.executablePath();
}

async function find() {
  const named = process.env.CHROMIUM_PATH ?? process.env.PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH;
  if (named) {
    if (isUsable(named)) return named;
    throw new Error(`The browser ${named} named in the environment does not start.`);
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES, await playwrightBrowser()];
  return candidates.find(isUsable) ?? null;
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
 * Path of a Chromium that runs on this machine.
 * @returns {Promise<string>}
 */
export async function browserPath() {
  const path = (await find()) ?? (await install());
  if (path) return path;
  throw new Error("No Chromium was found or could be installed. Set CHROMIUM_PATH.");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(await browserPath());
