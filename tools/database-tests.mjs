/** Lists the server test files that open a database, found by their imports: only those are run again on PostgreSQL. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** Functions that open a database. Type imports are stripped first; using an open database does not count. */
const OPENS = /\b(?:openDatabase|startServer)\b/;
const TYPE_IMPORT = /^import type [^;]*;$/gm;
/** Any mention of another test file counts: static import, dynamic import, or started as a process. */
const MENTIONS = /["'](#tests\/|\.\/)?([\w./-]+\.ts)["']/g;

/** @returns {string[]} sorted paths relative to the root, with forward slashes */
export function databaseTests(root) {
  const tests = join(root, "tests");
  const opens = (path, seen = new Set()) => {
    if (seen.has(path) || !existsSync(path)) return false;
    seen.add(path);
    const text = readFileSync(path, "utf8").replaceAll(TYPE_IMPORT, "");
    if (OPENS.test(text)) return true;
    return [...text.matchAll(MENTIONS)].some(([, from, name]) => opens(join(from === "#tests/" ? tests : dirname(path), name), seen));
  };
  const folder = join(tests, "server");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && opens(join(folder, name)))
    .map((name) => relative(root, join(folder, name)).split(sep).join("/"))
    .toSorted();
}
