/** Calls an endpoint from the worker with fetch and the two headers, and classifies its failures. */
import type { Answer, Asked } from "#contract/endpoints.ts";
import { BASE_PATH, CALL_TIMEOUT_MS } from "#contract/kernel/endpoint.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import { CALLED } from "#workers/protocol.ts";
import type { Called, Credentials } from "#workers/protocol.ts";

/** The credentials before sign-in. */
export const NOBODY: Credentials = {
  origin: "",
  token: "",
  account: "",
  paths: Object.fromEntries(CALLED.map((name) => [name, ""])) as Record<Called, string>,
};

/** A failed call. `expired`: HTTP 401, the session is over. `refused`: the server refused it. `unreachable`: anything else. */
export class CallFailure extends Error {
  readonly reason: "expired" | "refused" | "unreachable";

  constructor(reason: CallFailure["reason"], message: string) {
    super(message);
    this.name = "CallFailure";
    this.reason = reason;
  }
}

/**
 * Calls an endpoint and returns the reply's data.
 * @throws CallFailure
 */
export async function callServer<Name extends Called>(
  to: Credentials,
  name: Name,
  body: Asked<Name>,
  timeoutMs: number = CALL_TIMEOUT_MS,
): Promise<Answer<Name>> {
  const response = await (to.fetch ?? fetch)(`${to.origin}${BASE_PATH}${to.paths[name]}`, {
    method: "POST",
    headers: { "content-type": "application/json", token: to.token, account: to.account },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new CallFailure("unreachable", String(error));
  });
  if (response.status === 401) throw new CallFailure("expired", name);
  if (!response.ok) throw new CallFailure("unreachable", `${name}: HTTP ${response.status}`);
  const reply = (await read(response, to).catch((error: unknown) => {
    throw new CallFailure("unreachable", String(error));
  })) as Reply<Answer<Name>>;
  if (reply.status !== 1) throw new CallFailure("refused", reply.code);
  return reply.data;
}

async function read(response: Response, { received }: Credentials): Promise<unknown> {
  const bytes = await response.arrayBuffer();
  received?.(bytes.byteLength);
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Tells whether an error is a CallFailure with this reason. */
export function failedBecause(error: unknown, reason: CallFailure["reason"]): boolean {
  return error instanceof CallFailure && error.reason === reason;
}
