/** Builds the client when its sources are newer than the last build. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { NODE, ROOT } from "./install.mjs";

/** Sources of the built client. */
const SOURCES = ["contract", "machines", "workers", "locales", "src", "public", "index.html", "vite.config.ts", "package-lock.json"];
const BUILT = join(ROOT, "dist", "index.html");

/** Newest modification time at or below a path in epoch milliseconds; folders count, so that a removed file is noticed. */
function newest(path) {
  if (!existsSync(path)) return 0;
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), found.mtimeMs);
}

/** Exits the process when the build fails. */
export function build() {
  const changedAt = Math.max(...SOURCES.map((source) => newest(join(ROOT, source))));
  if (existsSync(BUILT) && statSync(BUILT).mtimeMs >= changedAt) return;
  console.log("Building the client …");
  const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
  const done = spawnSync(NODE, [vite, "build", "--logLevel", "warn"], { cwd: ROOT, stdio: "inherit" });
  if (done.status !== 0) {
    console.error("The client could not be built; see above.");
    process.exit(done.status ?? 1);
  }
}
