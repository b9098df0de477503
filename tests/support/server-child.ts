/** Entry point of a server process that a test can kill: takes its clock and its configuration from the parent and reports its address. */
import process from "node:process";
import { readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import { startServer } from "#server/server.ts";
import { standBy } from "#server/standby.ts";
import { PATIENT } from "./server.ts";

const TICK_MS = 200;
/** Less than the leader's heartbeat may take. */
const STALL_MS = 1_500;

// Registered first, because the parent may be killed while the database is still opening.
process.on("disconnect", () => process.exit(1));
if (!process.connected) process.exit(1);
// The reader of the log sees by this line what a machine with too much to do explains.
let tickedAt = performance.now();
setInterval(() => {
  const stalledMs = Math.round(performance.now() - tickedAt);
  tickedAt += stalledMs;
  if (stalledMs > STALL_MS) console.log(JSON.stringify({ level: 30, time: Date.now(), stalledMs, msg: "the process stood still" }));
}, TICK_MS).unref();
const [, , ahead, given = "{}"] = process.argv;
const realNow = Date.now;
Date.now = () => realNow() + Number(ahead);
const overrides = JSON.parse(given) as Partial<ServerConfig>;
const config: ServerConfig = { ...readConfig({}), limits: PATIENT, port: 0, logLevel: "error", ...overrides };
const server = await startServer(config, config.standby ? await standBy(config, new AbortController().signal) : {});
void server.db.failed.then((error) => {
  console.error(error.message);
  process.exit(1);
});
process.on("message", (word) => {
  if (word === "stop") void server.stop().then(() => process.exit(0));
});
process.send?.({ url: server.url });
