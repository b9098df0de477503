/** Tests the third-party notices: every package whose code is in a bundle is listed with its licence text. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { build } from "vite";
import type { Handlers } from "#server/api/handler.ts";
import { createHttp } from "#server/api/http.ts";
import { ROOT } from "#tests/support/tree.ts";

const dir = mkdtempSync(join(tmpdir(), "notices-"));
let text = "";
let media = "";

beforeAll(async () => {
  await build({ root: ROOT, logLevel: "error", build: { outDir: dir, emptyOutDir: true, sourcemap: true } });
  const app = createHttp({
    handlers: {} as Handlers,
    sessions: { find: async () => null, holds: () => false, whyEnded: async () => "ACC_SESSION_EXPIRED" },
    clientDir: dir,
    log: pino({ level: "silent" }),
  });
  const answer = await app.request("/THIRD-PARTY-NOTICES.txt");
  media = answer.headers.get("content-type") ?? "";
  text = await answer.text();
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Packages found in the source maps, independently of the code that writes the notices. */
function packagesIn(map: string): string[] {
  const { sources } = JSON.parse(map) as { sources: string[] };
  return sources.flatMap((source) => {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
    return name === undefined ? [] : [name];
  });
}

it("lists every package in the page's and the workers' bundles", () => {
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js.map"));
  const workers = files.filter((file) => file.includes("worker"));
  const bundled = new Set(files.flatMap((file) => packagesIn(readFileSync(join(dir, file), "utf8"))));
  for (const known of ["react", "rxjs", "axios", "lightweight-charts", "lucide-react", "comlink", "socket.io-client"])
    expect(bundled).toContain(known);
  expect(workers.length).toBeGreaterThan(0);
  const lines = text.split("\n");
  expect([...bundled].filter((name) => !lines.some((line) => line.startsWith(`${name} `) && /\((?!licence not)/.test(line)))).toEqual([]);
});

it("contains the licence texts as plain text, and no local paths", () => {
  expect(media).toBe("text/plain; charset=utf-8");
  expect(text).toContain("Permission is hereby granted, free of charge");
  expect(text).toMatch(/lightweight-charts [\d.]+ \(Apache-2\.0\)\n\n[^]*Apache License/);
  expect(text).not.toContain("carries no text of its licence");
  expect(text).not.toContain(ROOT);
});
