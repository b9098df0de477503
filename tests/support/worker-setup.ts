/** Setup of each test process: ends it with the test runner, whatever servers and threads its tests have open. */
import process from "node:process";

process.once("disconnect", () => process.exit(1));
