/** Installs the locked dependencies once per lock file. Plain JavaScript without packages, because it runs before they are installed. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";

export const ROOT = resolve(import.meta.dirname, "..");
/** The Node version pinned by the project, independent of the machine's. */
export const NODE = join(ROOT, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

const LOCK = join(ROOT, "package-lock.json");
const INSTALLED = join(ROOT, "node_modules", ".package-lock.json");
/** Hash of the lock file that node_modules was installed from; stored inside it, so that both are deleted together. */
const STAMP = join(ROOT, "node_modules", ".installed-lock");

const lockHash = () => createHash("sha256").update(readFileSync(LOCK)).digest("hex");

function isInstalled() {
  if (!existsSync(NODE) || !existsSync(INSTALLED)) return false;
  if (existsSync(STAMP)) return readFileSync(STAMP, "utf8") === lockHash();
  // Installed manually: valid if newer than the lock file.
  return statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs;
}

/** Installs the locked dependencies when they are missing or outdated. Exits the process on failure. */
export function install() {
  if (isInstalled()) return;
  console.log("Installing dependencies …");
  const npm = process.env.npm_execpath;
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  const options = { cwd: ROOT, stdio: "inherit" };
  const done = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
  if (done.status !== 0) {
    console.error("npm ci failed; see above.");
    process.exit(done.status ?? 1);
  }
  writeFileSync(STAMP, lockHash());
}
