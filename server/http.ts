/** The broker over HTTP: every endpoint of the contract, its OpenAPI page, and the built client, with one answer for every mistake. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { secureHeaders } from "hono/secure-headers";
import type { Logger } from "pino";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Endpoint } from "#contract/kernel/endpoint.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import { Refusal } from "#server/desks/desk.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import type { Caller, Handlers } from "#server/desks/desk.ts";
import type { Sessions } from "#server/desks/session-book.ts";
import { openClient } from "#server/http/client.ts";
import { mountHealth } from "#server/http/health.ts";
import type { Readiness } from "#server/http/health.ts";
import { openApi } from "#server/http/openapi.ts";
import { accepted, refused, refusedBody } from "#server/http/reply.ts";

/** The largest body a call may carry. */
const BODY_LIMIT_BYTES = 64 * 1024;
/** Replies shorter than this travel as they are. */
const COMPRESS_FROM_BYTES = 8 * 1024;

export interface HttpOptions {
  handlers: Handlers;
  sessions: Pick<Sessions, "find">;
  /** Folder of the built client. */
  clientDir: string;
  log: Logger;
  /** What `/readyz` asks; without it there are no addresses for supervisors. */
  readiness?: () => Promise<Readiness>;
}

type Env = { Bindings: Partial<HttpBindings> };
type AnyHandler = (call: { address: string; caller: Caller | null }, body: unknown) => Promise<unknown>;
interface Outcome {
  reply: Reply<unknown>;
  http: 200 | 401 | 503;
}

const squeeze = promisify(gzip);

const addressOf = (c: Context<Env>): string => c.env?.incoming?.socket.remoteAddress ?? "";

async function send(c: Context<Env>, reply: Reply<unknown>, http: 200 | 401 | 404 | 503): Promise<Response> {
  const text = JSON.stringify(reply);
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  if (text.length < COMPRESS_FROM_BYTES || !/\bgzip\b/.test(c.req.header("accept-encoding") ?? "")) return c.body(text, http, headers);
  const body = new Uint8Array(await squeeze(text, { level: 4 }));
  return c.body(body, http, { ...headers, "content-encoding": "gzip", vary: "accept-encoding" });
}

/** Whether a text somewhere in a checked body holds a NUL, which no database text can. */
function holdsNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  return typeof value === "object" && value !== null && Object.values(value).some(holdsNul);
}

/** Read and check a call's body: the parsed body, or the refusal that says what is wrong with it. */
async function readBody(c: Context<Env>, endpoint: Endpoint): Promise<{ body: unknown } | { refusal: Outcome["reply"] }> {
  let given: unknown;
  let text: string;
  try {
    // Fails when the caller hangs up in the middle of it: no fault of ours, and nobody is left to hear the refusal.
    text = await c.req.text();
    given = JSON.parse(text);
  } catch {
    return { refusal: refused("GEN_PARAM_ERROR") };
  }
  const parsed = endpoint.body.safeParse(given);
  if (!parsed.success) return { refusal: refusedBody(parsed.error.issues) };
  if (text.includes("\\u0000") && holdsNul(parsed.data)) {
    const field = Object.entries(Object(parsed.data)).find(([, value]) => holdsNul(value))?.[0];
    return { refusal: refused("GEN_PARAM_ERROR", {}, field) };
  }
  return { body: parsed.data };
}

/** Whether a call acts once by an id of its own. */
const isCommand = ({ body }: Endpoint): boolean => "shape" in body && "requestId" in Object(body.shape);

/** Carry out one call: session, body, handler; a refusal is an answer, and so is our own failure. */
async function answerCall(c: Context<Env>, name: EndpointName, endpoint: Endpoint, options: HttpOptions): Promise<Outcome> {
  try {
    const caller =
      endpoint.access === "member" ? await options.sessions.find(c.req.header("token") ?? "", c.req.header("account") ?? "") : null;
    if (endpoint.access === "member" && caller === null) return { reply: refused("ACC_SESSION_EXPIRED"), http: 401 };
    const read = await readBody(c, endpoint);
    if ("refusal" in read) return { reply: read.refusal, http: 200 };
    const handler = options.handlers[name] as AnyHandler;
    return { reply: accepted(name, await handler({ address: addressOf(c), caller }, read.body)), http: 200 };
  } catch (error) {
    if (error instanceof Refusal) return { reply: refused(error.code, error.params, error.field), http: 200 };
    // No refusal: a command may have acted, or may never arrive. Whoever sent it asks by its id.
    if (error instanceof DatabaseUnavailable) return { reply: refused("GEN_SYSTEM_BUSY"), http: isCommand(endpoint) ? 503 : 200 };
    options.log.error({ err: error, endpoint: name }, "a call failed");
    return { reply: refused("GEN_SYSTEM_BUSY"), http: 200 };
  }
}

function mountEndpoints(app: Hono<Env>, options: HttpOptions): void {
  const limit = bodyLimit({ maxSize: BODY_LIMIT_BYTES, onError: (c) => send(c, refused("GEN_PARAM_ERROR"), 200) });
  for (const [key, endpoint] of Object.entries(endpoints)) {
    const name = key as EndpointName;
    app.post(BASE_PATH + endpoint.path, limit, async (c) => {
      const startedAt = performance.now();
      const { reply, http } = await answerCall(c, name, endpoint, options);
      options.log.debug({ endpoint: name, ms: Math.round(performance.now() - startedAt), code: "code" in reply ? reply.code : "OK" });
      return send(c, reply, http);
    });
  }
}

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
    // For this host alone: what else lives below its domain is not ours to decide.
    strictTransportSecurity: "max-age=15552000",
  };
}

/** Make the whole application: its `fetch` answers on Node, in tests and behind mocks alike. */
export function createHttp(options: HttpOptions): Hono<Env> {
  const app = new Hono<Env>();
  const client = openClient(options.clientDir);
  const page = JSON.stringify(openApi());
  app.use(secureHeaders(policy(client.scriptHashes)));
  mountEndpoints(app, options);
  app.get(`${BASE_PATH}/openapi.json`, (c) => c.body(page, 200, { "content-type": "application/json; charset=utf-8" }));
  if (options.readiness) mountHealth(app, options.readiness);
  app.all("/api/*", (c) => send(c, refused("GEN_NOT_FOUND"), 404));
  app.get("*", async (c) => {
    const headers = { accept: c.req.header("accept-encoding") ?? "", etag: c.req.header("if-none-match") ?? "" };
    const found = await client.answer(c.req.path, headers);
    return found ?? c.text(c.req.path === "/" ? "The client is not built yet: npm start builds it." : "Not found", 404);
  });
  app.onError((error, c) => {
    options.log.error({ err: error }, "a request failed");
    return send(c, refused("GEN_SYSTEM_BUSY"), 200);
  });
  return app;
}
