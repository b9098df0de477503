/** Setup of each test process: ends it with the test runner, even if its test has open servers and threads. */
import process from "node:process";

process.once("disconnect", () => process.exit(1));
