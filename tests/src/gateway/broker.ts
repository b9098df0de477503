/** A mock broker on the page's origin, typed from the contract: it answers as a test defines and records the requests. */
import { http, HttpResponse } from "msw";
import type { JsonBodyType } from "msw";
import { setupServer } from "msw/node";
import { afterEach, expect } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { Body, EndpointName, Endpoints } from "#contract/endpoints.ts";
import type * as z from "zod/mini";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { refusals } from "#contract/kernel/refusal.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Accepted, Refused, Reply } from "#contract/kernel/reply.ts";

export const ORIGIN = "http://localhost:3000";

export interface ReceivedRequest {
  name: EndpointName;
  body: unknown;
  token: string | null;
  account: string | null;
}

/** The requests received since `resetBroker`. */
export const received: ReceivedRequest[] = [];
export const broker = setupServer();
/** Contract violations in a client's body or a test's answer. They fail the test, however the client handled them. */
export const violations: string[] = [];
afterEach(() => expect(violations.splice(0)).toEqual([]));

export const accepted = <Data>(data: Data): Accepted<Data> => ({ status: 1, msg: "操作成功", data });
export const refused = (code: RefusalCode, rest: Partial<Pick<Refused, "params" | "field">> = {}): Refused => ({
  status: 0,
  msg: refusals[code],
  data: null,
  code,
  params: {},
  ...rest,
});
/** Invalid replies: another status, a broken connection, or malformed data. */
export const broken = {
  status: (status: number, text: string | null = null): HttpResponse<string | null> => new HttpResponse(text, { status }),
  line: (): HttpResponse<null> => HttpResponse.error(),
  data: (data: JsonBodyType): HttpResponse<JsonBodyType> => HttpResponse.json({ status: 1, msg: "操作成功", data }),
};

/** Allowed answers: the contract's data as sent on the wire, a refusal, or an invalid reply. */
export type Answering<Name extends EndpointName> = Reply<z.input<Endpoints[Name]["data"]>> | HttpResponse<JsonBodyType>;

/** The parsed value, or the value itself with a violation recorded. */
function checked(schema: z.ZodMiniType, value: unknown, what: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  violations.push(`${what}: ${parsed.error.message}`);
  return value;
}

/** Answers one endpoint from now on with data of the contract's type. */
export function mock<Name extends EndpointName>(
  name: Name,
  handler: (body: Body<Name>) => Answering<Name> | Promise<Answering<Name>>,
): void {
  broker.use(
    http.post(`${ORIGIN}${BASE_PATH}${endpoints[name].path}`, async ({ request }) => {
      const body = await request.json();
      received.push({ name, body, token: request.headers.get("token"), account: request.headers.get("account") });
      const reply = await handler(checked(endpoints[name].body, body, `${name}: body`) as Body<Name>);
      if (reply instanceof Response) return reply;
      if (reply.status === 1) checked(endpoints[name].data, reply.data, `${name}: data`);
      return HttpResponse.json({ ...reply });
    }),
  );
}

/** Starts a test without recorded requests and handlers. */
export function resetBroker(): void {
  received.length = 0;
  broker.resetHandlers();
}
