/**
 * Benchmark of a draw with a simulated crowd of 100,000, and with as many applications of members besides: how long closing and drawing
 * take, and the longest pause of the event loop.
 */
import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import process from "node:process";
import { RequestId } from "#contract/kernel/id.ts";
import { HOUR_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { holdDraw, listAtClose } from "#server/offerings/draw.ts";
import { eachSubscription } from "#server/offerings/each-member.ts";
import { tellResult } from "#server/offerings/outcome.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import { apply, newSubscriber, openOfferings, openWindow } from "#tests/server/offerings/fixture.ts";
import type { OfferingBroker } from "#tests/server/offerings/fixture.ts";
import type { BenchOptions } from "./bench.ts";
import type { Figure, Table } from "./table.ts";

const APPLICANTS = 100_000;
/** Members with money, who are told their result. */
const TOLD = 64;
const PAUSE_MS = 20;
const NANO = 1e6;

/** Members without money and their applications, made by the database alone: the draw reads nothing else of them. */
const MAKE = `WITH made AS (
  INSERT INTO member (account, id_number, name, password_hash, guarantee_hash, identity, demo, created_at)
  SELECT 'B' || n, 'B' || n, name, password_hash, guarantee_hash, identity, demo, created_at FROM member, generate_series(1, $3::integer) AS n
  WHERE id = $1 RETURNING id)
INSERT INTO subscription (subscription_no, id, member_id, offering_no, request_id, receipt, status, lots, price, fee_cents,
  delivery_cents, deposit_cents, reserved_cents, applied_at)
SELECT 'U1' || id, 10000000 + id, id, $2, gen_random_uuid(), encode(sha256(('bench ' || id)::bytea), 'hex'), 'subscribing', 1,
  500000, 2000, 5000, 500000, 505000, 0 FROM made`;

async function readRow(broker: OfferingBroker, offeringNo: string): Promise<OfferingRecord> {
  const [row] = await query<OfferingRecord>(broker.db.kysely, "SELECT * FROM offering WHERE offering_no = $1", [offeringNo]);
  if (!row) throw new Error("no offering");
  return row;
}

/** The longest time of the processor that this thread took between two turns of a timer: on a busy machine pauses have other reasons. */
function watchTurns(): () => number {
  let [last, most] = [process.threadCpuUsage(), 0];
  const turn = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    most = Math.max(most, (user + system) / 1_000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(turn, 1);
  return () => {
    clearInterval(timer);
    turn();
    return most;
  };
}

/** Measures some work: its time, and the longest time during which nothing else had a turn. */
async function measured<Result>(what: string, work: () => Promise<Result>): Promise<{ result: Result; figures: Figure[] }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const longest = watchTurns();
  const from = performance.now();
  const result = await work();
  const ms = performance.now() - from;
  delay.disable();
  const busy = { what: `${what}: most processor time in a turn`, value: longest(), unit: "ms" };
  const pause = { what: `${what}: longest pause`, value: delay.max / NANO, unit: "ms", budget: PAUSE_MS, row: "offering pause" };
  return { result, figures: [{ what, value: ms, unit: "ms" }, pause, busy] };
}

export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const applicants = quick ? APPLICANTS / 10 : APPLICANTS;
  const broker = await openOfferings();
  const member = await newSubscriber(broker);
  const { offeringNo } = await openWindow(broker, member, { lots: 300 }, { applications: () => applicants });
  const members = [member];
  // One after the other: passwords are hashed.
  while (members.length < TOLD) members.push(await newSubscriber(broker));
  for (const who of members) await apply(broker, who, offeringNo, { requestId: RequestId.parse(randomUUID()) });
  await broker.stop();
  await broker.sequencer.idle();
  const open = await readRow(broker, offeringNo);
  // The simulated crowd is as many applicants without a row each.
  const crowd = await measured(`with a crowd of ${applicants} and ${TOLD} members: list, hash, draw`, async () => {
    const list = await listAtClose(broker.db, open);
    return holdDraw(broker.db, { ...open, list_hash: list?.listHash ?? null });
  });
  if (!crowd.result) throw new Error("the draw is void");
  await query(broker.db.kysely, "UPDATE subscription SET won_lots = 0", []);
  await query(broker.db.kysely, MAKE, [member, offeringNo, applicants]);
  await query(broker.db.kysely, "ANALYZE subscription", []);
  broker.clock.now += 2 * HOUR_MS;
  const before = await readRow(broker, offeringNo);
  const close = await measured("close: the list and its hash", () => listAtClose(broker.db, before));
  const row = { ...before, list_hash: close.result?.listHash ?? null };
  const draw = await measured("draw: the list, its hash, 300 winners, written", () => holdDraw(broker.db, row));
  if (!draw.result) throw new Error("the draw is void");
  await query(broker.db.kysely, "UPDATE offering SET phase = 'drawn' WHERE offering_no = $1", [offeringNo]);
  await query(broker.db.kysely, "UPDATE subscription SET status = 'withdrawn', reserved_cents = 0, ended_at = 0 WHERE id > 10000000");
  const deps = { db: broker.db, sequencer: broker.sequencer };
  const told = await measured(`telling ${TOLD} members their result`, () => eachSubscription(deps, offeringNo, "subscribing", tellResult));
  await broker.db.close();
  return [
    { title: `a draw with ${applicants} applications`, figures: [...crowd.figures, ...close.figures, ...draw.figures, ...told.figures] },
  ];
}
