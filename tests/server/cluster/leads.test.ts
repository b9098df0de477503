/** Tests that a whole server asks its database whether it leads, at each place where that matters: its calls, its readiness and its figures. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { Metrics } from "#server/kernel/metrics.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

/** Whether the database may be written: the lock is held. */
let holds: boolean;
let metrics: Metrics;
let server: TestServer;

async function start(standby: boolean): Promise<void> {
  const database = await openTestDatabase();
  server = await startTestServer({ standby }, { database: { ...database, writable: () => holds }, metrics });
}

beforeEach(() => {
  holds = true;
  metrics = new Metrics();
});
afterEach(() => server.stop());

async function call(): Promise<[number, number]> {
  const answer = await fetch(server.url + BASE_PATH + endpoints.readConfig.path, { method: "POST", body: JSON.stringify({ type: "all" }) });
  return [answer.status, ((await answer.json()) as { status: number }).status];
}

async function figure(name: string): Promise<string | undefined> {
  return (await metrics.page()).split("\n").find((line) => line.startsWith(`kuroshio_${name} `));
}

const isReady = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;

test("where there are standbys, no call is answered while another server may lead", async () => {
  await start(true);
  expect(await call()).toEqual([200, 1]);
  holds = false;
  expect(await call()).toEqual([503, 0]);
  holds = true;
  expect(await call()).toEqual([200, 1]);
});

test("without standbys nobody else can lead, and reads are answered during an outage", async () => {
  await start(false);
  expect(await call()).toEqual([200, 1]);
  holds = false;
  expect(await call()).toEqual([200, 1]);
});

test("readiness and figures tell whether it leads", async () => {
  await start(true);
  const told = async () => [await isReady(), await figure("serving"), await figure("database_writable")];
  expect(await told()).toEqual([200, "kuroshio_serving 1", "kuroshio_database_writable 1"]);
  holds = false;
  expect(await told()).toEqual([503, "kuroshio_serving 0", "kuroshio_database_writable 0"]);
});
