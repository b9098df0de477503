/** Tests the market endpoints: rankings, heat, contributions, the tape, and the view as polling reads it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTRIBUTORS, HEAT_STRIDE } from "#contract/sector-heat.ts";
import { Code } from "#contract/kernel/id.ts";
import { MAX_WATCHED, QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import { sectorHeatHandlers } from "#server/api/sector-heat.ts";
import { quoteHandlers } from "#server/api/quote.ts";
import { viewHandlers } from "#server/api/view.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";

let server: TestServer;
let me: Headers;
const code = (text: string): Code => Code.parse(text);

beforeAll(async () => {
  // The whole market: rankings and breadth are the subject.
  server = await startTestServer({ venue: { codes: undefined } });
  me = await server.enter();
});
afterAll(() => server.stop());

describe("a ranking", () => {
  it("of one category carries the quotes of its first instruments, in order", async () => {
    const reply = await server.call("rankQuotes", { by: "gainers", board: "listed", category: "24", size: 10 }, me);
    if (reply.status !== 1) throw new Error(reply.msg);
    const quotes = Array.from({ length: 10 }, (_, at) => quoteAt(reply.data.quotes, at * QUOTE_STRIDE));
    expect(reply.data.quotes.length).toBe(10 * QUOTE_STRIDE);
    for (const { row } of quotes) expect(server.venue.instruments[row]).toMatchObject({ board: "listed", category: "24" });
  });

  it("may have 200 instruments, and none of an unknown category", async () => {
    const ask = async (category: string | null): Promise<number> => {
      const reply = await server.call("rankQuotes", { by: "volume", board: null, category, size: MAX_WATCHED }, me);
      return reply.status === 1 ? reply.data.quotes.length / QUOTE_STRIDE : -1;
    };
    expect(await ask(null)).toBe(MAX_WATCHED);
    expect(await ask("__proto__")).toBe(0);
  });

  it.each([
    ["size", { size: MAX_WATCHED + 1 }],
    ["by", { by: "luck" }],
    ["board", { board: "moon" }],
    ["category", { category: "x".repeat(17) }],
  ])("with a wrong %s is refused by its name", async (field, wrong) => {
    const body = { by: "gainers", board: null, category: null, size: 5, ...wrong };
    const { http, reply } = await server.post("rankQuotes", JSON.stringify(body), me);
    expect([http, reply]).toMatchObject([200, { status: 0, field }]);
  });
});

describe("heat", () => {
  it("has every category", async () => {
    const reply = await server.call("readHeat", {}, me);
    expect(reply.status === 1 && reply.data.heat.length).toBe(server.venue.categories.length * HEAT_STRIDE);
  });

  it("of an index lists the contributing instruments", async () => {
    const reply = await server.call("readContribution", { code: code("IX0001") }, me);
    if (reply.status !== 1) throw new Error(reply.msg);
    expect(reply.data.row).toBe(server.venue.instrument("IX0001")?.row);
    expect(reply.data.leaders.length).toBeLessThanOrEqual(CONTRIBUTORS);
    expect(reply.data.up + reply.data.down + reply.data.flat).toBeGreaterThan(500);
  });

  it.each(["2330", "BTC", "ZZZZ"])("of %s, which is not an index, is not found", async (text) => {
    const reply = await server.call("readContribution", { code: code(text) }, me);
    expect(reply).toMatchObject({ status: 0, code: "GEN_NOT_FOUND", field: "code" });
  });
});

describe("the tape", () => {
  it("returns the newest trades, oldest first", async () => {
    const reply = await server.call("readTape", { code: code("2330"), limit: 20 }, me);
    if (reply.status !== 1) throw new Error(reply.msg);
    const trades = Array.from({ length: reply.data.trades.length / TAPE_STRIDE }, (_, at) => tradeAt(reply.data.trades, at * TAPE_STRIDE));
    expect(trades.length).toBe(20);
    expect(trades.map(({ n }) => n)).toEqual(trades.map((_, at) => (trades[0]?.n ?? 0) + at));
  });

  it.each([0, MAX_TRADES + 1, 1.5])("does not answer with %s trades", async (limit) => {
    const { reply } = await server.post("readTape", JSON.stringify({ code: "2330", limit }), me);
    expect(reply).toMatchObject({ status: 0, field: "limit" });
  });

  it("of an unlisted instrument is not found", async () => {
    const reply = await server.call("readTape", { code: code("ZZZZ"), limit: 5 }, me);
    expect(reply).toMatchObject({ status: 0, code: "GEN_NOT_FOUND", field: "code" });
  });
});

describe("a view", () => {
  const bare = { rows: [], ranks: [], channels: {} };

  it("is read with everything it names", async () => {
    const rank = { by: "turnover", board: "listed", category: null, size: 2 } as const;
    const row = server.venue.instrument("2330")?.row ?? -1;
    const index = server.venue.instrument("IX0001")?.row ?? -1;
    const channels = { depth: row, tape: row, contribution: index, heat: true } as const;
    const reply = await server.call("readView", { rows: [row], ranks: [rank], channels }, me);
    if (reply.status !== 1) throw new Error(reply.msg);
    const { data } = reply;
    const rows = Array.from({ length: data.quotes.length / QUOTE_STRIDE }, (_, at) => quoteAt(data.quotes, at * QUOTE_STRIDE).row);
    expect(new Set(rows)).toEqual(new Set([row, ...(data.ranks[0] ?? [])]));
    expect(rows.length).toBe(new Set(rows).size);
    expect(data.ranks.map((ranked) => ranked.length)).toEqual([2]);
    expect(data.universe).toBe(server.venue.state(Date.now()).universe);
    expect(data.channels.depth?.row).toBe(row);
    expect(data.channels.tape).toMatchObject({ row, trades: { length: MAX_TRADES * TAPE_STRIDE } });
    expect(data.channels.contribution?.row).toBe(index);
    expect(data.channels.heat?.length).toBe(server.venue.categories.length * HEAT_STRIDE);
  });

  it("contains only the channels it requests, and none for a row without a value", async () => {
    const row = server.venue.instrument("2330")?.row ?? -1;
    const reply = await server.call("readView", { ...bare, channels: { contribution: row } }, me);
    expect(reply).toMatchObject({ status: 1, data: { quotes: [], ranks: [], channels: {} } });
    expect(reply.status === 1 && Object.keys(reply.data.channels)).toEqual([]);
  });

  it.each([{ rows: [1e6] }, { channels: { depth: 1e6 } }, { channels: { contribution: 1e6 } }])("of %j is refused", async (unknown) => {
    const { reply } = await server.post("readView", JSON.stringify({ ...bare, ...unknown }), me);
    expect(reply).toMatchObject({ status: 0, code: "GEN_PARAM_ERROR" });
  });
});

it("stale prices are refused", async () => {
  const venue = { ...stubVenue(3), fresh: () => false };
  const call = { address: "", caller: { memberId: 1, account: me.account as never, sessionHash: "" } };
  const heat = sectorHeatHandlers({ venue, now: Date.now });
  const stale = { code: "TRD_PRICE_STALE" };
  await expect(heat.readHeat(call, {})).rejects.toMatchObject(stale);
  await expect(heat.readContribution(call, { code: code("1000") })).rejects.toMatchObject(stale);
  await expect(
    quoteHandlers({ venue, now: Date.now }).rankQuotes(call, { by: "gainers", board: null, category: null, size: 5 }),
  ).rejects.toMatchObject(stale);
  const view = viewHandlers({ venue, now: Date.now });
  await expect(view.readView(call, { rows: [], ranks: [], channels: {} })).rejects.toMatchObject(stale);
});
