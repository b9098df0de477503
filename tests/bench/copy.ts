/** Benchmark of copy trading: a purchase and a sale of a mentor with 1,000 followers, against as many orders that their members place. */
import { performance } from "node:perf_hooks";
import { cents } from "#contract/kernel/money.ts";
import { insertMember } from "#server/accounts/new-member.ts";
import { query } from "#server/db/database.ts";
import { mentor, passTicks, priced } from "#tests/server/copy/fixture.ts";
import type { TestMentor } from "#tests/server/copy/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import type { BenchOptions } from "./bench.ts";
import type { Figure, Table } from "./table.ts";

const FOLLOWERS = 1_000;
const QUICK_FOLLOWERS = 100;

/** Members with money who follow, without the commands that would make them. */
async function followers(broker: TestBroker, { mentorNo }: TestMentor, count: number): Promise<number[]> {
  const at = broker.clock.now;
  const secrets = { password: "none", guaranteeCode: "none" };
  const shared = { identity: "verified" as const, depositCents: cents(1_000_000_000), at, name: "B", ...secrets };
  const ids = await broker.db.transaction(async (tx) => {
    const made: number[] = [];
    for (let nth = 0; nth < count; nth += 1)
      made.push(await insertMember(tx, { account: `B${nth}`, idNumber: `B${nth}`, ...shared }, secrets));
    return made;
  });
  await query(
    broker.db.kysely,
    `INSERT INTO copy (copy_no, id, member_id, mentor_no, status, amount_cents, stop_percent, started_at, copies_from, until_at, version)
    SELECT 'Y' || id, id, id, $2, 'following', 30000000, 90, $3, $3, $3 + 8640000000, 1 FROM unnest($1::bigint[]) AS id`,
    [ids, mentorNo, at],
  );
  return ids;
}

/** The batches that change copies while some work is done, and its time. */
async function measured(broker: TestBroker, what: string, work: () => Promise<unknown>): Promise<Figure[]> {
  let rounds = 0;
  const stop = broker.sequencer.onBatch(({ touched }) => {
    if ([...touched].some(({ origin }) => origin === "copy")) rounds += 1;
  });
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  stop();
  return [
    { what: `${what}: time`, value: ms, unit: "ms" },
    { what: `${what}: rounds`, value: rounds, unit: "", budget: 1, row: "copy rounds" },
  ];
}

export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const broker = await openTestBroker();
  const count = quick ? QUICK_FOLLOWERS : FOLLOWERS;
  priced(broker, 100, 100_000);
  const one = await mentor(broker);
  const ids = await followers(broker, one, count);
  const { orderNo } = await broker.place(one.member, { lots: 10 });
  const bought = await measured(broker, `a purchase copied to ${count}`, () => passTicks(broker));
  await broker.close(one.member, orderNo, { lots: 10 });
  const sold = await measured(broker, `its sale copied to ${count}`, () => passTicks(broker));
  const from = performance.now();
  await Promise.all(ids.map((id) => broker.place(id, { lots: 2 })));
  const alone: Figure = { what: `${count} orders that members place at once: time`, value: performance.now() - from, unit: "ms" };
  const [copied] = await query<{ n: number }>(
    broker.db.kysely,
    `SELECT count(*)::integer AS n FROM "order" WHERE origin = 'copy' AND status = 'closed'`,
  );
  if (copied?.n !== count) throw new Error(`${copied?.n} of ${count} were copied and sold`);
  if (broker.faults.length > 0) throw broker.faults[0];
  await broker.shut();
  return [{ title: "copy trading", figures: [...bought, ...sold, alone] }];
}
