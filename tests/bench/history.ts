/** Benchmark of a batch of orders with 50,000 earlier orders against an empty database: plans cached early must stay fast. */
import { randomUUID } from "node:crypto";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import type { Table } from "./table.ts";

const ORDERS = 50_000;
/** Orders that are sent at once and written in one transaction. */
const BATCH = 32;
/** Enough executions for PostgreSQL to cache its plans. */
const WARM_UP = 30;
const MEASURED = 60;
/** Ledger transactions inserted per statement. */
const TOGETHER = 10_000;
/** Maximum ratio; a tenth more would be noise. */
const BUDGET = 1.5;

/** Inserts the orders and their ledger entries as the server writes them, in fewer transactions. */
async function insertHistory({ kysely }: Database, memberId: number): Promise<void> {
  await query(
    kysely,
    `INSERT INTO request (member_id, request_id, endpoint, body_hash, order_no, at)
     SELECT $1::bigint, gen_random_uuid(), 'placeOrder', '', '', 0 FROM generate_series(1, $2::integer)`,
    [memberId, ORDERS],
  );
  for (let laid = 0; laid < 2 * ORDERS; laid += TOGETHER) {
    await query(
      kysely,
      `SELECT ledger_write(0, array_fill($1::bigint, ARRAY[$2::integer]), array_fill('fee'::text, ARRAY[$2::integer]),
         array_fill(''::text, ARRAY[$2::integer]), array_agg(tx), array_agg(line), array_agg(pocket), array_agg(amount), array_agg(NULL::bigint))
       FROM (
         SELECT tx, line, pocket.id AS pocket, CASE line WHEN 1 THEN 1 ELSE -1 END::bigint AS amount FROM generate_series(1, $2::integer) AS tx,
           (VALUES (1, 'fees'), (2, 'external')) AS lines (line, kind) JOIN pocket ON pocket.kind = lines.kind AND member_id IS NULL
       ) AS t`,
      [memberId, TOGETHER],
    );
  }
}

/** Median time of a batch in milliseconds. */
async function measure(broker: TestBroker, members: readonly number[], batches: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < batches; n += 1) {
    const from = performance.now();
    await Promise.all(
      Array.from({ length: BATCH }, (_, at) =>
        broker.place(members[at % members.length] ?? 0, { code: "2330", lots: 1, price: 90, requestId: randomUUID() }),
      ),
    );
    times.push(performance.now() - from);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(batches / 2)] ?? 0;
}

/** Measures batches on an empty database and after the history, on the database that the tests use. */
export async function run(): Promise<Table[]> {
  const broker = await openTestBroker();
  broker.venue.set(0, { bids: [[98, 50]], asks: [[102, 50]] });
  const members = await Promise.all(Array.from({ length: 8 }, () => broker.newMember({ depositCents: 1_000_000_000_000 })));
  await measure(broker, members, WARM_UP);
  const empty = await measure(broker, members, MEASURED);
  await insertHistory(broker.db, members[0] ?? 0);
  const full = await measure(broker, members, MEASURED);
  const figures = [
    { what: "on an empty database", value: empty, unit: "ms" },
    { what: `after ${ORDERS} orders`, value: full, unit: "ms" },
    { what: "ratio", value: full / empty, unit: "x", budget: BUDGET },
  ];
  const { kind } = broker.db;
  await broker.shut();
  return [{ title: `A batch of ${BATCH} orders, on ${kind}`, figures }];
}
