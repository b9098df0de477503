/** Which files of the server's tests open a database, found by what they import: only those are worth running on a second one. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** What opens one. Types are gone by then, and whoever only asks an open database does not count. */
const OPENS = /\b(?:openDatabase|startServer)\b/;
const TYPE_IMPORT = /^import type [^;]*;$/gm;
/** Any mention of another file of the tests counts: imported now or later, or started as a process. */
const MENTIONS = /["'](#tests\/|\.\/)?([\w./-]+\.ts)["']/g;

/** @returns {string[]} the paths from the root, with forward slashes, sorted */
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
