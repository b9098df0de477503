/** Entry point of the server: reads the environment, starts, prints the address and the demo sign-in, and shuts down in order. */
import process from "node:process";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { hasFollowers } from "#server/cluster/has-followers.ts";
import { BadEnvironment, readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import { StandbyStopped } from "#server/db/leadership.ts";
import { describePlace } from "#server/db/database.ts";
import { DEMO_GUARANTEE_CODE, DEMO_INVITATION, DEMO_MEMBER, DEMO_PASSWORD } from "#server/ops/seed.ts";
import { Metrics, serveMetrics } from "#server/kernel/metrics.ts";
import { startServer } from "#server/server.ts";
import type { Given, RunningServer } from "#server/server.ts";
import { standBy } from "#server/standby.ts";
import { startFailure } from "#server/start-failure.ts";

/** A shutdown that takes longer than this is aborted. */
const STOP_LIMIT_MS = 15 * SECOND_MS;

/** The banner's line about the source of prices. */
function describePrices({ venue }: RunningServer, { feed, venue: { seed } }: ServerConfig): string {
  if (feed.kind === "simulator") {
    const known =
      seed === null ? "" : `\n  VENUE_SEED=${seed} is a named market: anybody can work out its future prices. For tests and demos only.`;
    return `A sandbox: prices are simulated and no real money moves.${known}`;
  }
  const prices = feed.kind === "replay" ? "are a recording" : `come from FEED=${feed.kind}`;
  return `Prices ${prices}${venue.state(Date.now()).simulated ? " of a simulation" : ""}; orders are paper, and no real money moves.`;
}

/** The banner's lines about the demo sign-in, or why there is none. */
function describeSignIn({ demo }: ServerConfig): string {
  if (demo === "off")
    return `Demo sign-in      none: others can reach this server, and the demo member's secrets are
                    public. DEMO_MEMBER=on makes one that visitors share,
                    npm run ops -- member create … makes a member.`;
  return `Demo sign-in      ID number       ${DEMO_MEMBER.idNumber}
                    password        ${DEMO_PASSWORD}
                    guarantee code  ${DEMO_GUARANTEE_CODE}
                    invitation code for new accounts  ${DEMO_INVITATION}${demo === "shared" ? "\n                    Everybody who reaches this server can use it." : ""}`;
}

function printBanner(server: RunningServer, config: ServerConfig): void {
  const { url } = server;
  console.log(`
  Kuroshio is open at ${url}

  ${describeSignIn(config)}
  Data              ${describePlace({ ...config, databaseUrl: config.databaseUrl ?? undefined })}
  API               ${url}/api/vue/openapi.json

  ${describePrices(server, config)}
  Stop with Ctrl+C.
`);
}

/** Calls `stop` at the first signal to end. @returns a function that listens no longer */
function onSignal(stop: () => void): () => void {
  // Without the launcher nobody else would stop us: the IPC channel closes when it is killed.
  const events = ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"] as const;
  const off = (): void => events.forEach((event) => void process.off(event, first));
  // The terminal and the launcher may both send the signal; what the second would do by default is not done.
  let isFirst = true;
  const first = (): void => {
    if (isFirst) stop();
    isFirst = false;
  };
  for (const event of events) process.on(event, first);
  return off;
}

function stopOnSignals(server: RunningServer): void {
  onSignal(() => {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    void server.stop().then(() => process.exit(0));
  });
}

/** Serves the figures, if they are wanted. A standby has them too. */
async function openMetrics({ metrics: address }: ServerConfig): Promise<Metrics | null> {
  if (address === null) return null;
  const metrics = new Metrics();
  metrics.gauge("serving", "1 on the leader, 0 on standbys", () => 0);
  const port = await serveMetrics(metrics, address).catch((error: Error) => {
    throw new BadEnvironment(`METRICS cannot be served at ${address.host}:${address.port}: ${error.message}`);
  });
  console.log(`\n  Figures for Prometheus are at http://${address.host}:${port}/metrics`);
  return metrics;
}

/** Waits as a standby, if this is to be one. @returns what to begin with */
async function turnOf(config: ServerConfig, metrics: Metrics | null): Promise<Given> {
  if (!config.standby) return {};
  const stopped = new AbortController();
  const off = onSignal(() => stopped.abort());
  console.log(`\n  Kuroshio ${hasFollowers(config) ? "follows" : "stands by"}: it leads when the leader of its database has ended.\n`);
  try {
    return await standBy(config, stopped.signal, metrics);
  } finally {
    off();
  }
}

/** Exits when the database is lost for good, so that the supervisor restarts the server. */
function exitWithDatabase({ db }: RunningServer): void {
  void db.failed.then((error) => {
    console.error(error.message);
    process.exit(1);
  });
}

let config: ServerConfig | null = null;
try {
  config = readConfig(process.env);
  const metrics = await openMetrics(config);
  const server = await startServer(config, { ...(await turnOf(config, metrics)), metrics });
  stopOnSignals(server);
  exitWithDatabase(server);
  printBanner(server, config);
} catch (error) {
  if (error instanceof StandbyStopped) process.exit(0);
  console.error(startFailure(error, config) ?? error);
  process.exit(1);
}
