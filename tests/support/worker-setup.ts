/**
 * Setup of each test process: ends it with the test runner, even if its test has open servers and threads. And of each test file: no server may
 * log an error that its test does not explain.
 */
import process from "node:process";
import { afterAll, afterEach } from "vitest";
import { checkServerLogs } from "./server-log.ts";

const end = (): never => process.exit(1);
const SET_UP = Symbol.for("kuroshio.test.worker-setup");

// Once in a process that runs many files.
if (!(SET_UP in process)) {
  Object.assign(process, { [SET_UP]: true });
  process.once("disconnect", end);
}

afterEach(checkServerLogs);
// What is logged at the end, after the last test.
afterAll(checkServerLogs);
