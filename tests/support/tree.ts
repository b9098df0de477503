/** The project's own files for the tidy checks: no dependencies, build output or data. */
import { readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");
const SKIPPED = new Set(["node_modules", "dist", "data", "test-results", ".git", ".cache", "zz-room-probe"]);
const TEXT = /(?:^|\/)(?:[A-Z]+|\.[a-z]+)$|\.(?:ts|tsx|js|mjs|css|html|svg|json|sql|md|txt|yml|webmanifest|example)$|^\.ci\//;

export interface TreeFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  text: string;
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}

/** Every path, sorted. */
export const paths: readonly string[] = walk(ROOT)
  .map((path) => relative(ROOT, path).split(sep).join("/"))
  .toSorted();

/** Every text file, read once. */
export const files: readonly TreeFile[] = paths
  .filter((path) => TEXT.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

/** Source code and style sheets, which the project rules apply to. */
export const code: readonly TreeFile[] = files.filter(({ path }) => /\.(?:ts|tsx|js|mjs|css)$/.test(path));
