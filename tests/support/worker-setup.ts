/** In each process of the test runner: it ends with the runner, whatever servers and threads its test has open. */
import process from "node:process";

const end = (): never => process.exit(1);
const SET_UP = Symbol.for("kuroshio.test.worker-setup");

// Once in a process that runs many files.
if (!(SET_UP in process)) {
  Object.assign(process, { [SET_UP]: true });
  process.once("disconnect", end);
}
