/** Proof of durability: the server is killed thirty times in an order loop; every acknowledged order is there once, and the books balance. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Code, OrderNo, RequestId } from "#contract/kernel/id.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { openDatabase } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { DEMO_GUARANTEE_CODE, DEMO_MEMBER, DEMO_PASSWORD } from "#server/ops/seed.ts";
import { spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";

const KILLS = 30;
/** Members' hands at work at once. */
const HANDS = 4;
/** A kill comes after so many acknowledgements, a different number each time, and a few milliseconds into whatever is under way then. */
const WORK = { least: 6, most: 30 };

const databaseUrl = process.env["DATABASE_URL"] || null;
const databaseSchema = databaseUrl ? `kill_${randomBytes(6).toString("hex")}` : null;
const dataDir = databaseUrl ? null : mkdtempSync(join(tmpdir(), "kuroshio-kill-"));
const config = { dataDir, databaseUrl, databaseSchema, commandsPerSecond: 100_000, venue: { seed: 1, rate: 50, hours: "always" as const } };

interface Headers {
  token: string;
  account: string;
}

/** What was answered with success, by request; the rest was sent and nobody knows. */
const acknowledged = new Map<string, { orderNo: string; what: "place" | "close" }>();
const sent = new Set<string>();
let headers: Headers = { token: "", account: "" };
let code = Code.parse("2330");

const wait = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));

async function signIn(server: ServerProcess): Promise<Headers> {
  const reply = await server.call("signIn", {
    idNumber: DEMO_MEMBER.idNumber,
    password: DEMO_PASSWORD,
    guaranteeCode: DEMO_GUARANTEE_CODE,
  });
  if (reply?.status !== 1) throw new Error("the demo member was not let in");
  return reply.data;
}

/** The cheapest stock of the market's hottest, so that the money lasts. */
async function cheapest(server: ServerProcess): Promise<typeof code> {
  const list = await server.call("listInstruments", {}, headers);
  const hot = await server.call("rankQuotes", { by: "turnover", board: "listed", category: null, size: 100 }, headers);
  if (list?.status !== 1 || hot?.status !== 1) throw new Error("no market");
  const quotes = Array.from({ length: hot.data.quotes.length / QUOTE_STRIDE }, (_, at) => quoteAt(hot.data.quotes, at * QUOTE_STRIDE));
  const stocks = quotes.filter(({ row, last }) => last > 0 && list.data.instruments[row]?.kind === "stock");
  const first = stocks.toSorted((one, other) => one.last - other.last)[0];
  return Code.parse(list.data.instruments[first?.row ?? -1]?.code);
}

/** Buy a lot and sell it again, over and over, until the server no longer answers. */
async function trade(server: ServerProcess): Promise<void> {
  for (;;) {
    const placing = RequestId.parse(randomUUID());
    sent.add(placing);
    const placed = await server.call(
      "placeOrder",
      { requestId: placing, code, direction: "rise", pricing: "market", price: null, lots: 1 },
      headers,
    );
    if (placed === null) return;
    if (placed.status !== 1) {
      // The first moments of a market may have no price yet; that is an answer, too.
      await wait(10);
      continue;
    }
    acknowledged.set(placing, { orderNo: placed.data.orderNo, what: "place" });
    // Every other lot stays: a book with positions in it, and orders that a kill finds resting.
    if (acknowledged.size % 2 === 0 || placed.data.status !== "holding") continue;
    const closing = RequestId.parse(randomUUID());
    sent.add(closing);
    const body = { requestId: closing, orderNo: placed.data.orderNo, pricing: "market", price: null, lots: 1 } as const;
    const closed = await server.call("closeOrder", body, headers);
    if (closed === null) return;
    if (closed.status === 1) acknowledged.set(closing, { orderNo: closed.data.orderNo, what: "close" });
  }
}

beforeAll(async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await spawnServer(config);
    if (kill === 0) {
      headers = await signIn(server);
      code = await cheapest(server);
    }
    const work = Promise.all(Array.from({ length: HANDS }, () => trade(server)));
    const enough = acknowledged.size + WORK.least + ((kill * 7) % (WORK.most - WORK.least));
    while (acknowledged.size < enough) await wait(1);
    await wait(kill % 10);
    await server.kill();
    await work;
  }
}, 600_000);

afterAll(async () => {
  if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  if (!databaseUrl || !databaseSchema) return;
  const db = await openDatabase({ dataDir: null, databaseUrl, schema: databaseSchema });
  await db.kysely.schema.dropSchema(databaseSchema).cascade().execute();
  await db.close();
});

describe(`after ${KILLS} kills in an order loop`, () => {
  it("had something to lose", () => {
    expect(acknowledged.size).toBeGreaterThan(KILLS * WORK.least);
    expect(sent.size).toBeGreaterThan(acknowledged.size);
  });

  it("has every acknowledged command, once, and answers for it", async () => {
    const server = await spawnServer(config);
    try {
      for (const [requestId, { orderNo, what }] of acknowledged) {
        const outcome = await server.call("askOutcome", { requestId: RequestId.parse(requestId) }, headers);
        expect(outcome).toMatchObject({ status: 1, data: { known: true, order: { orderNo } } });
        if (what !== "close") continue;
        const read = await server.call("readOrder", { orderNo: OrderNo.parse(orderNo) }, headers);
        expect(read?.status === 1 && read.data.order.status).toMatch(/^(?:closed|readyToClose)$/);
      }
      const facts: number[] = [];
      for (;;) {
        const page = await server.call("factsSince", { after: facts.length }, headers);
        if (page?.status !== 1 || page.data.facts.length === 0) break;
        facts.push(...page.data.facts.map(({ n }) => n));
      }
      expect(facts.length).toBeGreaterThanOrEqual(acknowledged.size);
      expect(facts).toEqual(facts.map((_, at) => at + 1));
    } finally {
      await server.stop();
    }
  });

  it("has each order once, and the books agree", async () => {
    const db = await openDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined });
    try {
      const orders = await db.kysely.selectFrom("order").select(["request_id", "order_no"]).execute();
      expect(new Set(orders.map(({ request_id }) => request_id)).size).toBe(orders.length);
      expect(new Set(orders.map(({ order_no }) => order_no)).size).toBe(orders.length);
      for (const { request_id } of orders) expect(sent).toContain(request_id);
      expect((await auditBooks(db.kysely)).differences).toEqual([]);
    } finally {
      await db.close();
    }
  });
});
