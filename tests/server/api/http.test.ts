/** Tests the HTTP application alone: refusals before any handler, error replies, and serving the built client. */
import { once } from "node:events";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { Account } from "#contract/kernel/id.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Caller, Handlers } from "#server/api/handler.ts";
import { openFailureLog } from "#server/kernel/failure-log.ts";
import { createHttp } from "#server/api/http.ts";
import { VenueStopped } from "#server/venue/venue-stopped.ts";

const caller: Caller = { memberId: 1, account: "me" as Account, sessionHash: "hash" };
const seen: unknown[] = [];
const logged: string[] = [];
const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
const logFailure = openFailureLog(log);

/** Only the handlers these tests call. */
const handlers: Partial<Handlers> = {
  readConfig: async () => {
    throw new Error("the database is on fire: postgres://user:secret@host");
  },
  readRules: async () => {
    const error = new Error("known below");
    logFailure(error, "a batch failed");
    throw error;
  },
  readCandles: async (call, body) => {
    seen.push({ call, body });
    throw new Refusal("TRD_SELL_LOCK_MINUTES", { n: 15 }, "code");
  },
  readSparklines: async () => {
    throw new VenueStopped();
  },
  removeWatch: async () => ({ groups: [] }),
  addWatch: async () => ({ groups: [{ id: "" as never, name: "", codes: Array.from({ length: 4_000 }, () => "2330" as never) }] }),
};

const PAGE = "<!doctype html><script>theme()</script><script src=/boot.js></script><p>page</p>";
const SCRIPT = `export const text = "${"long ".repeat(2_000)}";`;

let server: Server;
let base: string;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "client-"));
  mkdirSync(join(dir, "dist", "assets"), { recursive: true });
  writeFileSync(join(dir, "dist", "index.html"), PAGE);
  writeFileSync(join(dir, "dist", "assets", "main-1234.js"), SCRIPT);
  writeFileSync(join(dir, "secret"), "not served");
  const sessions = {
    find: async (token: string, account: string) => (token === "good" && account === "me" ? caller : null),
    holds: () => false,
    whyEnded: async () => "ACC_SESSION_EXPIRED" as const,
  };
  const app = createHttp({ handlers: handlers as Handlers, sessions, clientDir: join(dir, "dist"), log, logFailure });
  server = createAdaptorServer({ fetch: app.fetch }) as Server;
  // Longer than a slow test; otherwise the server could close a connection just as it is reused.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => void server.close(done));
  rmSync(dir, { recursive: true });
});

const MEMBER = { token: "good", account: "me" };
const post = (path: string, body: string, headers: Record<string, string> = MEMBER) =>
  fetch(`${base}/api/vue${path}`, { method: "POST", body, headers });

describe("a call", () => {
  it("that fails internally answers busy with 200, reveals nothing, and is logged", async () => {
    const reply = await post("/common/config", '{"type":"all"}', {});
    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({ status: 0, msg: "系统繁忙，请稍后再试", data: null, code: "GEN_SYSTEM_BUSY", params: {} });
    expect(logged.some((line) => line.includes("on fire"))).toBe(true);
  });

  it("whose error a lower layer has logged is not logged again", async () => {
    await post("/rules/read", "{}");
    const about = logged.filter((line) => line.includes("known below"));
    expect(about.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(["a batch failed"]);
  });

  it("that is refused carries code, params, field and the filled-in Chinese text", async () => {
    const reply = await post("/candles/read", '{"code":"2330","period":"day","before":null,"limit":5}');
    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({
      status: 0,
      msg: "开仓后15分钟内不能平仓",
      data: null,
      code: "TRD_SELL_LOCK_MINUTES",
      params: { n: 15 },
      field: "code",
    });
    expect(seen).toMatchObject([
      { call: { address: "127.0.0.1", origin: null, caller }, body: { code: "2330", period: "day", before: null, limit: 5 } },
    ]);
  });

  it("that succeeds carries the operation's message", async () => {
    expect(await (await post("/watchlist/remove", '{"codes":["2330"],"group":null}')).json()).toEqual({
      status: 1,
      msg: "移除自选成功",
      data: { groups: [] },
    });
  });

  it.each([
    ["no headers", {}],
    ["a wrong token", { token: "bad", account: "me" }],
    ["another account", { token: "good", account: "you" }],
  ])("with %s to a member's endpoint is 401, before its body is checked", async (_name, headers) => {
    for (const body of ["{}", "not json", '{"codes":["2330"],"group":null}']) {
      const reply = await post("/watchlist/remove", body, headers);
      expect(reply.status).toBe(401);
      expect(await reply.json()).toMatchObject({ status: 0, code: "ACC_SESSION_EXPIRED", msg: "登录已失效，请重新登录" });
    }
  });

  it.each([
    ["nothing", "", undefined],
    ["no JSON", "{", undefined],
    ["no object", "[1]", undefined],
    ["very deep JSON", "[".repeat(30_000), undefined],
    ["a wrong code", '{"code":"../etc"}', "code"],
    ["a code with a NUL", '{"code":"23\\u000030"}', "code"],
  ])("with %s is refused with its field", async (_name, body, field) => {
    const reply = await post("/watchlist/add", body);
    expect(reply.status).toBe(200);
    const answer = (await reply.json()) as { status: number; field?: string };
    expect(answer.status).toBe(0);
    expect(answer.field).toBe(field);
  });

  it("with a NUL in a text field is refused with that field", async () => {
    const body = { idNumber: "A123456789", password: "x\0", guaranteeCode: "1" };
    expect(await (await post("/session/sign-in", JSON.stringify(body))).json()).toMatchObject({
      code: "GEN_PARAM_ERROR",
      field: "password",
    });
  });

  it("that is too long is refused, with or without a content length", async () => {
    const long = JSON.stringify({ code: "2".repeat(70_000) });
    expect(await (await post("/watchlist/remove", long)).json()).toMatchObject({ status: 0, code: "GEN_PARAM_ERROR" });
    const streamed = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 70; part += 1) controller.enqueue(new TextEncoder().encode(" ".repeat(1_000)));
        controller.close();
      },
    });
    const reply = await fetch(`${base}/api/vue/watchlist/remove`, {
      method: "POST",
      body: streamed,
      headers: MEMBER,
      duplex: "half",
    } as RequestInit);
    expect(await reply.json()).toMatchObject({ status: 0, code: "GEN_PARAM_ERROR" });
  });

  it("to an unknown path is not found", async () => {
    for (const reply of [await post("/nowhere", "{}"), await fetch(`${base}/api/vue/watchlist/remove`), await fetch(`${base}/api/other`)]) {
      expect(reply.status).toBe(404);
      expect(await reply.json()).toMatchObject({ status: 0, code: "GEN_NOT_FOUND" });
    }
  });

  it("whose caller disconnects in the middle of the body logs no error", async () => {
    const before = logged.length;
    const headers = { ...MEMBER, "content-length": 20, expect: "100-continue" };
    const asked = request(`${base}/api/vue/watchlist/remove`, { method: "POST", headers });
    asked.on("error", () => undefined);
    asked.flushHeaders();
    // The server's own word that it has begun to handle the call.
    await once(asked, "continue");
    asked.write('{"code"');
    asked.destroy();
    await vi.waitFor(() => expect(logged.length).toBeGreaterThan(before));
    expect(logged.slice(before).filter((line) => line.includes("ECONNRESET") || line.includes("a call failed"))).toEqual([]);
  });

  it("that waits for a market which stops answers busy, and nothing is logged: it did not fail", async () => {
    const before = logged.length;
    const reply = await post(endpoints.readSparklines.path, '{"codes":["2330"]}');
    expect(await reply.json()).toMatchObject({ status: 0, code: "GEN_SYSTEM_BUSY" });
    expect(logged.slice(before).filter((line) => line.includes("a call failed"))).toEqual([]);
  });

  it("leaves no secret in the log", async () => {
    await post("/session/sign-in", '{"idNumber":"A123456789","password":"hush-hush","guaranteeCode":"mum-mum"}', {
      token: "tok-tok",
      account: "me",
    });
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.filter((line) => /hush-hush|mum-mum|tok-tok|A123456789/.test(line))).toEqual([]);
  });

  it("is never cached, and a long answer is compressed", async () => {
    const reply = await post("/watchlist/add", '{"code":"2330","group":null}');
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("content-encoding")).toBe("gzip");
    expect(((await reply.json()) as { data: { groups: { codes: string[] }[] } }).data.groups[0]?.codes.length).toBe(4_000);
  });
});

/** A raw request, without fetch normalising its path. */
function raw(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Buffer; headers: Record<string, unknown> }> {
  return new Promise((done, fail) => {
    const asked = request(base, { path, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on("data", (part: Buffer) => void parts.push(part));
      reply.on("end", () => done({ status: reply.statusCode ?? 0, body: Buffer.concat(parts), headers: reply.headers }));
    });
    asked.on("error", fail);
    asked.end();
  });
}

describe("the client", () => {
  it("serves its page at the root, revalidated each time, with 304 when unchanged", async () => {
    const page = await fetch(base);
    expect(await page.text()).toBe(PAGE);
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const again = await raw("/", { "if-none-match": page.headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
    expect(again.body.length).toBe(0);
  });

  it("serves immutable assets in the best encoding the browser accepts", async () => {
    const plain = await raw("/assets/main-1234.js");
    expect(plain.body.toString()).toBe(SCRIPT);
    for (const encoding of ["br", "gzip"]) {
      const packed = await raw("/assets/main-1234.js", { "accept-encoding": encoding });
      expect(packed.headers["content-encoding"]).toBe(encoding);
      expect(packed.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(packed.body.length).toBeLessThan(SCRIPT.length / 10);
    }
    expect(await (await fetch(`${base}/assets/main-1234.js`)).text()).toBe(SCRIPT);
  });

  it.each([
    "/../secret",
    "/..%2fsecret",
    "/%2e%2e/secret",
    "/assets/../../secret",
    "/%2e%2e/package.json",
    "/assets",
    "/none.js",
    "//etc/passwd",
  ])("has no %s", async (path) => {
    expect((await raw(path)).status).toBe(404);
  });

  it("denies device features, and API replies are never a page", async () => {
    const page = await fetch(base);
    for (const feature of ["camera", "geolocation", "microphone", "payment"])
      expect(page.headers.get("permissions-policy")).toContain(`${feature}=()`);
    // A shared answer is packed apart from the others, and repeated with its mark has no body.
    const shared = `${base}/api/vue/openapi.json`;
    const answers = [
      await post("/watchlist/remove", "{}"),
      await post("/nowhere", "{}"),
      await post("/common/config", "x", {}),
      await post("/watchlist/add", JSON.stringify({ group: null, code: "2330" })),
      await fetch(shared),
    ];
    answers.push(await fetch(shared, { headers: { "if-none-match": answers.at(-1)?.headers.get("etag") ?? "" } }));
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200, 200, 304]);
    for (const answer of answers) {
      expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("strict-transport-security")).toMatch(/^max-age=/);
    }
  });

  it("may load only its own origin, and its inline script by hash", async () => {
    const policy = (await fetch(base)).headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}='/);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(policy).not.toMatch(/https?:|\*/);
  });
});
