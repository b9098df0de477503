/** A broker in the page's own origin, typed from the contract: it answers as a test tells it, and writes down what it was asked. */
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

export interface Heard {
  name: EndpointName;
  body: unknown;
  token: string | null;
  account: string | null;
}

/** What the broker has heard since `forget`. */
export const heard: Heard[] = [];
export const broker = setupServer();
/** What did not keep to the contract: a body the client sent, data a test answered. It fails the test, whatever the client made of it. */
export const mistakes: string[] = [];
afterEach(() => expect(mistakes.splice(0)).toEqual([]));

export const accepted = <Data>(data: Data): Accepted<Data> => ({ status: 1, msg: "操作成功", data });
export const refused = (code: RefusalCode, rest: Partial<Pick<Refused, "params" | "field">> = {}): Refused => ({
  status: 0,
  msg: refusals[code],
  data: null,
  code,
  params: {},
  ...rest,
});
/** What is no reply of the contract: another status, a cut line, or nonsense. */
export const broken = {
  status: (status: number, text: string | null = null): HttpResponse<string | null> => new HttpResponse(text, { status }),
  line: (): HttpResponse<null> => HttpResponse.error(),
  data: (data: JsonBodyType): HttpResponse<JsonBodyType> => HttpResponse.json({ status: 1, msg: "操作成功", data }),
};

/** What may be answered: the contract's data as it travels, a refusal, or something broken. */
export type Answering<Name extends EndpointName> = Reply<z.input<Endpoints[Name]["data"]>> | HttpResponse<JsonBodyType>;

/** What a schema makes of a value, or the value as it is and a mistake noted. */
function kept(schema: z.ZodMiniType, value: unknown, what: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  mistakes.push(`${what}: ${parsed.error.message}`);
  return value;
}

/** Answer one endpoint from now on, with what the contract says it answers. */
export function mock<Name extends EndpointName>(
  name: Name,
  handler: (body: Body<Name>) => Answering<Name> | Promise<Answering<Name>>,
): void {
  broker.use(
    http.post(`${ORIGIN}${BASE_PATH}${endpoints[name].path}`, async ({ request }) => {
      const body = await request.json();
      heard.push({ name, body, token: request.headers.get("token"), account: request.headers.get("account") });
      const reply = await handler(kept(endpoints[name].body, body, `${name}: body`) as Body<Name>);
      if (reply instanceof Response) return reply;
      if (reply.status === 1) kept(endpoints[name].data, reply.data, `${name}: data`);
      return HttpResponse.json({ ...reply });
    }),
  );
}

/** Begin a test with nothing heard and nothing answered. */
export function forget(): void {
  heard.length = 0;
  broker.resetHandlers();
}
