/** Reads the server's configuration from environment variables, with defaults and a clear message for invalid values. */
import { resolve } from "node:path";
import * as z from "zod/mini";
import type { CodeConfig } from "#server/accounts/code-sender.ts";
import type { DemoAccess } from "#server/api/session-store.ts";
import { isNetwork } from "#server/api/http/address.ts";
import type { TrustProxy } from "#server/api/http/address.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import type { Limits } from "#server/kernel/limits.ts";
import { metricsAddress } from "#server/kernel/metrics.ts";
import type { MetricsAddress } from "#server/kernel/metrics.ts";
import type { FeedChoice } from "#server/venue/feed/open.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import { NO_CONTACT } from "#server/push/push.ts";
import type { PushConfig } from "#server/push/push.ts";
import { HOURS } from "#server/venue/calendar/session-rules.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";

function whole(name: string, least: number, most: number) {
  const wrong = `${name} must be a whole number from ${least} to ${most}`;
  return z.coerce.number(wrong).check(z.int(wrong), z.minimum(least, wrong), z.maximum(most, wrong));
}

function between(name: string, least: number, most: number) {
  const wrong = `${name} must be a number from ${least} to ${most}`;
  return z.coerce.number(wrong).check(z.minimum(least, wrong), z.maximum(most, wrong));
}

function oneOf<const Word extends string>(name: string, words: readonly Word[]) {
  return z.enum(words, `${name} must be one of ${words.join(", ")}`);
}

/** Instrument codes separated by commas or blanks. */
function codes(name: string) {
  const wrong = `${name} must be codes of instruments with commas between them, such as 2330,2317,0050`;
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.split(/[\s,]+/).filter((code) => code !== "")),
    ),
    z.array(z.string().check(z.regex(/^[0-9A-Z]{2,12}$/, wrong))),
  );
}

/** Tells whether a text is the origin of a page; that of an app on iOS has a scheme of its own, whose origins URL does not know. */
const isPageOrigin = (text: string): boolean =>
  /^https?:/.test(text) ? URL.parse(text)?.origin === text : /^capacitor:\/\/[a-z0-9.-]+$/.test(text);

/** Origins of pages, separated by commas or blanks. */
function origins(name: string) {
  const wrong = `${name} must be origins without a path, such as https://localhost capacitor://localhost`;
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.split(/[\s,]+/).filter((origin) => origin !== "")),
    ),
    z.array(z.string().check(z.refine(isPageOrigin, wrong))),
  );
}

/** Number of trusted proxy hops, or the trusted addresses and networks. */
function proxies(name: string) {
  const wrong = `${name} must be a number of proxies from 0 to 16, or their addresses or networks, such as 10.0.0.0/8,::1`;
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((text): TrustProxy => (/^\d+$/.test(text.trim()) ? Number(text) : text.split(/[\s,]+/).filter((part) => part !== ""))),
    ),
    z.union([z.int().check(z.maximum(16, wrong)), z.array(z.string().check(z.refine(isNetwork, wrong)))], wrong),
  );
}

const isRedis = (text: string): boolean => /^rediss?:$/.test(URL.parse(text)?.protocol ?? "");
const isPostgres = (text: string): boolean => /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? "");

const FEEDS = ["simulator", "twse", "fugle", "replay"] as const;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Values of unset variables. */
const DEFAULTS = {
  PORT: "8080",
  HOST: "127.0.0.1",
  TRUST_PROXY: "0",
  APP_ORIGIN: "",
  DATA_DIR: "./data",
  VENUE_HOURS: "always",
  VENUE_RATE: "400",
  FEED: "simulator",
  FEED_CODES: "",
  FUGLE_SUBSCRIPTIONS: "5",
  REPLAY_SPEED: "1",
  PUSH_CONTACT: NO_CONTACT,
  CODE_MAIL_TO: "{mobile}@localhost",
  CODE_MAIL_FROM: "kuroshio@localhost",
  LOG_LEVEL: "info",
};

const Environment = z.object({
  /** 0 lets the system choose a free port. */
  PORT: whole("PORT", 0, 65_535),
  /** The address to listen on; `0.0.0.0` opens the server to the network. */
  HOST: z.string(),
  /** Proxies whose `X-Forwarded-For` is trusted. */
  TRUST_PROXY: proxies("TRUST_PROXY"),
  /** Whether demo members exist; when unset, only if nobody else can reach the server. */
  DEMO_MEMBER: z.optional(oneOf("DEMO_MEMBER", ["on", "off"])),
  /** The origins of the native apps' pages, which may call this server; no other origin may. */
  APP_ORIGIN: origins("APP_ORIGIN"),
  DATA_DIR: z.string(),
  /** A PostgreSQL server to use instead of the embedded database in `DATA_DIR`. */
  DATABASE_URL: z.optional(
    z.string().check(z.refine(isPostgres, "DATABASE_URL must be an address such as postgres://user@host:5432/name")),
  ),
  /** A Redis by which the leader tells the other servers of its database what happens, so that they serve too. */
  REDIS_URL: z.optional(z.string().check(z.refine(isRedis, "REDIS_URL must be an address such as redis://host:6379"))),
  /** Where the other servers reach this one; by default `HOST` and `PORT`, or the machine's name where it listens on every address. */
  SERVER_URL: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => text.startsWith("http:") && URL.parse(text)?.origin === text,
          "SERVER_URL must be such as http://one.example:8080",
        ),
      ),
  ),
  /** Whether this server waits for the one of the same PostgreSQL database to end instead of being refused. */
  STANDBY: z.optional(oneOf("STANDBY", ["on", "off"])),
  VENUE_HOURS: oneOf("VENUE_HOURS", HOURS),
  /** Seed of a market whose future anybody can compute; when unset, a secret seed stored with the data is used. */
  VENUE_SEED: z.optional(whole("VENUE_SEED", 0, 4_294_967_295)),
  /** Quote updates per second over the whole market. */
  VENUE_RATE: whole("VENUE_RATE", 0, 100_000),
  /** Where prices come from. */
  FEED: oneOf("FEED", FEEDS),
  /** Instruments to request from a feed; empty for all it offers. */
  FEED_CODES: codes("FEED_CODES"),
  FUGLE_API_KEY: z.optional(z.string()),
  /** Subscriptions included in the Fugle plan. */
  FUGLE_SUBSCRIPTIONS: whole("FUGLE_SUBSCRIPTIONS", 2, 100_000),
  REPLAY_FILE: z.optional(z.string()),
  REPLAY_SPEED: between("REPLAY_SPEED", 0.01, 1000),
  /** The operator's contact address, which push services see. */
  PUSH_CONTACT: z.string().check(z.regex(/^(?:mailto:\S+@\S+|https:\/\/\S+)$/, "PUSH_CONTACT must be a mailto: or https: address")),
  /** An SMTP server for one-time codes, and the address of the gateway that forwards them to a phone. */
  SMTP_URL: z.optional(z.string().check(z.regex(/^smtps?:\/\/\S+$/, "SMTP_URL must be an address such as smtp://user:password@host:587"))),
  CODE_MAIL_TO: z.string().check(z.regex(/^\S*\{mobile\}\S*@\S+$/, "CODE_MAIL_TO must be a mail address with {mobile} in it")),
  CODE_MAIL_FROM: z.string().check(z.regex(/^\S+@\S+$/, "CODE_MAIL_FROM must be a mail address")),
  /** The address of the figures for Prometheus; none when unset. */
  METRICS: z.optional(
    z
      .string()
      .check(z.refine((text) => metricsAddress(text) !== null, "METRICS must be a port, or an IP address and a port: 0.0.0.0:9464")),
  ),
  /** The key that encrypts photos, 32 bytes in base64; when unset, a file in `DATA_DIR` holds one. */
  PHOTO_KEY: z.optional(z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/, "PHOTO_KEY must be 32 bytes in base64"))),
  /** Whether one-time codes may be shown on the screen that asked for them; when unset, only if nobody else can reach the server. */
  SANDBOX_PHONE: z.optional(oneOf("SANDBOX_PHONE", ["on", "off"])),
  LOG_LEVEL: oneOf("LOG_LEVEL", LOG_LEVELS),
});

/** The configuration of `startServer`. */
export interface ServerConfig {
  port: number;
  host: string;
  trustProxy: TrustProxy;
  demo: DemoAccess;
  /** Origins of the native apps' pages; other pages than these and our own cannot call. */
  appOrigins: readonly string[];
  limits: Limits;
  /** Absolute path of the embedded database's folder; null keeps it in memory. */
  dataDir: string | null;
  databaseUrl: string | null;
  /** Whether to wait while another server holds the PostgreSQL database. */
  standby: boolean;
  /** A Redis that joins the servers of a PostgreSQL database; null for none. */
  redisUrl: string | null;
  /** Where the other servers reach this one; null for its own address. */
  serverUrl: string | null;
  /** PostgreSQL schema; null for the default one. */
  databaseSchema: string | null;
  /** Commands per member and second; null uses the setting in the database. */
  commandsPerSecond: number | null;
  /** Absolute path of the built client. */
  clientDir: string;
  /** The sandbox market; a null seed means the secret one stored with the data. `codes` lists only some instruments (tests). */
  venue: {
    seed: Seed | null;
    rate: number;
    hours: Hours;
    codes?: readonly string[] | undefined;
    newIssues?: boolean | undefined;
    bookClosures?: boolean | undefined;
  };
  /** Source of prices; the sandbox market by default. */
  feed: FeedChoice;
  /** Web Push. */
  push: PushConfig;
  /** The key that encrypts photos; null for the one in the data folder. */
  photoKey: Buffer | null;
  /** How one-time codes are sent. */
  codes: CodeConfig;
  /** Address of the figures for Prometheus; null for none. */
  metrics: MetricsAddress | null;
  logLevel: (typeof LOG_LEVELS)[number];
}

/** Thrown for invalid variables; the message names each one and its valid values. */
export class BadEnvironment extends Error {}

/** The configured feed. @throws BadEnvironment when a variable it needs is missing */
function feedOf(environment: z.infer<typeof Environment>): FeedChoice {
  const { FEED, FEED_CODES, FUGLE_API_KEY, FUGLE_SUBSCRIPTIONS, REPLAY_FILE, REPLAY_SPEED } = environment;
  switch (FEED) {
    case "simulator":
      return { kind: FEED };
    case "twse":
      return { kind: FEED, codes: FEED_CODES };
    case "fugle":
      if (FUGLE_API_KEY === undefined) throw new BadEnvironment("FEED=fugle needs the key of the service in FUGLE_API_KEY");
      return { kind: FEED, apiKey: FUGLE_API_KEY, subscriptions: FUGLE_SUBSCRIPTIONS, codes: FEED_CODES };
    case "replay":
      if (REPLAY_FILE === undefined) throw new BadEnvironment("FEED=replay needs a file of recorded ticks in REPLAY_FILE");
      return { kind: FEED, file: resolve(REPLAY_FILE), speed: REPLAY_SPEED };
  }
}

/** Tells whether other machines can reach the server, by its address or through a proxy. */
const isOpen = (host: string, trust: TrustProxy): boolean => trust !== 0 || !/^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/i.test(host);

/** Demo members exist by default only where nobody else can use them; elsewhere they must be enabled, and are shared. */
function demoOf(open: boolean, wanted: "on" | "off" | undefined): DemoAccess {
  if (wanted === "off" || (open && wanted === undefined)) return "off";
  return open ? "shared" : "private";
}

/** Reads the configuration. Empty variables count as unset. @throws BadEnvironment that names each invalid variable */
export function readConfig(environment: Record<string, string | undefined>): ServerConfig {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""));
  const read = Environment.safeParse({ ...DEFAULTS, ...given });
  if (!read.success) throw new BadEnvironment(read.error.issues.map((issue) => issue.message).join("; "));
  const {
    PORT,
    HOST,
    TRUST_PROXY,
    DEMO_MEMBER,
    APP_ORIGIN,
    DATA_DIR,
    DATABASE_URL,
    REDIS_URL,
    SERVER_URL,
    STANDBY,
    VENUE_HOURS,
    VENUE_SEED,
    VENUE_RATE,
    PUSH_CONTACT,
    SMTP_URL,
    CODE_MAIL_TO,
    CODE_MAIL_FROM,
    SANDBOX_PHONE,
    METRICS,
    PHOTO_KEY,
    LOG_LEVEL,
  } = read.data;
  if (STANDBY === "on" && DATABASE_URL === undefined) throw new BadEnvironment("STANDBY=on needs a PostgreSQL database in DATABASE_URL");
  if (REDIS_URL !== undefined && DATABASE_URL === undefined)
    throw new BadEnvironment("REDIS_URL joins servers of one PostgreSQL database: set DATABASE_URL too");
  if (REDIS_URL !== undefined && STANDBY === "off")
    throw new BadEnvironment("STANDBY=off does not go with REDIS_URL, by which servers follow one another: leave one of them out");
  if (SERVER_URL !== undefined && REDIS_URL === undefined)
    throw new BadEnvironment("SERVER_URL is for servers that follow one another: set REDIS_URL too, or leave it out");
  return {
    port: PORT,
    host: HOST,
    trustProxy: TRUST_PROXY,
    demo: demoOf(isOpen(HOST, TRUST_PROXY), DEMO_MEMBER),
    appOrigins: APP_ORIGIN,
    limits: LIMITS,
    dataDir: resolve(DATA_DIR),
    databaseUrl: DATABASE_URL ?? null,
    databaseSchema: null,
    redisUrl: REDIS_URL ?? null,
    serverUrl: SERVER_URL ?? null,
    standby: STANDBY === "on" || REDIS_URL !== undefined,
    commandsPerSecond: null,
    clientDir: resolve(import.meta.dirname, "..", "dist"),
    venue: { seed: VENUE_SEED ?? null, rate: VENUE_RATE, hours: VENUE_HOURS, newIssues: true, bookClosures: true },
    feed: feedOf(read.data),
    push: { contact: PUSH_CONTACT, allowLoopback: false },
    photoKey: PHOTO_KEY === undefined ? null : Buffer.from(PHOTO_KEY, "base64"),
    codes: {
      smtpUrl: SMTP_URL ?? null,
      to: CODE_MAIL_TO,
      from: CODE_MAIL_FROM,
      sandboxPhone: SANDBOX_PHONE === undefined ? !isOpen(HOST, TRUST_PROXY) : SANDBOX_PHONE === "on",
    },
    metrics: METRICS === undefined ? null : metricsAddress(METRICS),
    logLevel: LOG_LEVEL,
  };
}
