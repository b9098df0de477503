/** Tests that a background job that fails is reported with its name and shows in the health, and that a broken batch is never silent. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { AlertRegistry } from "#server/alerts/alert-registry.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import { query } from "#server/db/database.ts";
import { startJobs } from "#server/jobs/index.ts";
import { FAILING_MS, openJobHealth } from "#server/kernel/job-health.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
  await broker.stop();
});
afterAll(() => broker.shut());

it("a job that fails is reported with its name", async () => {
  const reports: [string, string][] = [];
  const now = (): number => broker.clock.now;
  const member = await broker.newMember();
  await query(broker.db.kysely, "INSERT INTO message (member_id, at, kind, read, untold) VALUES ($1, 0, 'welcome', false, true)", [member]);
  const sequencer = Object.assign(Object.create(broker.sequencer) as typeof broker.sequencer, {
    submit: () => Promise.reject(new Error("broken")),
    onOrders: broker.sequencer.onOrders.bind(broker.sequencer),
    onBatch: broker.sequencer.onBatch.bind(broker.sequencer),
    beforeEachDay: () => undefined,
  });
  const report = (error: unknown, job: string): void => void reports.push([job, String(error)]);
  const stop = await startJobs({ ...broker, sequencer, alerts: new AlertRegistry(), now, report });
  await vi.waitFor(() => expect(reports).toContainEqual(["startTelling", "Error: broken"]), { timeout: 20_000 });
  await stop();
});

it("jobs are stopped when their clocks are at rest, so that the database may close", async () => {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const executeQuery: typeof broker.db.kysely.executeQuery = async (compiled, ...more) => {
    if ("sql" in compiled && compiled.sql.includes("FROM raise")) {
      reached.resolve();
      await gate.promise;
    }
    return broker.db.kysely.executeQuery(compiled, ...more);
  };
  const kysely = new Proxy(broker.db.kysely, {
    get(target, key): unknown {
      if (key === "executeQuery") return executeQuery;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const stop = await startJobs({ ...broker, db: { ...broker.db, kysely }, alerts: new AlertRegistry(), now: () => broker.clock.now });
  await reached.promise;
  let isStopped = false;
  const stopping = stop().then(() => (isStopped = true));
  // A call to the database takes longer than what a stop without waiting would.
  await query(broker.db.kysely, "SELECT 1");
  expect(isStopped).toBe(false);
  gate.resolve();
  await stopping;
});

it("shows in the health for ten minutes, is named once a minute, and an outage is not its fault", () => {
  let at = 0;
  const health = openJobHealth(() => at);
  expect(health.isGood()).toBe(true);
  expect(health.failed(new DatabaseUnavailable("gone"), "startTelling")).toBe(false);
  expect(health.isGood()).toBe(true);
  expect(health.failed(new Error("broken"), "startTelling")).toBe(true);
  expect(health.failed(new Error("broken"), "startTelling")).toBe(false);
  expect(health.failed(new Error("broken"), "startErasure")).toBe(true);
  expect(health.isGood()).toBe(false);
  at += MINUTE_MS;
  expect(health.failed(new Error("broken"), "startTelling")).toBe(true);
  at += FAILING_MS - 1;
  expect(health.isGood()).toBe(false);
  at += 1;
  expect(health.isGood()).toBe(true);
});

it("a batch that broke although each of its commands works alone is reported", async () => {
  const members = [await broker.newMember(), await broker.newMember()];
  let together = 0;
  const before = broker.faults.length;
  await Promise.all(
    members.map((member) =>
      broker.sequencer.submit({
        memberIds: [member],
        decide: (batch) => {
          if (batch.members.length > 1) throw new Error(`broken together ${(together += 1)}`);
        },
      }),
    ),
  );
  await broker.settled();
  expect(together).toBe(1);
  expect(broker.faults.slice(before).map(String)).toEqual(["Error: broken together 1"]);
});
