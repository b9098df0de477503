/** Tests losing the database at every step of a command and under load: nothing is lost or doubled, and the server recovers automatically. */
import { randomBytes, randomUUID } from "node:crypto";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { openDatabase, query } from "#server/db/database.ts";
import { CommitUnknown, DatabaseUnavailable } from "#server/db/outage.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { randomFrom } from "#tests/server/simulation/random.ts";
import { sized } from "#tests/support/size.ts";
import { FAULTS, layPostgresProxy } from "./postgres-proxy.ts";
import type { Fault, PostgresProxy } from "./postgres-proxy.ts";

const address = process.env["DATABASE_URL"] ?? "";
const newSchema = (): string => `outage_${randomBytes(6).toString("hex")}`;

async function dropSchema(schema: string): Promise<void> {
  const db = await openDatabase({ dataDir: null, databaseUrl: address, schema, poolSize: 1 });
  await db.kysely.schema.dropSchema(schema).cascade().execute();
  await db.close();
}

/** Longer than any statement on a busy machine; the usual limit would only be waited for. */
const STATEMENT_TIMEOUT_MS = 2_500;
/** Words of the two messages of a command: what it reads, and what it writes with the commit. */
const STEPS = ["batch_open", "batch_write"];
/** Cases that end by a timeout take seconds, so only some are run: one before the commit and both at the commit. */
const CASES = STEPS.flatMap((step) => FAULTS.map((fault): [string, Fault] => [step, fault])).filter(
  ([step, fault]) => !fault.startsWith("silent") || step === "batch_write" || step + fault === "batch_opensilentBefore",
);

describe.runIf(address !== "")("a command whose connection fails", () => {
  const schema = newSchema();
  let proxy: PostgresProxy;
  let broker: TestBroker;
  beforeAll(async () => {
    proxy = await layPostgresProxy(address);
    broker = await openTestBroker({
      db: await openDatabase({ dataDir: null, databaseUrl: proxy.url, schema, server: true, statementTimeoutMs: STATEMENT_TIMEOUT_MS }),
    });
  });
  afterAll(async () => {
    await broker.shut();
    await proxy.close();
    await dropSchema(schema);
  });

  /** Connections that have held a transaction open for as long as a statement may take, and wait for their client. */
  const waiting = async (): Promise<number> => {
    const [row] = await query<{ n: number }>(
      broker.db.kysely,
      `SELECT count(*)::integer AS n FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction' AND now() - state_change > interval '2 seconds'`,
    );
    return row?.n ?? 0;
  };

  it.each(CASES)("at %s, %s, has an unknown outcome, acts once, and its resting order is matched", async (step, fault) => {
    broker.venue.set(0, { bids: [[98, 50]], asks: [[102, 50]] });
    const member = await broker.newMember();
    const requestId = randomUUID();
    const failed = proxy.failNext(step, fault);
    const first = broker.place(member, { requestId, price: 100 }).catch((error: unknown) => error);
    await failed;
    const error = await first;
    // What the lost connection held is given up at once, and not when the database finds out by itself.
    if (fault === "silentBefore") await expect.poll(waiting, { timeout: 1_500 }).toBe(0);
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(error instanceof CommitUnknown).toBe(step === "batch_write");
    await broker.settled();
    // An order committed without an answer is in the order book, without a second command.
    const written = step === "batch_write" && fault.endsWith("After");
    expect(broker.sequencer.orderBook.queue(0, "buy").length).toBe(written ? 1 : 0);
    expect(broker.published.filter(({ memberId }) => memberId === member).length).toBe(written ? 1 : 0);
    const outcome = await broker.call("askOutcome", member, { requestId: RequestId.parse(requestId), giveUp: false });
    expect(outcome.known).toBe(written);

    if (!written) await broker.place(member, { requestId, price: 100 });
    broker.venue.set(0, { asks: [[100, 50]] });
    await broker.settled();
    const orders = await query(broker.db.kysely, `SELECT status, request_id FROM "order" WHERE member_id = $1`, [member]);
    expect(orders).toEqual([{ status: "holding", request_id: requestId }]);
    const facts = broker.published.filter(({ memberId }) => memberId === member).map(({ fact }) => [fact.n, fact.type]);
    expect(facts).toEqual([
      [1, "order.placed"],
      [2, "order.filled"],
    ]);
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  });
});

const seed = Number(process.env["OUTAGE_SEED"] ?? 11);
const CLIENTS = 6;
const FAULT_COUNT = sized(8, 20);

describe.runIf(address !== "")("a server under load", () => {
  const databaseSchema = newSchema();
  let proxy: PostgresProxy;
  let server: TestServer;
  let as: Headers;
  const acknowledged = new Map<string, string>();
  const load = { stopped: false };

  const post = async (name: "placeOrder" | "askOutcome", body: object) => server.post(name, JSON.stringify(body), as);

  /** Places an order like the client: asks while the outcome is unknown, and resends with the same id if it never arrived. */
  async function placeOnce(price: number): Promise<void> {
    const requestId = randomUUID();
    for (;;) {
      const { http, reply } = await post("placeOrder", { requestId, code: "2330", direction: "rise", pricing: "limit", price, lots: 1 });
      if (reply.status === 1) {
        acknowledged.set(requestId, (reply.data as { orderNo: string }).orderNo);
        return;
      }
      expect([http, reply]).toMatchObject([503, { code: "GEN_SYSTEM_BUSY" }]);
      for (;;) {
        const asked = await post("askOutcome", { requestId });
        if (asked.reply.status !== 1) continue;
        const { known, order } = asked.reply.data as { known: boolean; order: { orderNo: string } | null };
        if (!known) break;
        acknowledged.set(requestId, order?.orderNo ?? "");
        return;
      }
    }
  }

  const ready = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;
  const isReady = (): Promise<void> => vi.waitFor(async () => expect(await ready()).toBe(200), { timeout: 60_000, interval: 20 });

  beforeAll(async () => {
    proxy = await layPostgresProxy(address);
    server = await startTestServer({ databaseUrl: proxy.url, databaseSchema, commandsPerSecond: 1_000_000 });
    const account = "KS900002";
    const secrets = { password: "rich", guaranteeCode: "rich", idNumber: "C100000004", name: "金滿堂" };
    const rich = { account, identity: "verified" as const, depositCents: cents(1_000_000_000_000), at: Date.now() };
    as = { account, token: (await server.sessions.open(await createMember(server.db, { ...secrets, ...rich }), "test")).token };
    await isReady();
  });
  afterAll(async () => {
    await server.stop();
    await proxy.close();
  });

  it(`loses and duplicates nothing in ${FAULT_COUNT} faults of seed ${seed}`, async () => {
    const random = randomFrom(seed);
    const row = server.venue.instrument("2330")?.row ?? -1;
    const limit = Math.round((server.venue.quote(row).reference * 0.92) / 50_000) * 50_000;
    const work = Array.from({ length: CLIENTS }, async () => {
      while (!load.stopped) await placeOnce(limit);
    });
    const quick = FAULTS.filter((fault) => !fault.startsWith("silent"));
    for (let n = 0; n < FAULT_COUNT; n += 1) {
      const before = acknowledged.size;
      await proxy.failNext(random.pick(STEPS), random.pick(quick));
      if (n % 5 === 4) {
        proxy.down();
        const down = await fetch(`${server.url}/readyz`);
        expect([down.status, await down.json()]).toEqual([503, { database: false, prices: true, issueRows: true, jobs: true }]);
        expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
        expect((await server.post("listPositions", "{}", as)).reply).toMatchObject({ status: 0, code: "GEN_SYSTEM_BUSY" });
        proxy.up();
      }
      await isReady();
      await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(before + CLIENTS), { timeout: 60_000, interval: 20 });
    }
    load.stopped = true;
    await Promise.all(work);
    const { kysely } = server.db;
    // The broker's mentors trade by the clock, also here; only the client's orders are acknowledged.
    const orders = await query<{ request_id: string; order_no: string }>(
      kysely,
      `SELECT request_id, order_no FROM "order" JOIN member ON member.id = member_id WHERE account = $1`,
      [as.account],
    );
    expect(new Map(orders.map((order) => [order.request_id, order.order_no]))).toEqual(acknowledged);
    expect(orders.length).toBe(acknowledged.size);
    const gaps = await query(kysely, "SELECT member_id FROM fact GROUP BY member_id HAVING max(n) <> count(*) OR min(n) <> 1");
    expect(gaps).toEqual([]);
    expect((await auditBooks(kysely)).differences).toEqual([]);
  });
});
