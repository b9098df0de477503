/** Tests that a test fails by what a server logs as an error, unless a fault that it causes explains it. */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { readConfig } from "#server/config.ts";
import { openFailureLog } from "#server/kernel/failure-log.ts";
import { openLog } from "#server/kernel/log.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import { checkServerLogs, forkServer, occurs, watchOutput } from "./server-log.ts";

let output: PassThrough;
beforeEach(() => {
  output = new PassThrough();
  watchOutput(output, 0);
});

/** Logs as a server does; resolves when it has been read. */
async function fail(error: unknown, message = "a command failed"): Promise<void> {
  openFailureLog(openLog("error", output))(error, message);
  await wait(10);
}

const outage = () => new DatabaseUnavailable("the database does not answer: read ECONNRESET");

test("an error that nothing explains fails one test, and not the next one", async () => {
  await fail(new Error("the venue has stopped"), "a call failed");
  await expect(checkServerLogs()).rejects.toThrow("a call failed: Error the venue has stopped");
  await checkServerLogs();
});

test("what is no error fails nothing", async () => {
  openLog("info", output).warn("it is slow");
  output.write("a line of text\n{ not JSON\n");
  await wait(10);
  await checkServerLogs();
});

test("a fault explains its own errors alone, from its beginning to the end of its test", async () => {
  await fail(outage());
  await wait(5);
  occurs("database");
  await expect(checkServerLogs()).rejects.toThrow("1 errors");
  // What is logged in the millisecond in which a test ends is of that test.
  await wait(5);
  occurs("redis");
  await fail(outage());
  await expect(checkServerLogs()).rejects.toThrow("read ECONNRESET");
  occurs("database");
  await fail(outage());
  await checkServerLogs();
  await wait(5);
  await fail(outage());
  await expect(checkServerLogs()).rejects.toThrow("read ECONNRESET");
});

test("what was logged in time and is read later is explained, by the clock of a server that is ahead", async () => {
  const aheadMs = 3_600_000;
  const late = new PassThrough();
  watchOutput(late, aheadMs);
  occurs("database");
  const time = Date.now() + aheadMs;
  await wait(5);
  await checkServerLogs();
  const line = { level: 50, time, reason: outage().message, msg: "the database does not answer" };
  late.write(`${JSON.stringify(line)}\n`);
  await wait(10);
  await checkServerLogs();
});

test("a process that stood still by itself explains what it noticed then, and nothing else", async () => {
  await fail(outage());
  await fail(new Error("the venue has stopped"));
  output.write(`${JSON.stringify({ level: 30, time: Date.now(), stalledMs: 2_000, msg: "the process stood still" })}\n`);
  await wait(10);
  await expect(checkServerLogs()).rejects.toThrow(/1 errors[^]*the venue has stopped/);
});

test("a server that fails fails its test, with what it said last", async () => {
  // Nobody answers there.
  const child = forkServer({ ...readConfig({}), dataDir: null, databaseUrl: "postgres://nobody@127.0.0.1:1/none" }, 0);
  await once(child, "exit");
  await expect(checkServerLogs()).rejects.toThrow(/ended with 1: [\s\S]*ECONNREFUSED/);
}, 60_000);

test("a server that is killed is not one that fails", async () => {
  const child = forkServer({ ...readConfig({}), dataDir: null, databaseUrl: "postgres://nobody@127.0.0.1:1/none" }, 0);
  child.kill("SIGKILL");
  await once(child, "exit");
  await checkServerLogs();
});
