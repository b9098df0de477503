/** A server in a process of its own, so that a test can kill it: takes its configuration from the parent, says where it listens. */
import process from "node:process";
import { readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import { startServer } from "#server/server.ts";
import { PATIENT } from "./server.ts";

// Before anything else: who started us may be killed while the database is still being opened.
process.on("disconnect", () => process.exit(1));
if (!process.connected) process.exit(1);
const overrides = JSON.parse(process.argv[2] ?? "{}") as Partial<ServerConfig>;
const server = await startServer({ ...readConfig({}), limits: PATIENT, port: 0, logLevel: "error", ...overrides });
process.on("message", (word) => {
  if (word === "stop") void server.stop().then(() => process.exit(0));
});
process.send?.({ url: server.url });
