/** Tests that docs/machines matches the current machine definitions. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "#tests/support/tree.ts";

test("the pages of docs/machines are up to date (update them with npm run machines)", () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(ROOT, "tools", "machines.mjs"), "--check"], { encoding: "utf8" });
  expect(stdout + stderr).toBe("");
  expect(status).toBe(0);
});
