/** What the environment decides: every variable the server reads, its default, and a clear word when one makes no sense. */
import { resolve } from "node:path";
import * as z from "zod/mini";

function whole(name: string, least: number, most: number) {
  const wrong = `${name} must be a whole number from ${least} to ${most}`;
  return z.coerce.number(wrong).check(z.int(wrong), z.minimum(least, wrong), z.maximum(most, wrong));
}

function oneOf<const Word extends string>(name: string, words: readonly Word[]) {
  return z.enum(words, `${name} must be one of ${words.join(", ")}`);
}

const HOURS = ["always", "taiwan"] as const;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** What an unset variable means. */
const DEFAULTS = {
  PORT: "8080",
  HOST: "127.0.0.1",
  DATA_DIR: "./data",
  VENUE_HOURS: "always",
  VENUE_SEED: "1",
  VENUE_RATE: "400",
  LOG_LEVEL: "info",
};

const Environment = z.object({
  /** 0 asks the system for a free port. */
  PORT: whole("PORT", 0, 65_535),
  /** The address to listen on; `0.0.0.0` opens the server to the network. */
  HOST: z.string(),
  DATA_DIR: z.string(),
  /** A PostgreSQL to use instead of the embedded one in `DATA_DIR`. */
  DATABASE_URL: z.optional(z.string()),
  VENUE_HOURS: oneOf("VENUE_HOURS", HOURS),
  VENUE_SEED: whole("VENUE_SEED", 0, 4_294_967_295),
  /** Quote updates per second over the whole market. */
  VENUE_RATE: whole("VENUE_RATE", 0, 100_000),
  LOG_LEVEL: oneOf("LOG_LEVEL", LOG_LEVELS),
});

/** Everything `startServer` needs to know. */
export interface ServerConfig {
  port: number;
  host: string;
  /** Absolute path of the folder the embedded database lives in; null keeps it in memory. */
  dataDir: string | null;
  databaseUrl: string | null;
  /** A schema of its own in PostgreSQL; null for the usual one. */
  databaseSchema: string | null;
  /** Commands of one member in a second; null leaves it to the settings. */
  commandsPerSecond: number | null;
  /** Absolute path of the built client. */
  clientDir: string;
  venue: { seed: number; rate: number; hours: (typeof HOURS)[number] };
  logLevel: (typeof LOG_LEVELS)[number];
}

/** Thrown with the name of each variable that makes no sense, and what would. */
export class BadEnvironment extends Error {}

/** Read the configuration. Empty variables count as unset. Throws BadEnvironment that names the variable which makes no sense. */
export function readConfig(environment: Record<string, string | undefined>): ServerConfig {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""));
  const read = Environment.safeParse({ ...DEFAULTS, ...given });
  if (!read.success) throw new BadEnvironment(read.error.issues.map((issue) => issue.message).join("; "));
  const { PORT, HOST, DATA_DIR, DATABASE_URL, VENUE_HOURS, VENUE_SEED, VENUE_RATE, LOG_LEVEL } = read.data;
  return {
    port: PORT,
    host: HOST,
    dataDir: resolve(DATA_DIR),
    databaseUrl: DATABASE_URL ?? null,
    databaseSchema: null,
    commandsPerSecond: null,
    clientDir: resolve(import.meta.dirname, "..", "dist"),
    venue: { seed: VENUE_SEED, rate: VENUE_RATE, hours: VENUE_HOURS },
    logLevel: LOG_LEVEL,
  };
}
