/** Tests the table of refusals: every code is given by an endpoint or says why not, and docs/refusals.md is fresh. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { Endpoint } from "#contract/kernel/endpoint.ts";
import { refusals } from "#contract/kernel/refusal.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { FIELDS, IMPLIED, TRIGGERS } from "#contract/kernel/refusal-trigger.ts";
import { ROOT } from "#tests/support/tree.ts";

const given = new Set<RefusalCode>(IMPLIED);
for (const { refusals: codes } of Object.values<Endpoint>(endpoints)) for (const code of codes) given.add(code);
const codes = Object.keys(refusals) as RefusalCode[];

describe("the table of refusals", () => {
  it.each(codes)("%s is given by an endpoint, or says why by none", (code) => {
    const trigger = TRIGGERS[code];
    const isUsed = typeof trigger === "string";
    expect(isUsed, isUsed ? `no endpoint gives ${code}` : `an endpoint gives ${code}, which is called unused`).toBe(given.has(code));
    expect(isUsed ? trigger : trigger.unused).toMatch(/^[A-Z`].*\.$/);
  });

  it("names fields only of codes that are given", () => {
    for (const code of Object.keys(FIELDS) as RefusalCode[]) expect(given.has(code)).toBe(true);
  });

  it("has each of its codes in a test of the server", () => {
    const tests = globSync("tests/server/**/*.ts", { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), "utf8"));
    const named = new Set(tests.flatMap((text) => text.match(/[A-Z]+(?:_[A-Z0-9]+)+/g) ?? []));
    expect([...given].filter((code) => !named.has(code))).toEqual([]);
  });

  it("is fresh in docs/refusals.md", () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(ROOT, "tools", "refusals.mjs"), "--check"], { encoding: "utf8" });
    expect({ stdout, stderr, status }).toEqual({ stdout: "", stderr: "", status: 0 });
  });
});
