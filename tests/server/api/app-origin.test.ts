/** The native app's origin: it alone may call from elsewhere, with its session's headers and without cookies. */
import { expect, it } from "vitest";
import { pino } from "pino";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Handlers } from "#server/api/handler.ts";
import { createHttp } from "#server/api/http.ts";

const APP = "https://localhost";
const handlers: Partial<Handlers> = { readConfig: async () => ({ items: [] }) as never };
const sessions = { find: async () => null, holds: () => false };

/** What a browser asks before a page of `origin` calls. */
const preflight = (appOrigin: string | null, origin: string): Promise<Response> | Response =>
  createHttp({ handlers: handlers as Handlers, sessions, clientDir: "none", log: pino({ level: "silent" }), appOrigin }).request(
    `${BASE_PATH}/common/config`,
    {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type,token,account" },
    },
  );

it("allows the app's pages to call with their session", async () => {
  const { headers } = await preflight(APP, APP);
  expect(headers.get("access-control-allow-origin")).toBe(APP);
  expect(headers.get("access-control-allow-headers")).toBe("content-type,token,account");
  expect(headers.get("access-control-allow-methods")).toBe("POST");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
});

it.each([
  [APP, "https://elsewhere.example"],
  [null, APP],
])("with APP_ORIGIN %s refuses pages of %s", async (appOrigin, origin) => {
  expect((await preflight(appOrigin, origin)).headers.get("access-control-allow-origin")).toBeNull();
});
