/** The client's only HTTP access to the broker: every endpoint as a typed call with headers, timeout and refusals shown. */
import "./schema.ts";
import { Subject } from "rxjs";
import * as z from "zod/mini";
import type { Answer, Asked, EndpointName, Endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Endpoint } from "#contract/kernel/endpoint.ts";
import type { SessionEnd } from "#contract/restriction.ts";
import type { Refused } from "#contract/kernel/reply.ts";
import { endpointOf } from "./endpoints.ts";
import { waitForTranslations } from "./language.ts";
import { showToast } from "./toasts.ts";
import { refusalText } from "./refusal.ts";
import { brokerOrigin } from "./shell.ts";
import { read } from "./storage.ts";

/**
 * Why a call brought no answer. `timeout`, `network` and `server` leave the outcome of a command unknown;
 * `expired` (HTTP 401) and `cancelled` (by the caller) mean that it was not executed for a member.
 */
export type Failure = "timeout" | "network" | "server" | "cancelled" | "expired";

export type Outcome<Data> =
  | { ok: true; data: Data; msg: string; refused: null; failed: null }
  | { ok: false; refused: Refused; failed: null }
  | { ok: false; refused: null; failed: Failure };

export interface CallOptions {
  signal?: AbortSignal;
  /** Whether the caller shows a refusal itself, at a field or on its own page, so that no toast is shown. */
  shownByCaller?: boolean | ((refused: Refused) => boolean);
}

/** Emits why the session is over (HTTP 401); the session actor listens. */
export const expired$ = new Subject<SessionEnd>();

let session = new AbortController();

/** Abort the calls of the ended session: every answer would be a 401. Commands go on, because they may have been executed. */
export function abortCalls(): void {
  session.abort();
}

/** The session that a call belongs to. After one has ended there is none until the next token: a screen that is being left asks in vain. */
function sessionSignal(token: string): AbortSignal {
  if (session.signal.aborted && token !== "") session = new AbortController();
  return session.signal;
}

/** Whether a call ends with its session. The one that ends the session outlives it. */
const endsWithSession = (name: EndpointName, { access }: Pick<Endpoint, "access">, body: object): boolean =>
  access === "member" && name !== "signOut" && !("requestId" in body);

const Envelope = z.object({ status: z.number(), msg: z.string(), data: z.unknown() });
const RefusedEnvelope = z.object({
  code: z.string(),
  params: z.catch(z.record(z.string(), z.union([z.string(), z.number()])), {}),
  field: z.optional(z.string()),
});

/** Loads the HTTP client, at once and not with the first call; a failed load is tried again by the next one. */
const loadHttp = () => import("./http.ts");
loadHttp().catch(() => undefined);

const sessionHeaders = (): { token: string; account: string } => ({ token: read("tokend") ?? "", account: read("account") ?? "" });

function toast(refused: Refused, shownByCaller: CallOptions["shownByCaller"]): void {
  const shown = typeof shownByCaller === "function" ? shownByCaller(refused) : shownByCaller === true;
  if (refused.msg !== "" && !shown) void refusalText(refused).then((text) => showToast(text, "danger"));
}

const failure = (failed: Failure): Outcome<never> => ({ ok: false, refused: null, failed });

function refusedOf(msg: string, payload: unknown): Refused {
  const read = z.safeParse(RefusedEnvelope, payload);
  const rest = read.success ? read.data : { code: "", params: {} };
  // A code this client does not know is kept; its text is then looked up by the message.
  return { status: 0, msg, data: null, ...rest } as Refused;
}

/** Turn a reply into an outcome: valid data, a refusal, or a `server` failure when it does not match the schema. */
function outcomeOf<Name extends EndpointName>(endpoint: Endpoints[Name], status: number, payload: unknown): Outcome<Answer<Name>> {
  const envelope = z.safeParse(Envelope, payload);
  if (!envelope.success || status >= 500) return failure("server");
  if (envelope.data.status !== 1) return { ok: false, refused: refusedOf(envelope.data.msg, payload), failed: null };
  const data = z.safeParse(endpoint.data, envelope.data.data);
  if (!data.success) return failure("server");
  return { ok: true, data: data.data as Answer<Name>, msg: envelope.data.msg, refused: null, failed: null };
}

/**
 * Call one endpoint of the contract. Never throws: a refusal and a failure are outcomes.
 * A refusal with a message is also shown as a toast for two seconds, unless the caller shows it.
 */
export async function call<Name extends EndpointName>(
  name: Name,
  body: Asked<Name>,
  options: CallOptions = {},
): Promise<Outcome<Answer<Name>>> {
  const headers = sessionHeaders();
  const ending = sessionSignal(headers.token);
  const parts = await Promise.all([endpointOf(name), loadHttp()]).catch(() => null);
  if (!parts) return failure("network");
  const [endpoint, { post }] = parts;
  const signal = options.signal ?? (endsWithSession(name, endpoint, body) ? ending : undefined);
  const reply = await post(endpoint.path, body, { ...headers }, signal);
  // What its caller did not cancel ended with the session.
  if (typeof reply === "string") return failure(reply === "cancelled" && !options.signal ? "expired" : reply);
  if (reply.status === 401) {
    // A late reply to an older session must not end the current one.
    const why = refusedOf("", reply.payload).code as SessionEnd;
    // The sign-in page, which says why, does not wait for the texts of refusals.
    if (why !== "ACC_SESSION_EXPIRED") await waitForTranslations();
    if ((read("tokend") ?? "") === headers.token) expired$.next(why);
    return failure("expired");
  }
  const outcome = outcomeOf<Name>(endpoint, reply.status, reply.payload);
  if (outcome.refused) {
    // Callers can then show the refusal at once; if the translations do not load, its Chinese text is shown.
    await waitForTranslations();
    toast(outcome.refused, options.shownByCaller);
  }
  return outcome;
}

/**
 * Prepare to call an endpoint while the page is left. The returned function sends at once, since a page that is leaving waits for nothing;
 * the browser delivers the request after the page has gone, and nobody sees the answer.
 */
export async function lastCall<Name extends EndpointName>(name: Name): Promise<(body: Asked<Name>) => void> {
  const { path } = await endpointOf(name);
  return (body) => {
    const headers = { "content-type": "application/json", ...sessionHeaders() };
    const sent = fetch(brokerOrigin() + BASE_PATH + path, { method: "POST", headers, body: JSON.stringify(body), keepalive: true });
    sent.catch(() => undefined);
  };
}
