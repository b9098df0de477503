/**
 * Benchmark of the sequencer alone: what a command costs without HTTP, and what it costs to insert the same rows with nothing but their indexes.
 * On the database that the tests use.
 */
import { randomUUID } from "node:crypto";
import { RequestId } from "#contract/kernel/id.ts";
import { query, queryAll } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import type { BenchOptions } from "./bench.ts";
import type { Table } from "./table.ts";

/** Commands sent at once and written in one transaction. */
const BATCH = 32;
/** Enough executions for PostgreSQL to cache its plans. */
const WARM_UP = 25;
const MEASURED = 100;
/** Maximum ratio of a command to its rows. */
const BUDGET = 2;
/** Tables whose rows only grow with commands. Rows that are changed afterwards count once. */
const TABLES = ["order", "fill", "request", "fact", "ledger_tx", "entry", "message", "condition", "member_trade", "member_fill"];

/** One round of five commands: each member buys, rests a limit order, protects the position, cancels and sells. @returns milliseconds of each step */
async function tradeOnce(broker: TestBroker, members: readonly number[]): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  const step = async <Result>(name: string, one: (member: number, at: number) => Promise<Result>): Promise<Result[]> => {
    const from = performance.now();
    const results = await Promise.all(members.map(one));
    times.set(name, performance.now() - from);
    return results;
  };
  const held = await step("buy at market", (member) => broker.place(member, { code: "2330", lots: 1 }));
  const resting = await step("rest a limit order", (member) => broker.place(member, { code: "2330", lots: 1, price: 91 }));
  await step("set an exit order", (member, at) =>
    broker.call("setConditions", member, {
      requestId: RequestId.parse(randomUUID()),
      orderNo: held[at]?.orderNo as never,
      exits: [{ kind: "stop", price: 910_000 }],
    }),
  );
  await step("cancel", (member, at) => broker.cancel(member, resting[at]?.orderNo as never));
  await step("sell at market", (member, at) => broker.close(member, held[at]?.orderNo as never, { lots: 1 }));
  return times;
}

/** The rows of a table as JSON texts, each of `parts` equal parts. */
async function rowsOf({ kysely }: Database, table: string, parts: number): Promise<string[]> {
  const rows = await query<{ row: string }>(kysely, `SELECT row_to_json(t)::text AS row FROM "${table}" AS t`);
  const size = Math.ceil(rows.length / parts);
  return Array.from(
    { length: parts },
    (_, nth) =>
      `[${rows
        .slice(nth * size, (nth + 1) * size)
        .map(({ row }) => row)
        .join(",")}]`,
  );
}

/** Inserts all rows again, into tables with the same columns and indexes. @returns median milliseconds of a transaction */
async function insertRaw(db: Database, transactions: number): Promise<number> {
  const parts = new Map<string, string[]>();
  for (const table of TABLES) {
    parts.set(table, await rowsOf(db, table, transactions));
    await query(db.kysely, `CREATE TABLE "raw_${table}" (LIKE "${table}" INCLUDING INDEXES)`);
  }
  const times: number[] = [];
  for (let nth = 0; nth < transactions; nth += 1) {
    const from = performance.now();
    await db.transaction((tx) =>
      queryAll(
        tx,
        TABLES.map((table) => ({
          sql: `INSERT INTO "raw_${table}" SELECT * FROM json_populate_recordset(NULL::"raw_${table}", $1::json)`,
          parameters: [parts.get(table)?.[nth] ?? "[]"],
        })),
      ),
    );
    times.push(performance.now() - from);
  }
  return median(times);
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Measures both on the database of the tests. */
export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const rounds = quick ? MEASURED / 4 : MEASURED;
  const broker = await openTestBroker();
  broker.venue.set(0, { bids: [[98, 50_000_000]], asks: [[102, 50_000_000]] });
  const members = await Promise.all(Array.from({ length: BATCH }, () => broker.newMember({ depositCents: 1_000_000_000_000 })));
  for (let n = 0; n < WARM_UP; n += 1) await tradeOnce(broker, members);
  const measured: Map<string, number>[] = [];
  const from = process.cpuUsage();
  for (let n = 0; n < rounds; n += 1) measured.push(await tradeOnce(broker, members));
  const { user, system } = process.cpuUsage(from);
  const steps = [...(measured[0]?.keys() ?? [])].map((what) => ({
    what,
    value: (median(measured.map((one) => one.get(what) ?? 0)) * 1000) / BATCH,
    unit: "µs",
  }));
  const command = steps.reduce((sum, { value }) => sum + value, 0) / steps.length;
  const raw = ((await insertRaw(broker.db, (WARM_UP + rounds) * steps.length)) * 1000) / BATCH;
  await broker.shut();
  const figures = [
    ...steps,
    { what: "a command, of all five", value: command, unit: "µs" },
    { what: "CPU of this process", value: (user + system) / (rounds * steps.length * BATCH), unit: "µs" },
    { what: "its rows, inserted with their indexes", value: raw, unit: "µs" },
    { what: "ratio", value: command / raw, unit: "x", budget: BUDGET },
  ];
  return [{ title: `Commands in batches of ${BATCH}, on ${broker.db.kind}`, figures }];
}
