/** `npm start` ends here: the server as the environment describes it, a few words about where it is, and an orderly end. */
import process from "node:process";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { BadEnvironment, readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import { DataDirInUse } from "#server/db/lock.ts";
import { DEMO_GUARANTEE_CODE, DEMO_MEMBER, DEMO_PASSWORD } from "#server/ops/seed.ts";
import { PortInUse, startServer } from "#server/server.ts";
import type { RunningServer } from "#server/server.ts";
import { FeedFailed } from "#server/venue/feed/port.ts";

/** An end that takes longer than this has gone wrong. */
const STOP_LIMIT_MS = 15 * SECOND_MS;

/** Where the data lies, without the secret an address may hold. */
function whereData(config: ServerConfig): string {
  if (config.databaseUrl === null) return config.dataDir ?? "memory";
  const { protocol, host, pathname } = new URL(config.databaseUrl);
  return `${protocol}//${host}${pathname}`;
}

/** What the prices are, for whoever started the server. */
function whatPrices({ venue }: RunningServer, { feed, venue: { seed } }: ServerConfig): string {
  if (feed.kind === "simulator") {
    const known =
      seed === null ? "" : `\n  VENUE_SEED=${seed} is a named market: anybody can work out its future prices. For tests and demos only.`;
    return `A sandbox: prices are simulated and no real money moves.${known}`;
  }
  const prices = feed.kind === "replay" ? "are a recording" : `come from FEED=${feed.kind}`;
  return `Prices ${prices}${venue.state(Date.now()).simulated ? " of a simulation" : ""}; orders are paper, and no real money moves.`;
}

function introduce(server: RunningServer, config: ServerConfig): void {
  const { url } = server;
  console.log(`
  Kuroshio is open at ${url}

  Demo sign-in      ID number       ${DEMO_MEMBER.idNumber}
                    password        ${DEMO_PASSWORD}
                    guarantee code  ${DEMO_GUARANTEE_CODE}
  Data              ${whereData(config)}
  API               ${url}/api/vue/openapi.json

  ${whatPrices(server, config)}
  Stop with Ctrl+C.
`);
}

function stopOnSignals(server: RunningServer): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    // Terminal and launcher may both say it; saying it again changes nothing.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    await server.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
  // The launcher's channel breaks when it is killed: then nobody is left to stop us.
  process.on("disconnect", () => void stop());
}

try {
  const config = readConfig(process.env);
  const server = await startServer(config);
  stopOnSignals(server);
  introduce(server, config);
} catch (error) {
  const expected =
    error instanceof BadEnvironment || error instanceof PortInUse || error instanceof DataDirInUse || error instanceof FeedFailed;
  console.error(expected ? error.message : error);
  process.exit(1);
}
