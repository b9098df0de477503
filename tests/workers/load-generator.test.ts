/** Tests the generated market: the requested update rate, deterministic, delivered through the worker's session. */
import { describe, expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import { CALLED } from "#workers/protocol.ts";
import { GeneratedMarket, loadFetch, openLoadConnection } from "#workers/connection/load-generator.ts";
import { MarketSession } from "#workers/market-session.ts";
import type { Called, FromWorker } from "#workers/protocol.ts";

const paths = Object.fromEntries(CALLED.map((name) => [name, endpoints[name].path])) as Record<Called, string>;

describe("a generated market", () => {
  test("has the requested update rate on average over any period", () => {
    const market = new GeneratedMarket({ rows: 5_000, categories: 10, updatesPerSecond: 400 });
    const before = market.quotes.reduce((sum, { seq }) => sum + seq, 0);
    for (let at = 0; at < 3_000; at += 30) market.advance(30, at);
    expect(market.quotes.reduce((sum, { seq }) => sum + seq, 0) - before).toBe(1_200);
  });

  test("catches up at most one second after a stall", () => {
    const market = new GeneratedMarket({ rows: 100, categories: 1, updatesPerSecond: 50 });
    market.advance(60_000, 0);
    expect(market.quotes.reduce((sum, { seq }) => sum + seq, 0) - 100).toBe(50);
  });

  test("is deterministic, so that devices can be compared", () => {
    const [one, two] = [1, 2].map(() => {
      const market = new GeneratedMarket({ rows: 50, categories: 5, updatesPerSecond: 1_000 });
      market.advance(700, 1);
      return market.quotes.map(({ last, volume }) => [last, volume]);
    });
    expect(one).toEqual(two);
  });

  test.each([
    [2_000, 53],
    [500, 200],
    [7, 3],
  ])("lists %i rows under %i categories, each counted", (rows, categories) => {
    const { instruments, categories: listed } = new GeneratedMarket({ rows, categories, updatesPerSecond: 0 }).table();
    expect(instruments.map(({ row }) => row)).toEqual(Array.from({ length: rows }, (_, row) => row));
    for (const { code, count } of listed) expect(instruments.filter(({ category }) => category === code).length).toBe(count);
    expect(listed.reduce((sum, { count }) => sum + count, 0)).toBe(rows);
  });

  test("reaches the screen through the worker's session", async () => {
    const market = new GeneratedMarket({ rows: 40, categories: 2, updatesPerSecond: 2_000 });
    const messages: FromWorker[] = [];
    const session = new MarketSession((message) => messages.push(message), openLoadConnection(market));
    const options = { origin: "", token: "", account: "", paths, language: "en", slow: false, all: true };
    session.connect({ ...options, fetch: loadFetch(market, paths) });
    session.receive({ kind: "cells", mount: [1, "10000", 0], unmount: [] });
    await expect.poll(() => messages.some((message) => message.kind === "frame" && message.cells[0] === 1)).toBe(true);
    expect(session.traffic().quotes).toBeGreaterThanOrEqual(40);
    expect(session.traffic().bytes).toBeGreaterThan(QUOTE_STRIDE);
    session.disconnect();
  });
});
