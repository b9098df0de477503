/** Tests API calls: headers, outcomes of every kind, toasts for refusals, and 401 ending only the current session. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { delay } from "msw";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import en from "#locales/en.json";
import { abortCalls, call, expired$ } from "#src/gateway/api.ts";
import { toasts$ } from "#src/gateway/toasts.ts";
import { write } from "#src/gateway/storage.ts";
import { accepted, broken, broker, resetBroker, received, mock, refused } from "./broker.ts";

const toasts: string[] = [];
let expirations = 0;

beforeAll(async () => {
  await i18next.init({ lng: "en", resources: { en: { translation: en } } });
  broker.listen({ onUnhandledRequest: "error" });
  toasts$.subscribe(({ text }) => toasts.push(text));
  expired$.subscribe(() => (expirations += 1));
});
afterAll(() => broker.close());
beforeEach(() => {
  resetBroker();
  window.localStorage.clear();
  toasts.length = 0;
  expirations = 0;
});

describe("a call", () => {
  test("is a POST below /api/vue with token and account", async () => {
    write("tokend", "secret");
    write("account", "KS1");
    mock("readConfig", () => accepted([{ name: "title", value: "Kuroshio" }]));
    const outcome = await call("readConfig", { type: "all" });
    expect(outcome).toEqual({ ok: true, data: [{ name: "title", value: "Kuroshio" }], msg: "操作成功", refused: null, failed: null });
    expect(received).toEqual([{ name: "readConfig", body: { type: "all" }, token: "secret", account: "KS1" }]);
  });

  test("shows a refusal as a toast, unless the caller shows it", async () => {
    mock("signIn", () => refused("ACC_BAD_CREDENTIALS"));
    const body = { idNumber: "A123456789", password: "x", guaranteeCode: "1" };
    const outcome = await call("signIn", body);
    expect(outcome.refused).toMatchObject({ code: "ACC_BAD_CREDENTIALS", params: {} });
    await call("signIn", body, { shownByCaller: true });
    await call("signIn", body, { shownByCaller: ({ code }) => code === "ACC_BAD_CREDENTIALS" });
    await Promise.resolve();
    expect(toasts).toEqual(["Wrong account or password"]);
  });

  test("with an invalid answer fails as a server error", async () => {
    mock("readWatchlist", () => broken.data({ codes: "2330" }));
    expect((await call("readWatchlist", {})).failed).toBe("server");
    mock("readWatchlist", () => broken.status(502, "<html>"));
    expect((await call("readWatchlist", {})).failed).toBe("server");
  });

  test("without a connection fails as a network error; an aborted one is cancelled", async () => {
    mock("readWatchlist", () => broken.line());
    expect((await call("readWatchlist", {})).failed).toBe("network");
    mock("readWatchlist", async () => {
      await delay(500);
      return accepted({ groups: [] });
    });
    const control = new AbortController();
    const outcome = call("readWatchlist", {}, { signal: control.signal });
    control.abort();
    expect((await outcome).failed).toBe("cancelled");
  });

  test("that reads ends with its session; a command and the sign-out go on", async () => {
    let arrived = 0;
    const slow = async () => {
      arrived += 1;
      await delay(50);
      return broken.status(502);
    };
    mock("readWatchlist", slow);
    mock("cancelOrders", slow);
    mock("signOut", slow);
    const command = { requestId: RequestId.parse(crypto.randomUUID()), code: null };
    const calls = [call("readWatchlist", {}), call("cancelOrders", command), call("signOut", {})];
    await vi.waitFor(() => expect(arrived).toBe(3));
    abortCalls();
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(({ failed }) => failed)).toEqual(["expired", "server", "server"]);
    // Nobody is signed in: a screen that is still there asks nothing, and signing in works.
    mock("readWatchlist", () => accepted({ groups: [] }));
    mock("readConfig", () => accepted([]));
    received.length = 0;
    expect((await call("readWatchlist", {})).failed).toBe("expired");
    expect((await call("readConfig", { type: "all" })).ok).toBe(true);
    expect(received.map(({ name }) => name)).toEqual(["readConfig"]);
    // The next session reads again.
    write("tokend", "next");
    expect((await call("readWatchlist", {})).ok).toBe(true);
    expect(expirations).toBe(0);
  });

  test("answered with 401 ends only the session it was made with", async () => {
    write("tokend", "old");
    mock("readMember", () => {
      write("tokend", "new");
      return broken.status(401);
    });
    expect((await call("readMember", {})).failed).toBe("expired");
    expect(expirations).toBe(0);
    mock("readMember", () => broken.status(401));
    expect((await call("readMember", {})).failed).toBe("expired");
    expect(expirations).toBe(1);
  });
});
