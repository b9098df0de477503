/** Processes one call: rate limit, session, body, handler. Refusals and internal errors both become a reply envelope. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Endpoint } from "#contract/kernel/endpoint.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import type { SessionEnd } from "#contract/restriction.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Caller, FollowerHandlers, Handlers, Origin } from "#server/api/handler.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import type { SessionStore } from "#server/api/session-store.ts";
import { VenueStopped } from "#server/venue/venue-stopped.ts";
import type { LogFailure } from "#server/kernel/failure-log.ts";
import type { AddressOf, OverTls } from "./address.ts";
import { BODY_LIMIT_BYTES, readText } from "./body.ts";
import { deviceMemory } from "./device-cookie.ts";
import { pageOrigin } from "./page-origin.ts";
import type { CallRates } from "./read-rate.ts";
import { accepted, refused, refusedBody } from "./reply.ts";

export type Env = { Bindings: Partial<HttpBindings> };
type AnyHandler = (call: Origin & { caller: Caller | null }, body: unknown) => Promise<unknown>;

export interface CallOptions {
  handlers: Handlers | FollowerHandlers;
  sessions: Pick<SessionStore, "find" | "holds" | "whyEnded">;
  rates: CallRates;
  addressOf: AddressOf;
  overTls: OverTls;
  appOrigins: readonly string[];
  security: NoteSecurity;
  logFailure: LogFailure;
}

export interface CallResult {
  reply: Reply<unknown>;
  http: 200 | 401 | 503;
}

/** Tells whether a parsed body contains a NUL character, which PostgreSQL text cannot store. */
function containsNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  return typeof value === "object" && value !== null && Object.values(value).some(containsNul);
}

/** Reads and validates a body: the parsed body, or the refusal reply. */
async function readBody(c: Context<Env>, endpoint: Endpoint): Promise<{ body: unknown } | { refusal: CallResult["reply"] }> {
  let given: unknown;
  const text = await readText(c, endpoint.limitBytes ?? BODY_LIMIT_BYTES);
  try {
    given = JSON.parse(text ?? "");
  } catch {
    return { refusal: refused("GEN_PARAM_ERROR") };
  }
  const parsed = endpoint.body.safeParse(given);
  if (!parsed.success) return { refusal: refusedBody(parsed.error.issues) };
  if (text?.includes("\\u0000") && containsNul(parsed.data)) {
    const field = Object.entries(Object(parsed.data)).find(([, value]) => containsNul(value))?.[0];
    return { refusal: refused("GEN_PARAM_ERROR", {}, field) };
  }
  return { body: parsed.data };
}

/** Resolves the caller: null for open endpoints, or why there is no valid session. */
async function findCaller(c: Context<Env>, endpoint: Endpoint, options: CallOptions, address: string): Promise<Caller | SessionEnd | null> {
  if (endpoint.access === "open") return null;
  const [token, account] = [c.req.header("token") ?? "", c.req.header("account") ?? ""];
  const caller = await options.sessions.find(token, account);
  if (caller) return caller;
  await options.rates.unknownToken(address);
  return options.sessions.whyEnded({ token, account });
}

/** What the request says about the page and the device that call. */
function originOf(c: Context<Env>, { overTls, appOrigins }: CallOptions): Pick<Origin, "agent" | "origin" | "device"> {
  const secure = c.env?.incoming !== undefined && overTls(c.env.incoming);
  return {
    agent: c.req.header("user-agent") ?? null,
    origin: pageOrigin(c.req.header("origin"), c.req.header("host"), appOrigins),
    device: deviceMemory(c, { secure, isApp: appOrigins.includes(c.req.header("origin") ?? "") }),
  };
}

/** Tells whether a call is an idempotent command with a `requestId`. */
const isCommand = ({ body }: Endpoint): boolean => "shape" in body && "requestId" in Object(body.shape);

const addressIn = (c: Context<Env>, { addressOf }: CallOptions): string => (c.env?.incoming === undefined ? "" : addressOf(c.env.incoming));

/** Tells whether a call brings the token of a session in memory. */
const holdsSession = (c: Context<Env>, { sessions }: CallOptions): boolean => sessions.holds(c.req.header("token") ?? "");

interface Failed {
  name: EndpointName;
  endpoint: Endpoint;
  address: string;
  caller: Caller | null;
}

/** The reply to a call that was refused or failed. */
function replyTo(error: unknown, { name, endpoint, address, caller }: Failed, { security, logFailure }: CallOptions): CallResult {
  if (error instanceof Refusal) {
    if (error.code === "GEN_TOO_FREQUENT") security("rateLimited", { memberId: caller?.memberId, address, reason: name });
    return { reply: refused(error.code, error.params, error.field), http: 200 };
  }
  const stops = error instanceof VenueStopped;
  if (!stops) logFailure(error, "a call failed", { endpoint: name });
  // Not a refusal: the command may or may not have taken effect. The client asks by its `requestId`.
  if (stops || error instanceof DatabaseUnavailable) return { reply: refused("GEN_SYSTEM_BUSY"), http: isCommand(endpoint) ? 503 : 200 };
  return { reply: refused("GEN_SYSTEM_BUSY"), http: 200 };
}

/**
 * On a follower: refuses, as the leader would, a call from an address that makes too many, and a member's without a session. Null for all
 * others; of a session in memory the leader finds out itself whether it has ended.
 */
export async function refuseEarly(
  c: Context<Env>,
  name: EndpointName,
  endpoint: Endpoint,
  options: CallOptions,
): Promise<CallResult | null> {
  const address = addressIn(c, options);
  const isKnown = holdsSession(c, options);
  try {
    await options.rates.arrive(endpoint, address, isKnown);
    const found = isKnown ? null : await findCaller(c, endpoint, options, address);
    return typeof found === "string" ? { reply: refused(found), http: 401 } : null;
  } catch (error) {
    return replyTo(error, { name, endpoint, address, caller: null }, options);
  }
}

export async function answerCall(c: Context<Env>, name: EndpointName, endpoint: Endpoint, options: CallOptions): Promise<CallResult> {
  const { rates, handlers } = options;
  const address = addressIn(c, options);
  let caller: Caller | null = null;
  try {
    await rates.arrive(endpoint, address, holdsSession(c, options));
    const found = await findCaller(c, endpoint, options, address);
    if (typeof found === "string") return { reply: refused(found), http: 401 };
    caller = found;
    const call = { address, caller, ...originOf(c, options) };
    const handler = (handlers as Handlers)[name] as AnyHandler;
    const reply = await rates.work(endpoint, caller, async () => {
      const read = await readBody(c, endpoint);
      return "refusal" in read ? read.refusal : accepted(name, await handler(call, read.body));
    });
    return { reply, http: 200 };
  } catch (error) {
    return replyTo(error, { name, endpoint, address, caller }, options);
  }
}
