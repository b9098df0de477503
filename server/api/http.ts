/** The broker over HTTP: every endpoint of the contract, its OpenAPI page, and the built client, with one answer for every mistake. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Hono } from "hono";
import type { Context } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Logger } from "pino";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Accepted, Reply } from "#contract/kernel/reply.ts";
import type { Handlers } from "./handler.ts";
import { openSecurityLog } from "#server/kernel/security-log.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { SessionStore } from "./session-store.ts";
import { openFailureLog } from "#server/kernel/failure-log.ts";
import type { LogFailure } from "#server/kernel/failure-log.ts";
import { addressFinder } from "#server/api/http/address.ts";
import type { AddressOf } from "#server/api/http/address.ts";
import { answerCall } from "#server/api/http/call.ts";
import type { CallOptions, Env } from "#server/api/http/call.ts";
import { openClient } from "#server/api/http/client-files.ts";
import { mountHealth } from "#server/api/http/health.ts";
import type { Readiness } from "#server/api/http/health.ts";
import { openApi } from "#server/api/http/openapi.ts";
import { openPacker } from "#server/api/http/packed-reply.ts";
import { CallRates } from "#server/api/http/read-rate.ts";
import { refused } from "#server/api/http/reply.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import type { Limits } from "#server/kernel/limits.ts";

/** Replies shorter than this travel as they are. */
const COMPRESS_FROM_BYTES = 8 * 1024;

export interface HttpOptions {
  handlers: Handlers;
  sessions: Pick<SessionStore, "find">;
  /** Folder of the built client. */
  clientDir: string;
  log: Logger;
  /** What `/readyz` asks; without it there are no addresses for supervisors. */
  readiness?: () => Promise<Readiness>;
  limits?: Limits;
  /** Where a request comes from; its connection's address unless said otherwise. */
  addressOf?: AddressOf;
  security?: NoteSecurity;
  logFailure?: LogFailure;
}

const squeeze = promisify(gzip);

async function send(c: Context<Env>, reply: Reply<unknown>, http: 200 | 401 | 404 | 503): Promise<Response> {
  const text = JSON.stringify(reply);
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  if (text.length < COMPRESS_FROM_BYTES || !/\bgzip\b/.test(c.req.header("accept-encoding") ?? "")) return c.body(text, http, headers);
  const body = new Uint8Array(await squeeze(text, { level: 4 }));
  return c.body(body, http, { ...headers, "content-encoding": "gzip", vary: "accept-encoding" });
}

/** Answers that are the same object until they change. */
const SHARED: ReadonlySet<EndpointName> = new Set(["listInstruments"]);

function mountEndpoints(app: Hono<Env>, log: Logger, options: CallOptions): void {
  const sendPacked = openPacker();
  for (const [key, endpoint] of Object.entries(endpoints)) {
    const name = key as EndpointName;
    app.post(BASE_PATH + endpoint.path, async (c) => {
      const startedAt = performance.now();
      const { reply, http } = await answerCall(c, name, endpoint, options);
      log.debug({ endpoint: name, ms: Math.round(performance.now() - startedAt), code: "code" in reply ? reply.code : "OK" });
      return SHARED.has(name) && reply.status === 1 ? sendPacked(c, reply as Accepted<object>) : send(c, reply, http);
    });
  }
}

/** For this host alone: what else lives below its domain is not ours to decide. */
const STRICT_TRANSPORT = "max-age=15552000";

/** What a page of ours may load: its own origin, its inline theme script by hash; styles may be inline (the chart writes some). */
function policy(scriptHashes: string[]): Parameters<typeof secureHeaders>[0] {
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

/** What a page of ours asks of the device; whatever it loads gets no more. */
const PERMISSIONS = { camera: [], geolocation: [], microphone: [], payment: [], usb: [], serial: [], bluetooth: [], displayCapture: [] };

/** Answers of the API are data: nothing in them is ever run or shown as a page. */
const DATA_POLICY: Parameters<typeof secureHeaders>[0] = {
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  xFrameOptions: "DENY",
  referrerPolicy: "no-referrer",
  strictTransportSecurity: STRICT_TRANSPORT,
};

/** Make the whole application: its `fetch` answers on Node, in tests and behind mocks alike. */
export function createHttp(options: HttpOptions): Hono<Env> {
  const { handlers, sessions, log, limits = LIMITS, addressOf = addressFinder(0) } = options;
  const { security = openSecurityLog(log), logFailure = openFailureLog(log) } = options;
  const app = new Hono<Env>();
  const client = openClient(options.clientDir);
  const page = JSON.stringify(openApi());
  const pageHeaders = secureHeaders(policy(client.scriptHashes));
  app.use("/api/*", secureHeaders(DATA_POLICY));
  mountEndpoints(app, log, { handlers, sessions, rates: new CallRates(limits), addressOf, security, logFailure });
  app.get(`${BASE_PATH}/openapi.json`, (c) => c.body(page, 200, { "content-type": "application/json; charset=utf-8" }));
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
