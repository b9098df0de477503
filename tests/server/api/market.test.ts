/** Tests the view as polling reads it: quotes, rankings, heat, contributions, the book and the tape. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTRIBUTORS, HEAT_STRIDE } from "#contract/sector-heat.ts";
import type { Answer, Asked } from "#contract/endpoints.ts";
import { MAX_WATCHED, QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import { viewHandlers } from "#server/api/view.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";

let server: TestServer;
let me: Headers;

beforeAll(async () => {
  // The whole market: rankings and breadth are the subject.
  server = await startTestServer({ venue: { codes: undefined } });
  me = await server.enter();
});
afterAll(() => server.stop());

const bare = { rows: [], ranks: [], channels: {} };

async function read(asked: Partial<Asked<"readView">>): Promise<Answer<"readView">> {
  const reply = await server.call("readView", { ...bare, ...asked }, me);
  if (reply.status !== 1) throw new Error(reply.msg);
  return reply.data;
}

const rowOf = (code: string): number => server.venue.instrument(code)?.row ?? -1;

describe("a ranking", () => {
  it("of one category lists its first instruments, in order, with their quotes", async () => {
    const { quotes, ranks } = await read({ ranks: [{ by: "gainers", board: "listed", category: "24", size: 10 }] });
    const rows = Array.from({ length: 10 }, (_, at) => quoteAt(quotes, at * QUOTE_STRIDE).row);
    expect(quotes.length).toBe(10 * QUOTE_STRIDE);
    expect(ranks).toEqual([rows]);
    for (const row of rows) expect(server.venue.instruments[row]).toMatchObject({ board: "listed", category: "24" });
  });

  it("may have 200 instruments, and none of an unknown category", async () => {
    const lengthOf = async (category: string | null): Promise<number | undefined> => {
      const { ranks } = await read({ ranks: [{ by: "volume", board: null, category, size: MAX_WATCHED }] });
      return ranks[0]?.length;
    };
    expect(await lengthOf(null)).toBe(MAX_WATCHED);
    expect(await lengthOf("__proto__")).toBe(0);
  });

  it.each([{ size: MAX_WATCHED + 1 }, { by: "luck" }, { board: "moon" }, { category: "x".repeat(17) }])(
    "with %j is refused",
    async (wrong) => {
      const rank = { by: "gainers", board: null, category: null, size: 5, ...wrong };
      const { http, reply } = await server.post("readView", JSON.stringify({ ...bare, ranks: [rank] }), me);
      expect([http, reply]).toMatchObject([200, { status: 0, field: "ranks" }]);
    },
  );
});

it("the breadth of an index counts its instruments", async () => {
  const { contribution } = (await read({ channels: { contribution: rowOf("IX0001") } })).channels;
  expect(contribution?.leaders.length).toBeLessThanOrEqual(CONTRIBUTORS);
  expect((contribution?.up ?? 0) + (contribution?.down ?? 0) + (contribution?.flat ?? 0)).toBeGreaterThan(500);
});

it("the tape has the newest trades, oldest first", async () => {
  const { trades = [] } = (await read({ channels: { tape: rowOf("2330") } })).channels.tape ?? {};
  const numbers = Array.from({ length: trades.length / TAPE_STRIDE }, (_, at) => tradeAt(trades, at * TAPE_STRIDE).n);
  // The day is new at midnight.
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers.length).toBeLessThanOrEqual(MAX_TRADES);
  expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
});

describe("a view", () => {
  it("is read with everything it names", async () => {
    const rank = { by: "turnover", board: "listed", category: null, size: 2 } as const;
    const row = rowOf("2330");
    const index = rowOf("IX0001");
    const data = await read({ rows: [row], ranks: [rank], channels: { depth: row, tape: row, contribution: index, heat: true } });
    const rows = Array.from({ length: data.quotes.length / QUOTE_STRIDE }, (_, at) => quoteAt(data.quotes, at * QUOTE_STRIDE).row);
    expect(new Set(rows)).toEqual(new Set([row, ...(data.ranks[0] ?? [])]));
    expect(rows.length).toBe(new Set(rows).size);
    expect(data.ranks.map((ranked) => ranked.length)).toEqual([2]);
    expect(data.universe).toBe(server.venue.state(Date.now()).universe);
    expect(data.channels.depth?.row).toBe(row);
    expect(data.channels.tape?.row).toBe(row);
    expect(data.channels.contribution?.row).toBe(index);
    expect(data.channels.heat?.length).toBe(server.venue.categories.length * HEAT_STRIDE);
  });

  it("contains only the channels it requests, and none for a row without a value", async () => {
    const data = await read({ channels: { contribution: rowOf("2330") } });
    expect(data).toMatchObject({ quotes: [], ranks: [] });
    expect(Object.keys(data.channels)).toEqual([]);
  });

  it.each([{ rows: [1e6] }, { channels: { depth: 1e6 } }, { channels: { contribution: 1e6 } }])("of %j is refused", async (unknown) => {
    const { reply } = await server.post("readView", JSON.stringify({ ...bare, ...unknown }), me);
    expect(reply).toMatchObject({ status: 0, code: "GEN_PARAM_ERROR" });
  });
});

it("stale prices are refused", async () => {
  const venue = { ...stubVenue(3), fresh: () => false };
  const call = { address: "", caller: { memberId: 1, account: me.account as never, sessionHash: "" } };
  const view = viewHandlers({ venue, now: Date.now });
  await expect(view.readView(call, bare)).rejects.toMatchObject({ code: "TRD_PRICE_STALE" });
});
