/** A broker in the page's own origin that answers as a test tells it, and writes down what it was asked. */
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";

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

export const accepted = (data: unknown) => HttpResponse.json({ status: 1, msg: "操作成功", data });
export const refused = (code: string, msg: string, rest: object = {}) =>
  HttpResponse.json({ status: 0, msg, data: null, code, params: {}, ...rest });

/** Answer one endpoint from now on. */
export function answer(name: EndpointName, how: (body: unknown) => Response | Promise<Response>): void {
  broker.use(
    http.post(`${ORIGIN}${BASE_PATH}${endpoints[name].path}`, async ({ request }) => {
      const body: unknown = await request.json();
      heard.push({ name, body, token: request.headers.get("token"), account: request.headers.get("account") });
      return how(body);
    }),
  );
}

/** Begin a test with nothing heard and nothing answered. */
export function forget(): void {
  heard.length = 0;
  broker.resetHandlers();
}
