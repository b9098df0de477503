/** Setup of each test process: ends it with the test runner, even if its test has open servers and threads. */
import process from "node:process";

const end = (): never => process.exit(1);
const SET_UP = Symbol.for("kuroshio.test.worker-setup");

// Once in a process that runs many files.
if (!(SET_UP in process)) {
  Object.assign(process, { [SET_UP]: true });
  process.once("disconnect", end);
}
