/** Tests new issues through the API: an announced one is listed, watched and described, but not traded before its first session. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tableOf } from "#contract/instrument.ts";
import { Code } from "#contract/kernel/id.ts";
import { price } from "#contract/kernel/money.ts";
import { heldCodes } from "#server/ops/held-codes.ts";
import type { Issue } from "#server/venue/issue.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";

let server: TestServer;
let me: Headers;
let issue: Issue & { code: Code };
beforeAll(async () => {
  server = await startTestServer({ venue: { newIssues: true, codes: ["2330", "IX0001"] } });
  me = await server.enter();
  const pending = server.venue.issues(Date.now()).findLast(({ kind }) => kind === "share");
  if (!pending) throw new Error("no issue is pending");
  issue = { ...pending, code: Code.parse(pending.code) };
});
afterAll(() => server.stop());

it("is the last rows of the table, whose id counts them", async () => {
  const { data } = await server.call("listInstruments", {}, me);
  const { instruments, venue, categories } = data ?? { instruments: [], venue: { universe: "" }, categories: [] };
  expect(instruments.map(({ row }) => row)).toEqual(instruments.map((_one, row) => row));
  expect(instruments.find(({ code }) => code === issue.code)).toMatchObject({ row: issue.row, tradesFrom: issue.tradesFrom });
  expect(venue.universe).toBe(`${tableOf(venue.universe)}+${instruments.length - 2}+0`);
  expect(categories.reduce((sum, { count }) => sum + count, 0)).toBe(instruments.length);
  expect(JSON.stringify(data)).not.toMatch(/fair|expected/);
});

it("is refused before its listing in every market, and described with the moment of it", async () => {
  const order = {
    requestId: randomUUID(),
    code: issue.code,
    direction: "rise",
    pricing: "limit",
    price: price(issue.price),
    lots: 1,
  } as const;
  for (const market of ["board", "odd"] as const) {
    const reply = await server.call("placeOrder", { ...order, market }, me);
    expect(reply).toMatchObject({ status: 0, code: "TRD_NOT_LISTED", field: "code" });
  }
  expect(await server.call("readProfile", { code: issue.code }, me)).toMatchObject({
    data: { listedAt: issue.tradesFrom, yearHigh: null },
  });
  expect(await server.call("readCandles", { code: issue.code, period: "day", before: null, limit: 10 }, me)).toMatchObject({
    data: { bars: [] },
  });
  expect(await server.call("readProfile", { code: Code.parse("N9999") }, me)).toMatchObject({ code: "GEN_NOT_FOUND" });
});

it("stays in the table once a member watches it", async () => {
  expect(await heldCodes(server.db)).not.toContain(issue.code);
  await server.call("addWatch", { code: issue.code, group: null }, me);
  expect(await heldCodes(server.db)).toContain(issue.code);
});
