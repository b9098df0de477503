/** Process of the benchmark of starts: opens the venue, or a whole server with all it loads, and reports the size of its market and the CPU seconds. */
import process from "node:process";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { startTestServer } from "#tests/support/server.ts";
import { taipei } from "#tests/support/taipei-time.ts";

/** A market around the clock, most of whose day is over. */
const STARTS_AT = taipei("2026-12-03T14:20:00");
const MARKET = { seed: 1, hours: "always", rate: 400, newIssues: true, bookClosures: true } as const;

const ahead = STARTS_AT - Date.now();
const realNow = Date.now;
Date.now = () => realNow() + ahead;

async function start(): Promise<number> {
  if (process.argv[2] === "venue") return openVenue(MARKET).instruments.length;
  const server = await startTestServer({ venue: { ...MARKET, codes: undefined } });
  return server.venue.instruments.length;
}

/** CPU seconds of the process so far. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

// A server is all that its process loads. Creating the tables of an empty database is no part of its start.
const isServer = process.argv[2] === "server";
const loading = isServer ? cpu() : 0;
if (isServer) await openTestDatabase();
const before = cpu() - loading;
const from = performance.now();
const rows = await start();
process.send?.({ rows, cpu: cpu() - before, seconds: (performance.now() - from) / 1_000 }, () => process.exit());
