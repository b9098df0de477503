/** Selection of the server tests for PostgreSQL: exactly the files that open a database, directly or through imports. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { ROOT, paths } from "./tree.ts";

// The tools are plain JavaScript outside the rooms.
const tool: unknown = await import(pathToFileURL(join(ROOT, "tools", "database-tests.mjs")).href);
const { databaseTests, isolatedTests } = tool as Record<"databaseTests" | "isolatedTests", (root: string) => string[]>;

const root = mkdtempSync(join(tmpdir(), "database-tests-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

it("follows static imports, dynamic imports, started scripts and import cycles, but no type imports", () => {
  write("tests/support/open.ts", 'import { openDatabase } from "#server/db/database.ts";');
  write("tests/support/one.ts", 'import "./other.ts";');
  write("tests/support/other.ts", 'import "./one.ts"; export * from "#tests/support/open.ts";');
  write("tests/server/direct.test.ts", "await startServer(config);");
  write("tests/server/deep/circle.test.ts", 'import { x } from "#tests/support/one.ts";');
  write("tests/server/late.test.ts", 'await import("#tests/support/other.ts");');
  write("tests/server/writer.ts", 'import "#tests/support/open.ts";');
  write("tests/server/script.test.ts", 'fork(join(import.meta.dirname, "writer.ts"));');
  write("tests/server/type.test.ts", 'import type { Open } from "#tests/support/open.ts";');
  write("tests/server/asks.test.ts", 'import { query } from "#server/db/database.ts";');
  expect(databaseTests(root)).toEqual([
    "tests/server/deep/circle.test.ts",
    "tests/server/direct.test.ts",
    "tests/server/late.test.ts",
    "tests/server/script.test.ts",
  ]);
});

it("finds the simulations, and the files that replace modules, by themselves or by an import", () => {
  write("tests/server/simulation/one.test.ts", "simulate();");
  write("tests/support/fresh.ts", "vi.resetModules();");
  write("tests/server/fresh.test.ts", 'import { x } from "#tests/support/fresh.ts";');
  write("tests/server/mock.test.ts", 'vi.mock("node:fs");');
  expect(isolatedTests(root)).toEqual(["tests/server/fresh.test.ts", "tests/server/mock.test.ts", "tests/server/simulation/one.test.ts"]);
});

it("selects the database tests of this project", () => {
  const found = databaseTests(ROOT);
  const all = paths.filter((path) => /^tests\/server\/.*\.test\.ts$/.test(path));
  for (const name of ["trading/member-matching", "kill", "api/server", "db/database", "session/session", "triggers/condition"])
    expect(found).toContain(`tests/server/${name}.test.ts`);
  for (const name of ["venue/live", "feed/twse", "realtime/viewer"]) {
    expect(all).toContain(`tests/server/${name}.test.ts`);
    expect(found).not.toContain(`tests/server/${name}.test.ts`);
  }
});
