/** The native apps' origins: they alone may call from elsewhere, with their session's headers and without cookies. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { pino } from "pino";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { Handlers } from "#server/api/handler.ts";
import { createHttp } from "#server/api/http.ts";
import { createSocket } from "#server/realtime/socket-server.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";

const ANDROID = "https://localhost";
const IOS = "capacitor://localhost";
const APPS = [ANDROID, IOS];
const ELSEWHERE = "https://elsewhere.example";
const handlers: Partial<Handlers> = { readConfig: async () => ({ items: [] }) as never };
const sessions = {
  find: async () => null,
  holds: () => false,
  alive: async () => true,
  whyEnded: async () => "ACC_SESSION_EXPIRED" as const,
  onEnd: () => () => undefined,
};
const log = pino({ level: "silent" });

/** What a browser asks before a page of `origin` calls. */
const preflight = (appOrigins: readonly string[], origin: string): Promise<Response> | Response =>
  createHttp({ handlers: handlers as Handlers, sessions, clientDir: "none", log, appOrigins }).request(`${BASE_PATH}/common/config`, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type,token,account,device" },
  });

it.each(APPS)("allows the pages of %s to call with their session", async (app) => {
  const { headers } = await preflight(APPS, app);
  expect(headers.get("access-control-allow-origin")).toBe(app);
  expect(headers.get("access-control-allow-headers")).toBe("content-type,token,account,device");
  expect(headers.get("access-control-allow-methods")).toBe("POST");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
});

it.each([
  [APPS, ELSEWHERE],
  [APPS, "null"],
  [[ANDROID], IOS],
  [[], ANDROID],
])("with APP_ORIGIN %j refuses pages of %s", async (appOrigins, origin) => {
  expect((await preflight(appOrigins, origin)).headers.get("access-control-allow-origin")).toBeNull();
});

it.each([
  [APPS, ANDROID, ANDROID],
  [APPS, IOS, IOS],
  [APPS, ELSEWHERE, null],
  [[], ANDROID, null],
])("with APP_ORIGIN %j lets pages of %s poll the socket as %s", async (appOrigins, origin, allowed) => {
  const server = createServer();
  const socket = createSocket({ server, venue: stubVenue(1), sessions, log, appOrigins });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const { headers } = await fetch(`http://127.0.0.1:${port}${SOCKET_PATH}/?EIO=4&transport=polling`, { headers: { origin } });
  expect(headers.get("access-control-allow-origin")).toBe(allowed);
  await socket.stop();
  server.close();
});
