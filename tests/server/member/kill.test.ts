/** Tests that alerts fire exactly once while the server is killed repeatedly under load: none is lost, none fires twice. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fact } from "#contract/fact.ts";
import type { Code } from "#contract/kernel/id.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { openDatabase, query } from "#server/db/database.ts";
import { DEMO_GUARANTEE_CODE, DEMO_MEMBER, DEMO_PASSWORD } from "#server/ops/seed.ts";
import { LATE_MORNING_MS, spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";
import { schemaNameOrNull } from "#tests/support/run.ts";
import { sized } from "#tests/support/size.ts";

const KILLS = sized(4, 8);
/** Alerts fired in a run before its kill: a different number each time, plus a few milliseconds. */
const FIRED = { least: 2, most: 9 };

const databaseUrl = process.env["DATABASE_URL"] || null;
const databaseSchema = schemaNameOrNull();
const dataDir = databaseUrl ? null : mkdtempSync(join(tmpdir(), "kuroshio-alert-kill-"));
const config = {
  dataDir,
  databaseUrl,
  databaseSchema,
  commandsPerSecond: 100_000,
  // As often for each instrument of the small market as for one of the whole.
  venue: { seed: 1, rate: sized(200, 2_000), hours: "always" as const },
};

let headers = { token: "", account: "" };
let hottest: { code: Code; row: number }[] = [];
let cheapest = "";
/** Alerts whose set request was acknowledged. */
const acknowledged = new Set<string>();
/** Alerts seen waiting before a kill that fired in a later server process. */
let survivors = 0;

async function signIn(server: ServerProcess): Promise<void> {
  const reply = await server.call("signIn", {
    idNumber: DEMO_MEMBER.idNumber,
    password: DEMO_PASSWORD,
    guaranteeCode: DEMO_GUARANTEE_CODE,
  });
  if (reply?.status !== 1) throw new Error("the demo member could not sign in");
  headers = reply.data;
}

/** Picks the most traded instruments, whose volumes grow steadily, and the cheapest of them, so that the money lasts. */
async function findHot(server: ServerProcess): Promise<void> {
  const list = await server.call("listInstruments", {}, headers);
  for (;;) {
    const hot = await server.call(
      "readView",
      { rows: [], ranks: [{ by: "turnover", board: "listed", category: null, size: 30 }], channels: {} },
      headers,
    );
    if (list?.status !== 1) throw new Error("no market");
    if (hot?.status === 1 && hot.data.quotes.length > 0) {
      const quotes = Array.from({ length: hot.data.quotes.length / QUOTE_STRIDE }, (_, at) => quoteAt(hot.data.quotes, at * QUOTE_STRIDE));
      hottest = quotes.flatMap(({ row }) => list.data.instruments[row] ?? []);
      cheapest = list.data.instruments[quotes.toSorted((a, b) => a.last - b.last)[0]?.row ?? 0]?.code ?? "";
      return;
    }
    await wait(20);
  }
}

async function facts(server: ServerProcess): Promise<Fact[]> {
  const all: Fact[] = [];
  for (;;) {
    const page = await server.call("factsSince", { after: all.at(-1)?.n ?? 0 }, headers);
    if (page?.status !== 1 || page.data.facts.length === 0) return all;
    all.push(...page.data.facts);
  }
}

const firedIn = (some: readonly Fact[]): string[] => some.flatMap((fact) => (fact.type === "alert.fired" ? fact.alert.id : []));

/** Keeps setting alerts a few lots above the traded volume until the server stops answering. */
async function setAlerts(server: ServerProcess): Promise<void> {
  for (let at = 0; ; at += 1) {
    const { code, row } = hottest[at % hottest.length] ?? { code: "", row: 0 };
    const seen = await server.call("readView", { rows: [row], ranks: [], channels: {} }, headers);
    if (seen === null) return;
    if (seen.status !== 1) {
      await wait(10);
      continue;
    }
    const id = randomUUID();
    const level = quoteAt(seen.data.quotes, 0).volume + 1 + (at % 3);
    const reply = await server.call("setAlert", { id, code, kind: "volume", level }, headers);
    if (reply === null) return;
    if (reply.status === 1) acknowledged.add(id);
    else await wait(5);
  }
}

/** Keeps buying and selling a lot for the same member, so that order facts share the fact sequence. */
async function trade(server: ServerProcess): Promise<void> {
  for (;;) {
    const lot = { pricing: "market", price: null, lots: 1 } as const;
    const placed = await server.call("placeOrder", { ...lot, requestId: randomUUID(), code: cheapest, direction: "rise" }, headers);
    if (placed === null) return;
    if (placed.status !== 1) {
      await wait(10);
      continue;
    }
    const closed = await server.call("closeOrder", { ...lot, requestId: randomUUID(), orderNo: placed.data.orderNo }, headers);
    if (closed === null) return;
  }
}

beforeAll(async () => {
  let seen: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await spawnServer(config, LATE_MORNING_MS);
    if (kill === 0) await signIn(server);
    if (kill === 0) await findHot(server);
    const before = await server.call("listAlerts", {}, headers);
    const waiting = before?.status === 1 ? before.data.alerts.flatMap(({ id, status }) => (status === "waiting" ? id : [])) : [];
    const work = Promise.all([setAlerts(server), trade(server)]);
    const enough = FIRED.least + ((kill * 5) % (FIRED.most - FIRED.least));
    let now = seen;
    const survived = (): number => waiting.filter((id) => now.includes(id)).length;
    // Every life begins at the same time of the market's day: what waits from the last one fires as soon as this one has come as far.
    while (now.length < seen.length + enough || (waiting.length > 0 && survived() === 0)) {
      await wait(20);
      now = firedIn(await facts(server));
    }
    survivors += survived();
    seen = now;
    await wait(kill % 7);
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

describe(`after ${KILLS} kills among firing alerts`, () => {
  it("alerts were acknowledged, and some outlived a kill", () => {
    expect(acknowledged.size).toBeGreaterThan(KILLS * FIRED.least);
    expect(survivors).toBeGreaterThan(0);
  });

  it("every fact exists once and without a gap, orders and alerts together", async () => {
    const server = await spawnServer(config, LATE_MORNING_MS);
    try {
      const all = await facts(server);
      expect(all.map(({ n }) => n)).toEqual(all.map((_, at) => at + 1));
      expect(new Set(firedIn(all)).size).toBe(firedIn(all).length);
      expect(new Set(all.map(({ type }) => type)).size).toBeGreaterThan(2);
    } finally {
      await server.stop();
    }
  });

  it("each alert is either waiting, or fired with one message and one fact", async () => {
    const db = await openDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined });
    try {
      const rows = await db.kysely.selectFrom("alert").select(["id", "status"]).execute();
      const idsOf = (status: string): string[] => rows.flatMap((row) => (row.status === status ? row.id : [])).toSorted();
      const known = new Set(rows.map(({ id }) => id));
      expect([...acknowledged].filter((id) => !known.has(id))).toEqual([]);
      expect(idsOf("fired").length + idsOf("waiting").length).toBe(rows.length);
      const messages = await db.kysely.selectFrom("message").select("alert_id").where("kind", "=", "alert").execute();
      expect(messages.map(({ alert_id }) => alert_id ?? "").toSorted()).toEqual(idsOf("fired"));
      const stored = await db.kysely.selectFrom("fact").select("body").where("type", "=", "alert.fired").execute();
      expect(firedIn(stored.map(({ body }) => body as Fact)).toSorted()).toEqual(idsOf("fired"));
      // The broker's own members trade beside the demo member, and have facts too.
      const tallies = await query<{ last: number; facts: number }>(
        db.kysely,
        "SELECT fact_n AS last, (SELECT count(*)::integer FROM fact WHERE fact.member_id = tally.member_id) AS facts FROM tally",
      );
      expect(tallies.filter(({ last, facts }) => last !== facts)).toEqual([]);
      expect(tallies.some(({ facts }) => facts > 0)).toBe(true);
    } finally {
      await db.close();
    }
  });
});
