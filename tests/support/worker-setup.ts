/** In each process of the test runner: it ends with the runner, whatever servers and threads its test has open. */
import process from "node:process";

process.once("disconnect", () => process.exit(1));
