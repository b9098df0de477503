/** The HTTP application: every endpoint of the contract, the OpenAPI document and the built client, with one envelope for every error. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Hono } from "hono";
import type { Context } from "hono";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import type { Logger } from "pino";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH, DEVICE_HEADER } from "#contract/kernel/endpoint.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import { servedBy } from "#contract/served-by.ts";
import type { FollowerHandlers, Handlers } from "./handler.ts";
import { openSecurityLog } from "#server/kernel/security-log.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { SessionStore } from "./session-store.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { openFailureLog } from "#server/kernel/failure-log.ts";
import type { LogFailure } from "#server/kernel/failure-log.ts";
import { addressFinder, tlsFinder } from "#server/api/http/address.ts";
import type { AddressOf, OverTls } from "#server/api/http/address.ts";
import { DATA_HEADERS, STRICT_TRANSPORT } from "#server/api/http/data-headers.ts";
import { answerCall, refuseEarly } from "#server/api/http/call.ts";
import type { CallOptions, Env } from "#server/api/http/call.ts";
import { openClient } from "#server/api/http/client-files.ts";
import { mountHealth } from "#server/api/http/health.ts";
import type { Notice, Readiness } from "#server/api/http/health.ts";
import { openApi } from "#server/api/http/openapi.ts";
import type { Forward } from "#server/api/http/forward.ts";
import { openPacker } from "#server/api/http/packed-reply.ts";
import { CallRates, hasCommandRate } from "#server/api/http/read-rate.ts";
import { refused } from "#server/api/http/reply.ts";
import type { CallOutcome } from "#server/kernel/metrics.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import type { Limits } from "#server/kernel/limits.ts";

/** Shorter replies are sent uncompressed. */
const COMPRESS_FROM_BYTES = 8 * 1024;

export interface HttpOptions {
  handlers: Handlers | FollowerHandlers;
  /** On a follower: sends what the leader serves on to it. */
  forward?: Forward;
  /** On a leader with standbys: whether it leads still. Otherwise another server may know more, and this one answers nothing. */
  leads?: (() => boolean) | undefined;
  sessions: Pick<SessionStore, "find" | "holds" | "whyEnded">;
  /** Folder of the built client. */
  clientDir: string;
  log: Logger;
  /** Answers `/readyz`; without it neither `/readyz` nor `/healthz` is mounted. */
  readiness?: () => Promise<Readiness & Partial<Notice>>;
  limits?: Limits;
  /** Client address of a request; the connection's address by default. */
  addressOf?: AddressOf;
  /** Whether a request came over TLS; never by default. */
  overTls?: OverTls;
  /** Origins of the native apps' pages; no other page of another origin can call. */
  appOrigins?: readonly string[];
  security?: NoteSecurity;
  logFailure?: LogFailure;
  /** Told of every answered call, with the milliseconds it took. */
  observe?: ((endpoint: EndpointName, kind: "read" | "command", outcome: CallOutcome, ms: number) => void) | undefined;
}

const gzipAsync = promisify(gzip);

async function send(c: Context<Env>, reply: Reply<unknown>, http: 200 | 401 | 404 | 429 | 503): Promise<Response> {
  const text = JSON.stringify(reply);
  const headers = { ...DATA_HEADERS, "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  if (text.length < COMPRESS_FROM_BYTES || !/\bgzip\b/.test(c.req.header("accept-encoding") ?? "")) return c.body(text, http, headers);
  const body = new Uint8Array(await gzipAsync(text, { level: 4 }));
  return c.body(body, http, { ...headers, "content-encoding": "gzip", vary: "accept-encoding" });
}

/** Endpoints whose answer is the same object until it changes, so that it is serialised and compressed once. */
const SHARED: ReadonlySet<EndpointName> = new Set(["listInstruments"]);

type SendPacked = ReturnType<typeof openPacker>;

/** A busy system does not say what became of a call; every other refusal does. */
const outcomeOf = (reply: Reply<unknown>): CallOutcome =>
  reply.status === 1 ? "accepted" : reply.code === "GEN_SYSTEM_BUSY" ? "failed" : "refused";

function mountEndpoints(
  app: Hono<Env>,
  { log, observe, forward, leads = () => true }: Pick<HttpOptions, "log" | "observe" | "forward" | "leads">,
  sendPacked: SendPacked,
  options: CallOptions,
): void {
  for (const [key, endpoint] of Object.entries(endpoints)) {
    const name = key as EndpointName;
    app.post(BASE_PATH + endpoint.path, async (c) => {
      if (forward && servedBy[name] === "leader") {
        const refuse = async (): Promise<Response | null> => {
          const early = await refuseEarly(c, name, endpoint, options);
          return early && send(c, early.reply, early.http);
        };
        // Without an answer of the leader the outcome is unknown: the client asks again, with the same id.
        return (await forward(c, endpoint, refuse)) ?? send(c, refused("GEN_SYSTEM_BUSY"), 503);
      }
      if (!leads()) return send(c, refused("GEN_SYSTEM_BUSY"), 503);
      const startedAt = performance.now();
      const { reply, http } = await answerCall(c, name, endpoint, options);
      // It may have stood still meanwhile.
      if (!leads()) return send(c, refused("GEN_SYSTEM_BUSY"), 503);
      const ms = performance.now() - startedAt;
      log.debug({ endpoint: name, ms: Math.round(ms), code: "code" in reply ? reply.code : "OK" });
      observe?.(name, hasCommandRate(endpoint) ? "command" : "read", outcomeOf(reply), ms);
      return SHARED.has(name) && reply.status === 1 ? sendPacked(c, reply, reply.data as object) : send(c, reply, http);
    });
  }
}

/** The OpenAPI document: large, so packed once and counted as a read. */
function mountOpenApi(app: Hono<Env>, sendPacked: SendPacked, { rates, addressOf }: Pick<CallOptions, "rates" | "addressOf">): void {
  const page = openApi();
  app.get(`${BASE_PATH}/openapi.json`, async (c) => {
    try {
      await rates.read(c.env?.incoming === undefined ? "" : addressOf(c.env.incoming));
    } catch (error) {
      if (error instanceof Refusal) return send(c, refused("GEN_TOO_FREQUENT"), 429);
      throw error;
    }
    return sendPacked(c, page);
  });
}

/** Security headers of pages: own origin only, the inline boot script by hash; inline styles are allowed because the chart writes some. */
function pagePolicy(scriptHashes: string[]): Parameters<typeof secureHeaders>[0] {
  return {
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...scriptHashes],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", "data:", "blob:"],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: "DENY",
    referrerPolicy: "no-referrer",
    permissionsPolicy: PERMISSIONS,
    strictTransportSecurity: STRICT_TRANSPORT,
  };
}

/** Device features denied to our pages and everything they load. */
const PERMISSIONS = { camera: [], geolocation: [], microphone: [], payment: [], usb: [], serial: [], displayCapture: [] };

/** Calls of the native apps: session and device are in headers, so no cookie of another site is ever accepted. */
const allowApps = (origins: readonly string[]) =>
  cors({
    origin: [...origins],
    allowMethods: ["POST"],
    allowHeaders: ["content-type", "token", "account", DEVICE_HEADER],
    exposeHeaders: [DEVICE_HEADER],
    maxAge: 86_400,
  });

/** Builds the application; its `fetch` works on Node, in tests and behind mocks. */
export function createHttp(options: HttpOptions): Hono<Env> {
  const { handlers, sessions, log, limits = LIMITS, addressOf = addressFinder(0), overTls = tlsFinder(0) } = options;
  const { security = openSecurityLog(log), logFailure = openFailureLog(log) } = options;
  const app = new Hono<Env>();
  const client = openClient(options.clientDir);
  const pageHeaders = secureHeaders(pagePolicy(client.scriptHashes));
  if (options.appOrigins?.length) app.use(`${BASE_PATH}/*`, allowApps(options.appOrigins));
  const rates = new CallRates(limits);
  const sendPacked = openPacker();
  mountEndpoints(app, options, sendPacked, {
    handlers,
    sessions,
    rates,
    addressOf,
    overTls,
    appOrigins: options.appOrigins ?? [],
    security,
    logFailure,
  });
  mountOpenApi(app, sendPacked, { rates, addressOf });
  if (options.readiness) mountHealth(app, options.readiness);
  app.all("/api/*", (c) => send(c, refused("GEN_NOT_FOUND"), 404));
  app.get("*", pageHeaders, async (c) => {
    const headers = { accept: c.req.header("accept-encoding") ?? "", etag: c.req.header("if-none-match") ?? "" };
    const found = await client.answer(c.req.path, headers);
    return found ?? c.text(c.req.path === "/" ? "The client is not built yet: npm start builds it." : "Not found", 404);
  });
  app.onError((error, c) => {
    logFailure(error, "a request failed");
    return send(c, refused("GEN_SYSTEM_BUSY"), 200);
  });
  return app;
}
