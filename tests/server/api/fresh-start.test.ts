/** Tests that a first start, as `npm start` does it, works and stops without a warning or an error in its log. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { DEMO_GUARANTEE_CODE, DEMO_MEMBER, DEMO_PASSWORD } from "#server/ops/seed.ts";
import { ROOT } from "#tests/support/tree.ts";

/** Log level of a warning; errors and fatal errors are above. */
const WARN = 40;
/** Expected warnings of a first start: none. */
const EXPECTED: readonly string[] = [];

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "fresh-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test("a first start serves, and logs no error and no warning", async () => {
  const env = { PATH: process.env["PATH"], PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "info" };
  const child = spawn(process.execPath, ["--wasm-tiering-budget=130000000", join(ROOT, "server", "main.ts")], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  let out = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  try {
    await expect.poll(() => out + errors, { timeout: 60_000 }).toContain("Stop with Ctrl+C");
    const url = /open at (http\S+)/.exec(out)?.[1] ?? "";
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
    const secrets = { idNumber: DEMO_MEMBER.idNumber, password: DEMO_PASSWORD, guaranteeCode: DEMO_GUARANTEE_CODE };
    const answer = await fetch(url + BASE_PATH + endpoints.signIn.path, { method: "POST", body: JSON.stringify(secrets) });
    expect(await answer.json()).toMatchObject({ status: 1 });
  } finally {
    child.kill("SIGTERM");
  }
  expect(await closed).toEqual([0, null]);
  expect(errors).toBe("");
  const lines = out.split("\n").filter((line) => line.startsWith("{"));
  const entries = lines.map((line) => JSON.parse(line) as { level: number; msg?: string; security?: string });
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.filter(({ level, msg }) => level >= WARN && !EXPECTED.includes(msg ?? ""))).toEqual([]);
});
