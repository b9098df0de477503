/** Lists server test files by what they or their imports do: those that open a database run again on PostgreSQL, those that replace modules run isolated. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** Functions that open a database. Type imports are stripped first; using an open database does not count. */
const OPENS = /\b(?:openDatabase|startServer)\b/;
/** Replaces modules for the whole process. */
const REPLACES = /\bvi\.(?:mock|doMock|resetModules)\(/;
const TYPE_IMPORT = /^import type [^;]*;$/gm;
/** Any mention of another test file counts: static import, dynamic import, or started as a process. */
const MENTIONS = /["'](#tests\/|\.\/)?([\w./-]+\.ts)["']/g;

/** @returns {string[]} sorted paths relative to the root, with forward slashes */
function serverTests(root, pattern) {
  const tests = join(root, "tests");
  const matches = (path, seen = new Set()) => {
    if (seen.has(path) || !existsSync(path)) return false;
    seen.add(path);
    const text = readFileSync(path, "utf8").replaceAll(TYPE_IMPORT, "");
    if (pattern.test(text)) return true;
    return [...text.matchAll(MENTIONS)].some(([, from, name]) => matches(join(from === "#tests/" ? tests : dirname(path), name), seen));
  };
  const folder = join(tests, "server");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && matches(join(folder, name)))
    .map((name) => relative(root, join(folder, name)).split(sep).join("/"))
    .toSorted();
}

/** The files that run again on PostgreSQL. */
export const databaseTests = (root) => serverTests(root, OPENS);

/** What a simulation draws must not depend on the tests that ran before it in the same process. */
const SIMULATION = /^tests\/server\/simulation\//;

/** The files that need a process of their own. */
export const isolatedTests = (root) => {
  const replacing = new Set(serverTests(root, REPLACES));
  return serverTests(root, /^/).filter((path) => replacing.has(path) || SIMULATION.test(path));
};
