/**
 * Tests durability: the server is killed repeatedly under mixed load; everything acknowledged exists exactly once and the ledger balances.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Asked } from "#contract/endpoints.ts";
import { isOrderFact } from "#contract/fact-kind.ts";
import type { Fact } from "#contract/fact.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import type { Order } from "#contract/order.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { dayLimits, step } from "#contract/tick.ts";
import { openDatabase } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { LATE_MORNING_MS, spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";
import { schemaNameOrNull } from "#tests/support/run.ts";
import { sized } from "#tests/support/size.ts";

const KILLS = Number(process.env["KILLS"] ?? sized(8, 30));
/** Concurrent clients. */
const CLIENTS = 4;
/** Minimum and maximum number of acknowledgements between kills; each kill follows a few milliseconds later. */
const WORK = { least: 6, most: 30 };

const databaseUrl = process.env["DATABASE_URL"] || null;
const databaseSchema = schemaNameOrNull();
const dataDir = databaseUrl ? null : mkdtempSync(join(tmpdir(), "kuroshio-kill-"));
const config = { dataDir, databaseUrl, databaseSchema, commandsPerSecond: 100_000, venue: { seed: 1, rate: 50, hours: "always" as const } };

interface Headers {
  token: string;
  account: string;
}

/** Orders by acknowledged request; the outcome of other requests is unknown. */
const acknowledged = new Map<string, { what: string; order: Order }>();
/** Acknowledged exit orders and alerts. */
const conditions = new Set<string>();
const alerts = new Set<string>();
const sent = new Set<string>();
let headers: Headers = { token: "", account: "" };
let fund = { code: Code.parse("2330"), last: 0, far: 0, nearer: 0 };

async function signIn(server: ServerProcess, credentials: Asked<"signIn">): Promise<Headers> {
  const reply = await server.call("signIn", credentials);
  if (reply?.status !== 1) throw new Error("the member could not sign in");
  return reply.data;
}

/** The cheapest of the most active instruments with price limits that can be sold at once, so that the money lasts. */
async function cheapest(server: ServerProcess): Promise<typeof fund> {
  const list = await server.call("listInstruments", {}, headers);
  const hot = await server.call(
    "readView",
    { rows: [], ranks: [{ by: "turnover", board: "listed", category: null, size: 30 }], channels: {} },
    headers,
  );
  if (list?.status !== 1 || hot?.status !== 1) throw new Error("no market");
  const { instruments } = list.data;
  const quotes = Array.from({ length: hot.data.quotes.length / QUOTE_STRIDE }, (_, at) => quoteAt(hot.data.quotes, at * QUOTE_STRIDE));
  const fit = quotes.filter(({ row, last }) => {
    const { tradable, sellLockSeconds, limitPercent } = instruments[row] ?? {};
    return last > 0 && tradable && sellLockSeconds === 0 && limitPercent !== null;
  });
  const [first] = fit.toSorted((one, other) => one.last - other.last);
  const instrument = instruments[first?.row ?? -1];
  if (!first || !instrument) throw new Error("no instrument without a lock-up");
  const far = dayLimits(instrument, first.reference)?.down ?? 0;
  return { code: instrument.code, last: first.last, far, nearer: step(instrument.kind, far, 1) };
}

/** A client and its acknowledged commands. Its commands return null when the server is gone. */
function handOf(server: ServerProcess) {
  type Commands = "placeOrder" | "closeOrder" | "cancelOrder" | "amendOrder";
  return async function command<Name extends Commands>(
    name: Name,
    body: Omit<Asked<Name>, "requestId">,
  ): Promise<Order | "refused" | null> {
    const requestId = RequestId.parse(randomUUID());
    sent.add(requestId);
    const reply = await server.call(name, { ...body, requestId } as Asked<Name>, headers);
    if (reply === null) return null;
    // A new market may have no price yet, which is a valid reply too.
    if (reply.status !== 1) return "refused";
    acknowledged.set(requestId, { what: name, order: reply.data });
    return reply.data;
  };
}

/** Sets or removes the exit orders of a position. @returns whether the server still answers */
async function guard(server: ServerProcess, orderNo: OrderNo): Promise<boolean> {
  const requestId = RequestId.parse(randomUUID());
  const exits = [{ kind: "takeProfit" as const, price: fund.last * 10 }];
  sent.add(requestId);
  const set = await server.call("setConditions", { requestId, orderNo, exits }, headers);
  if (set?.status === 1) for (const { conditionNo } of set.data.conditions) conditions.add(conditionNo);
  return set !== null;
}

/** @returns whether the server still answers */
async function alert(server: ServerProcess, n: number): Promise<boolean> {
  const id = RequestId.parse(randomUUID());
  const reply = await server.call("setAlert", { id, code: fund.code, kind: "above", level: fund.last * 5 + n }, headers);
  if (reply?.status === 1) alerts.add(id);
  return reply !== null;
}

/**
 * A client's loop until the server no longer answers: orders that are bought, given exit orders, sold or kept, and resting orders that are
 * amended and cancelled.
 */
async function trade(server: ServerProcess, client: number): Promise<void> {
  const command = handOf(server);
  const base = { code: fund.code, direction: "rise" as const, lots: 1 };
  for (let turn = client; ; turn += 1) {
    const rests = turn % 3 === 0;
    const ticket = rests ? { ...base, pricing: "limit" as const, price: fund.far } : { ...base, pricing: "market" as const, price: null };
    const placed = await command("placeOrder", ticket);
    if (placed === null) return;
    if (placed === "refused") {
      await wait(10);
      continue;
    }
    const { orderNo } = placed;
    if (turn % 8 === 0 && !(await alert(server, turn))) return;
    if (placed.status === "pending") {
      if ((await command("amendOrder", { orderNo, lots: null, price: fund.nearer })) === null) return;
      if (turn % 6 === 0 && (await command("cancelOrder", { orderNo })) === null) return;
      continue;
    }
    if (turn % 4 === 1 && !(await guard(server, orderNo))) return;
    // Every other lot is kept, so that there are positions, and resting orders at each kill.
    if (turn % 2 === 0 && (await command("closeOrder", { orderNo, pricing: "market", price: null, lots: 1 })) === null) return;
  }
}

beforeAll(async () => {
  const credentials = await createFundedMember(config);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await spawnServer(config, LATE_MORNING_MS);
    if (kill === 0) {
      headers = await signIn(server, credentials);
      fund = await cheapest(server);
    }
    const work = Promise.all(Array.from({ length: CLIENTS }, (_, client) => trade(server, client + kill)));
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

/** Every fact of the member, in order. */
async function readFacts(server: ServerProcess): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (;;) {
    const page = await server.call("factsSince", { after: facts.length }, headers);
    if (page?.status !== 1 || page.data.facts.length === 0) return facts;
    facts.push(...page.data.facts);
  }
}

describe(`after ${KILLS} kills under mixed load`, () => {
  it("some commands were acknowledged", () => {
    expect(acknowledged.size).toBeGreaterThan(KILLS * WORK.least);
    expect(sent.size).toBeGreaterThan(acknowledged.size);
    const done = new Set([...acknowledged.values()].map(({ what }) => what));
    expect([...done].toSorted()).toEqual(["amendOrder", "cancelOrder", "closeOrder", "placeOrder"]);
    expect(conditions.size).toBeGreaterThan(0);
    expect(alerts.size).toBeGreaterThan(0);
  });

  it("every acknowledged command exists once, unchanged, and its outcome can be queried", { timeout: 300_000 }, async () => {
    const server = await spawnServer(config, LATE_MORNING_MS);
    try {
      const facts = await readFacts(server);
      expect(facts.map(({ n }) => n)).toEqual(facts.map((_, at) => at + 1));
      const received = new Map(facts.filter(isOrderFact).map(({ order }) => [`${order.orderNo} ${order.version}`, order]));
      const asked = [...acknowledged].map(async ([requestId, { order }]) => {
        const outcome = await server.call("askOutcome", { requestId: RequestId.parse(requestId) }, headers);
        expect(outcome).toMatchObject({ status: 1, data: { known: true, order: { orderNo: order.orderNo } } });
        expect(received.get(`${order.orderNo} ${order.version}`)).toEqual(order);
      });
      await Promise.all(asked);
    } finally {
      await server.stop();
    }
  });

  it("nothing is duplicated, and the ledger balances", async () => {
    const db = await openDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined });
    try {
      const orders = await db.kysely.selectFrom("order").select(["request_id", "order_no"]).execute();
      expect(new Set(orders.map(({ request_id }) => request_id)).size).toBe(orders.length);
      expect(new Set(orders.map(({ order_no }) => order_no)).size).toBe(orders.length);
      for (const { request_id } of orders) expect(sent).toContain(request_id);
      const requests = await db.kysely.selectFrom("request").select("request_id").execute();
      expect(new Set(requests.map(({ request_id }) => request_id)).size).toBe(requests.length);
      const kept = await db.kysely.selectFrom("condition").select("condition_no").execute();
      expect(kept.map(({ condition_no }) => condition_no)).toEqual(expect.arrayContaining([...conditions]));
      const waiting = await db.kysely.selectFrom("alert").select("id").execute();
      expect(waiting.map(({ id }) => id)).toEqual(expect.arrayContaining([...alerts]));
      expect((await auditBooks(db.kysely)).differences).toEqual([]);
    } finally {
      await db.close();
    }
  });
});
