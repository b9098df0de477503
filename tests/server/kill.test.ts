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
import { unitsPerWhole } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import type { Order } from "#contract/order.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Trade } from "#contract/tape.ts";
import { dayLimits, step, toTick } from "#contract/tick.ts";
import { openDatabase, query } from "#server/db/database.ts";
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

/** Lots by instrument, moment and price: those of fills from the book, and those of the trades in the log of the market. */
const FILLED = `SELECT code, fill.at, fill.price, sum(fill.lots)::integer AS lots FROM fill JOIN "order" USING (order_no)
WHERE reason IN ('bookLevel', 'limitOrBetter') AND kind <> 'crypto' GROUP BY code, fill.at, fill.price ORDER BY code, fill.at, fill.price`;
const PUBLISHED = "SELECT code, at, price, sum(lots)::integer AS lots FROM member_trade GROUP BY code, at, price ORDER BY code, at, price";

/** Sales that paid for purchases of the same day. */
const NETTED = "SELECT FROM ledger_tx WHERE kind = 'settle'";

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
/** What is traded: its code, its price, two prices at which an order rests, and the lots that are bought and sold. */
interface Traded {
  code: Code;
  last: number;
  far: number;
  nearer: number;
  buys: number;
  sells: number;
}
let fund: Traded = { code: Code.parse("2330"), last: 0, far: 0, nearer: 0, buys: 1, sells: 1 };
let coin: Traded = fund;

const openConfigured = () => openDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined });

async function signIn(server: ServerProcess, credentials: Asked<"signIn">): Promise<Headers> {
  const reply = await server.call("signIn", credentials);
  if (reply?.status !== 1) throw new Error("the member could not sign in");
  return reply.data;
}

/** The cheapest of the most active instruments with price limits that can be sold at once, so that the money lasts. */
async function cheapest(server: ServerProcess): Promise<Traded> {
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
  return { code: instrument.code, last: first.last, far, nearer: step(instrument.kind, far, 1), buys: 1, sells: 1 };
}

/** A digital currency whose risk notice the member signs: a fraction of a coin is bought, and a part of it sold. */
async function fractions(server: ServerProcess): Promise<Traded> {
  const text = await server.call("readAgreement", { kind: "crypto", language: "en" }, headers);
  if (text?.status !== 1) throw new Error("no risk notice");
  const signed = {
    kind: "crypto" as const,
    language: "en" as const,
    hash: text.data.hash,
    readToEnd: true as const,
    typedName: text.data.name,
    strokes: [],
  };
  expect((await server.call("signAgreement", signed, headers))?.status).toBe(1);
  const view = await server.call(
    "readView",
    { rows: [], ranks: [{ by: "turnover", board: "crypto", category: null, size: 12 }], channels: {} },
    headers,
  );
  const list = await server.call("listInstruments", {}, headers);
  if (view?.status !== 1 || list?.status !== 1) throw new Error("no market");
  const { row, last } = quoteAt(view.data.quotes, 0);
  const instrument = list.data.instruments[row];
  if (!instrument || last === 0) throw new Error("no digital currency");
  const far = toTick("crypto", last / 2);
  const buys = Math.ceil((unitsPerWhole(instrument) * 2_000 * PRICE_ONE) / last) + 7;
  return { code: instrument.code, last, far, nearer: step("crypto", far, 1), buys, sells: Math.floor(buys / 3) };
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
async function guard(server: ServerProcess, orderNo: OrderNo, last: number): Promise<boolean> {
  const requestId = RequestId.parse(randomUUID());
  const exits = [{ kind: "takeProfit" as const, price: last * 10 }];
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
  for (let turn = client; ; turn += 1) {
    const { code, buys: lots, sells, last, far, nearer } = turn % 5 === 2 ? coin : fund;
    const base = { code, direction: "rise" as const, lots };
    const rests = turn % 3 === 0;
    const ticket = rests ? { ...base, pricing: "limit" as const, price: far } : { ...base, pricing: "market" as const, price: null };
    const placed = await command("placeOrder", ticket);
    if (placed === null) return;
    if (placed === "refused") {
      await wait(10);
      continue;
    }
    const { orderNo } = placed;
    if (turn % 8 === 0 && !(await alert(server, turn))) return;
    if (placed.status === "pending") {
      if ((await command("amendOrder", { orderNo, lots: null, price: nearer })) === null) return;
      if (turn % 6 === 0 && (await command("cancelOrder", { orderNo })) === null) return;
      continue;
    }
    if (turn % 4 === 1 && !(await guard(server, orderNo, last))) return;
    // Every other lot is kept, so that there are positions, and resting orders at each kill.
    if (turn % 2 === 0 && (await command("closeOrder", { orderNo, pricing: "market", price: null, lots: sells })) === null) return;
  }
}

beforeAll(async () => {
  const credentials = await createFundedMember(config);
  // Trades settle two days later, so that purchases and sales of the day net under load too.
  const before = await openConfigured();
  for (const kind of ["stock", "etf"]) {
    await query(before.kysely, `INSERT INTO rule (part, kind, body) VALUES ('trade', $1, '{"settlementDays": 2}')`, [kind]);
  }
  await before.close();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await spawnServer(config, LATE_MORNING_MS);
    if (kill === 0) {
      headers = await signIn(server, credentials);
      fund = await cheapest(server);
      coin = await fractions(server);
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
    expect([...acknowledged.values()].some(({ order }) => order.unitsPerWhole !== undefined && order.filledLots > 0)).toBe(true);
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

  it("the next process has what members traded on its tape, in its volume and in its bars", { timeout: 300_000 }, async () => {
    const server = await spawnServer(config, LATE_MORNING_MS);
    let tape: Trade[] = [];
    try {
      const list = await server.call("listInstruments", {}, headers);
      const row = list?.status === 1 ? list.data.instruments.findIndex(({ code }) => code === fund.code) : -1;
      const view = await server.call("readView", { rows: [row], ranks: [], channels: { tape: row } }, headers);
      const day = await server.call("readCandles", { code: fund.code, period: "day", before: null, limit: 1 }, headers);
      if (view?.status !== 1 || day?.status !== 1) throw new Error("no market");
      const flat = view.data.channels.tape?.trades ?? [];
      tape = Array.from({ length: flat.length / TAPE_STRIDE }, (_, nth) => tradeAt(flat, nth * TAPE_STRIDE));
      // The market goes on between the two answers.
      expect(day.data.bars.at(-1)).toBeGreaterThanOrEqual(quoteAt(view.data.quotes, 0).volume);
    } finally {
      await server.kill();
    }
    const db = await openDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined });
    try {
      const traded = await query<Trade>(
        db.kysely,
        "SELECT at, price, lots, side FROM member_trade WHERE code = $1 AND at > $2 ORDER BY at, id",
        [fund.code, tape[0]?.at ?? 0],
      );
      expect(traded.length).toBeGreaterThan(0);
      const keyOf = ({ at, price, lots, side }: Trade): string => [at, price, lots, side].join(" ");
      const known = new Set(traded.map(keyOf));
      expect(tape.map(keyOf).filter((key) => known.has(key))).toEqual(traded.map(keyOf));
    } finally {
      await db.close();
    }
  });

  it("nothing is duplicated, and the ledger balances", async () => {
    const db = await openConfigured();
    try {
      // The broker's own mentors trade beside the member.
      const mentors = db.kysely.selectFrom("member").select("id").where("account", "like", "mentor-%");
      const orders = await db.kysely.selectFrom("order").select(["request_id", "order_no"]).where("member_id", "not in", mentors).execute();
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
      expect((await query(db.kysely, NETTED)).length).toBeGreaterThan(0);
      // What came to the book was published, in the same transaction.
      const fills = await query(db.kysely, FILLED);
      expect(fills.length).toBeGreaterThan(0);
      expect(await query(db.kysely, PUBLISHED)).toEqual(fills);
    } finally {
      await db.close();
    }
  });
});
