/** Tests durability of reserved orders: the server is killed while they are placed and while they go to the market; each goes there once. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isOrderFact } from "#contract/fact-kind.ts";
import type { Fact, OrderFact } from "#contract/fact.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import { quoteAt } from "#contract/quote.ts";
import { openDatabase } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";

/** Monday evening, and when the next session first accepts orders. */
const EVENING = Date.UTC(2026, 10, 30, 9);
const NEXT = Date.UTC(2026, 11, 1, 0, 30);
/** Enough for three transactions. */
const RESERVED = 150;
/** The most that go to the market in one transaction. */
const MOST_SENT = 64;

const dataDir = mkdtempSync(join(tmpdir(), "kuroshio-reserved-"));
const config = { dataDir, databaseUrl: null, commandsPerSecond: 100_000, venue: { seed: 1, rate: 50, hours: "taiwan" as const } };
const acknowledged = new Map<string, Order>();
let credentials: Awaited<ReturnType<typeof createFundedMember>>;
let headers = { token: "", account: "" };

const at = (moment: number): Promise<ServerProcess> => spawnServer(config, moment - Date.now());

async function signIn(server: ServerProcess): Promise<void> {
  const reply = await server.call("signIn", credentials);
  if (reply?.status !== 1) throw new Error("the member could not sign in");
  headers = reply.data;
}

/** Reserves purchases at the last price of the cheapest active instrument, until the server is gone or there are enough. */
async function reserveAll(server: ServerProcess): Promise<void> {
  const list = await server.call("listInstruments", {}, headers);
  const ranks = [{ by: "turnover" as const, board: "listed" as const, category: null, size: 30 }];
  const view = await server.call("readView", { rows: [], ranks, channels: {} }, headers);
  if (list?.status !== 1 || view?.status !== 1) throw new Error("no market");
  const { row, last } = quoteAt(view.data.quotes, 0);
  const { code } = list.data.instruments[row] ?? {};
  if (!code) throw new Error("no instrument");
  const ticket = { code, direction: "rise" as const, pricing: "limit" as const, price: last, lots: 1, market: "odd" as const };
  expect((await server.call("placeOrder", { ...ticket, requestId: RequestId.parse(randomUUID()) }, headers))?.status).toBe(0);
  while (acknowledged.size < RESERVED) {
    const requestId = RequestId.parse(randomUUID());
    const reply = await server.call("placeOrder", { ...ticket, market: "board", requestId, reserve: true }, headers);
    if (reply === null) return;
    if (reply.status !== 1) throw new Error(reply.code);
    acknowledged.set(requestId, reply.data);
  }
}

/** How many have been sent to the market. */
const sentBy = async (server: ServerProcess): Promise<number> =>
  (await readFacts(server)).filter(({ type }) => type === "order.entered").length;

async function readFacts(server: ServerProcess): Promise<OrderFact[]> {
  const facts: Fact[] = [];
  for (;;) {
    const page = await server.call("factsSince", { after: facts.length }, headers);
    if (page?.status !== 1 || page.data.facts.length === 0) return facts.filter(isOrderFact);
    facts.push(...page.data.facts);
  }
}

beforeAll(async () => {
  credentials = await createFundedMember({ ...config, databaseSchema: null });
  for (const enough of [RESERVED / 2, RESERVED]) {
    const server = await at(EVENING);
    await signIn(server);
    const work = reserveAll(server);
    while (acknowledged.size < enough) await wait(1);
    await server.kill();
    await work;
  }
  // The session begins while the server runs, and before it starts; it is killed as soon as it has sent some, sooner or later.
  for (const [kill, moment] of [NEXT - 20 * SECOND_MS, NEXT + MINUTE_MS, NEXT + 2 * MINUTE_MS].entries()) {
    const server = await at(moment);
    await signIn(server);
    while (kill * MOST_SENT >= (await sentBy(server))) await wait(5);
    await server.kill();
  }
}, 600_000);

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe("after kills while orders were reserved and sent", () => {
  it("each that was acknowledged was kept, and was sent to the market once, in the order it came", { timeout: 300_000 }, async () => {
    const server = await at(NEXT + 3 * MINUTE_MS);
    try {
      await signIn(server);
      while ((await sentBy(server)) < RESERVED) await wait(100);
      const facts = await readFacts(server);
      for (const { orderNo, reservedFor } of acknowledged.values()) {
        expect(reservedFor).toBe(NEXT);
        const own = facts.filter(({ order }) => order.orderNo === orderNo).map(({ type }) => type);
        expect(own).toEqual(["order.placed", "order.entered"]);
      }
      const entered = facts.flatMap(({ type, order }) => (type === "order.entered" ? [order.orderNo] : []));
      expect(entered).toEqual(entered.toSorted());
      const [last] = [...acknowledged.values()].slice(-1);
      expect(
        (await server.call("cancelOrder", { requestId: RequestId.parse(randomUUID()), orderNo: last?.orderNo ?? "" }, headers))?.status,
      ).toBe(1);
    } finally {
      await server.stop();
    }
  });

  it("the ledger balances", async () => {
    const db = await openDatabase({ dataDir, databaseUrl: undefined, schema: undefined });
    try {
      expect((await auditBooks(db.kysely)).differences).toEqual([]);
      expect(await db.kysely.selectFrom("order").select("order_no").where("reserved_for", "is not", null).execute()).toEqual([]);
    } finally {
      await db.close();
    }
  });
});
