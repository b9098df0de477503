/** Tests that a native app says which device it is where sessions begin, and signs in as well where it cannot know. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { http, HttpResponse } from "msw";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { accepted, broker, ORIGIN, resetBroker } from "./broker.ts";

const GIVEN = "a-new-device";
/** The device of each request, as the broker saw it. */
const told: (string | null)[] = [];
const kept: string[] = [];
const store = { device: "known" as string | null, loads: true };

const DEVICE = { readDevice: async () => store.device, keepDevice: async (value: string) => void kept.push(value) };
const native = (is: boolean): void => void ((window as { Capacitor?: object }).Capacitor = { isNativePlatform: () => is });

/** Sends a request with a program that was just loaded. */
async function send(path: string): Promise<unknown> {
  vi.resetModules();
  const { post } = await import("#src/gateway/http.ts");
  return post(path, {}, {}, undefined);
}

beforeAll(() => broker.listen({ onUnhandledRequest: "error" }));
afterAll(() => broker.close());
beforeEach(() => {
  resetBroker();
  // The only mock of this file: of two that wait for the same import, either may win.
  vi.doMock("#src/gateway/native-device.ts", () => {
    if (!store.loads) throw new Error("a part of the program is gone");
    return DEVICE;
  });
  told.length = 0;
  kept.length = 0;
  broker.use(
    http.post(`${ORIGIN}${BASE_PATH}/*`, ({ request }) => {
      told.push(request.headers.get("device"));
      return HttpResponse.json({ ...accepted(null) }, { headers: { device: GIVEN } });
    }),
  );
});
afterEach(() => {
  store.device = "known";
  store.loads = true;
});

test("a native app sends what it kept where sessions begin only, and keeps what it is given", async () => {
  native(true);
  expect(await send("/session/login")).toMatchObject({ status: 200 });
  await vi.waitFor(() => expect(kept).toEqual([GIVEN]));
  store.device = null;
  await send("/session/login");
  await send("/watchlist/read");
  expect(told).toEqual(["known", null, null]);
  expect(kept).toEqual([GIVEN, GIVEN]);
});

test("a page sends and keeps nothing: its cookie does", async () => {
  native(false);
  await send("/session/login");
  expect([told, kept]).toEqual([[null], []]);
});

test("a sign-in succeeds where the part that knows the device cannot be loaded", async () => {
  native(true);
  store.loads = false;
  expect(await send("/session/login")).toEqual({ status: 200, payload: accepted(null) });
  expect(told).toEqual([null]);
});
