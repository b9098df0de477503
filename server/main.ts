/** `npm start` ends here: the server as the environment describes it, a few words about where it is, and an orderly end. */
import process from "node:process";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import { describePlace } from "#server/db/database.ts";
import { DEMO_GUARANTEE_CODE, DEMO_MEMBER, DEMO_PASSWORD } from "#server/ops/seed.ts";
import { startServer } from "#server/server.ts";
import type { RunningServer } from "#server/server.ts";
import { startFailure } from "#server/start-failure.ts";

/** An end that takes longer than this has gone wrong. */
const STOP_LIMIT_MS = 15 * SECOND_MS;

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

/** How to sign in, or why nobody can as the demo member. */
function whoSignsIn({ demo }: ServerConfig): string {
  if (demo === "off")
    return `Demo sign-in      none: others can reach this server, and the demo member's secrets are
                    public. DEMO_MEMBER=on makes one that visitors share.`;
  return `Demo sign-in      ID number       ${DEMO_MEMBER.idNumber}
                    password        ${DEMO_PASSWORD}
                    guarantee code  ${DEMO_GUARANTEE_CODE}${demo === "shared" ? "\n                    Everybody who reaches this server can use it." : ""}`;
}

function introduce(server: RunningServer, config: ServerConfig): void {
  const { url } = server;
  console.log(`
  Kuroshio is open at ${url}

  ${whoSignsIn(config)}
  Data              ${describePlace({ ...config, databaseUrl: config.databaseUrl ?? undefined })}
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

/** Without its database the server can only refuse: whoever started it starts it again. */
function endWithDatabase({ db }: RunningServer): void {
  void db.failed.then((error) => {
    console.error(error.message);
    process.exit(1);
  });
}

let config: ServerConfig | null = null;
try {
  config = readConfig(process.env);
  const server = await startServer(config);
  stopOnSignals(server);
  endWithDatabase(server);
  introduce(server, config);
} catch (error) {
  console.error(startFailure(error, config) ?? error);
  process.exit(1);
}
