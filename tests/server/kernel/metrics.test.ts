/** Tests the figures for Prometheus: that they count what happens, that only their own address tells them, and that the dashboard asks for them. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { Metrics, metricsAddress, serveMetrics } from "#server/kernel/metrics.ts";
import { startTestServer } from "#tests/support/server.ts";
import { ROOT } from "#tests/support/tree.ts";

/** The value of a figure on a page; null without it. */
function valueOf(page: string, figure: string): number | null {
  const line = page.split("\n").find((each) => each.startsWith(`${figure} `));
  return line === undefined ? null : Number(line.slice(figure.length + 1));
}

describe("the figures of a server", () => {
  it("count calls by their outcome, batches, facts and sockets, and are not told on the members' port", async () => {
    const metrics = new Metrics();
    metrics.gauge("serving", "before it serves", () => 0);
    expect(valueOf(await metrics.page(), "kuroshio_serving")).toBe(0);
    const port = await serveMetrics(metrics, { host: "127.0.0.1", port: 0 });
    const server = await startTestServer({}, { metrics });
    try {
      const headers = await server.enter();
      const order = { requestId: RequestId.parse(randomUUID()), code: Code.parse("2330"), direction: "rise" as const };
      const placed = await server.call("placeOrder", { ...order, pricing: "market", price: null, lots: 1 }, headers);
      expect(placed.status).toBe(1);
      const far = { ...order, requestId: RequestId.parse(randomUUID()), pricing: "limit" as const, price: 1, lots: 1 };
      expect((await server.call("placeOrder", far, headers)).status).toBe(0);
      await server.call("readMember", {}, headers);
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      const page = await answer.text();
      expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
      const count = (figure: string): number | null => valueOf(page, figure);
      expect(count('kuroshio_calls_total{endpoint="placeOrder",outcome="accepted"}')).toBe(1);
      expect(count('kuroshio_calls_total{endpoint="placeOrder",outcome="refused"}')).toBe(1);
      expect(count('kuroshio_call_seconds_count{kind="command"}')).toBe(2);
      expect(count('kuroshio_call_seconds_count{kind="read"}')).toBe(1);
      expect(count("kuroshio_batch_seconds_count")).toBeGreaterThanOrEqual(2);
      expect(count("kuroshio_facts_total")).toBeGreaterThanOrEqual(1);
      for (const [figure, value] of Object.entries({ serving: 1, sockets: 0, open_orders: 0, database_writable: 1, jobs_good: 1 }))
        expect([figure, count(`kuroshio_${figure}`)]).toEqual([figure, value]);
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
      metrics.gauge("sockets", "cannot be read", () => {
        throw new Error("closed");
      });
      expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(503);
      expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    } finally {
      await server.stop();
    }
  });

  it("are all that the dashboard asks for", async () => {
    const metrics = new Metrics();
    const names = ["serving", "sockets", "open_orders", "database_writable", "prices_fresh", "jobs_good"];
    for (const name of names) metrics.gauge(name, name, () => 1);
    metrics.countCall("readMember", "read", "accepted", 1);
    const page = await metrics.page();
    const { panels } = JSON.parse(readFileSync(join(ROOT, "docs", "dashboard.json"), "utf8")) as {
      panels: { targets: { expr: string }[] }[];
    };
    const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/\b(?:kuroshio|nodejs|process)_\w+/g) ?? []));
    expect(asked.length).toBeGreaterThan(15);
    for (const name of asked) expect(page).toMatch(new RegExp(`^${name}[ {]`, "m"));
    // One process on which it is not so must show, also while a replaced leader still runs.
    for (const flag of ["database_writable", "prices_fresh", "jobs_good"])
      expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => (expr.includes(flag) ? [expr] : [])))).toEqual([
        `min(kuroshio_${flag})`,
      ]);
  });

  it("fail to be served on a port that is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((done) => taken.once("listening", done));
    const { port } = taken.address() as AddressInfo;
    await expect(serveMetrics(new Metrics(), { host: "127.0.0.1", port })).rejects.toThrow("EADDRINUSE");
    taken.close();
  });

  it.each([
    ["9464", { host: "127.0.0.1", port: 9464 }],
    ["0.0.0.0:9464", { host: "0.0.0.0", port: 9464 }],
    ["[::1]:9464", { host: "::1", port: 9464 }],
    ["localhost:9464", { host: "localhost", port: 9464 }],
    ["metrics.example:9464", null],
    ["9464x", null],
    ["70000", null],
    ["on", null],
  ])("have the address %s", (text, address) => {
    expect(metricsAddress(text)).toEqual(address);
  });
});
