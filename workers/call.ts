/** One call to an endpoint from the worker: fetch, the two headers, and the three ways it can fail. */
import type { Answer, Asked, EndpointName, Endpoints } from "#contract/endpoints.ts";
import { BASE_PATH, CALL_TIMEOUT_MS } from "#contract/kernel/endpoint.ts";
import type { Reply } from "#contract/kernel/reply.ts";

export interface Credentials {
  origin: string;
  token: string;
  account: string;
}

/** `expired`: HTTP 401, the session is over. `refused`: the server understood and said no. `unreachable`: anything else. */
export class CallFailure extends Error {
  readonly reason: "expired" | "refused" | "unreachable";

  constructor(reason: CallFailure["reason"], message: string) {
    super(message);
    this.name = "CallFailure";
    this.reason = reason;
  }
}

/** Call `endpoint` with `body`. Rejects with CallFailure. */
export async function callServer<Name extends EndpointName>(
  to: Credentials,
  endpoint: Endpoints[Name],
  body: Asked<Name>,
  timeoutMs: number = CALL_TIMEOUT_MS,
): Promise<Answer<Name>> {
  const response = await fetch(`${to.origin}${BASE_PATH}${endpoint.path}`, {
    method: "POST",
    headers: { "content-type": "application/json", token: to.token, account: to.account },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new CallFailure("unreachable", String(error));
  });
  if (response.status === 401) throw new CallFailure("expired", endpoint.path);
  if (!response.ok) throw new CallFailure("unreachable", `${endpoint.path}: HTTP ${response.status}`);
  const reply = (await response.json().catch((error: unknown) => {
    throw new CallFailure("unreachable", String(error));
  })) as Reply<Answer<Name>>;
  if (reply.status !== 1) throw new CallFailure("refused", reply.code);
  return reply.data;
}

/** Whether an error is a call that failed for this reason. */
export function failedBecause(error: unknown, reason: CallFailure["reason"]): boolean {
  return error instanceof CallFailure && error.reason === reason;
}
