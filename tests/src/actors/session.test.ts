/** Tests the session's effects: restored from storage; a 401 clears all but rembInfo after two seconds and goes to the sign-in page. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/#/trade/index" }
import { filter, firstValueFrom } from "rxjs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { enterSession, leaveSession, session$, startSession } from "#src/actors/session.ts";
import type { SessionSnapshot } from "#src/actors/session.ts";
import { call } from "#src/gateway/api.ts";
import { read, write } from "#src/gateway/storage.ts";
import type { Account } from "#contract/kernel/id.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { accepted, broken, broker, received, mock } from "#tests/src/gateway/broker.ts";

const reached = (state: "signedIn" | "signedOut" | "expired" | "leaving"): Promise<SessionSnapshot> =>
  firstValueFrom(session$.pipe(filter((session) => session.matches(state))));
const fresh = { token: "new", account: "KS1" as Account, expiresAt: epochMs(Date.now() + 1_000_000) };

beforeAll(() => broker.listen({ onUnhandledRequest: "error" }));
afterAll(() => broker.close());

test("a session is restored, expires, starts again and is signed out", async () => {
  write("tokend", "secret");
  write("account", "KS1");
  write("rembInfo", { idNumber: "A123456789" });
  write("language", "af");
  mock("restoreSession", () => accepted({ account: "KS1", expiresAt: Date.now() + 1_000_000 }));
  startSession();
  startSession();
  expect((await reached("signedIn")).context.account).toBe("KS1");
  expect(received.filter(({ name }) => name === "restoreSession")).toHaveLength(1);

  window.location.hash = "/trade/index";
  mock("readMember", () => broken.status(401));
  const before = performance.now();
  await Promise.all([call("readMember", {}), call("readMember", {})]);
  expect((await reached("expired")).context.returnTo).toBe("/trade/index");
  expect(read("tokend")).toBe("secret");
  await reached("signedOut");
  expect(performance.now() - before).toBeGreaterThan(1_950);
  expect([read("tokend"), read("account"), read("language")]).toEqual([null, null, null]);
  expect(read("rembInfo")).toEqual({ idNumber: "A123456789" });
  await vi.waitFor(() => expect(window.location.hash).toBe("#/login/login"));

  enterSession(fresh);
  expect((await reached("signedIn")).context).toMatchObject({ account: "KS1", returnTo: "/trade/index" });
  expect(read("tokend")).toBe("new");

  mock("signOut", () => accepted(null));
  leaveSession();
  expect((await reached("leaving")).context.reason).toBe("left");
  expect([read("tokend"), read("account")]).toEqual([null, null]);
  await reached("signedOut");
  expect(received.at(-1)).toMatchObject({ name: "signOut", token: "new", account: "KS1" });
});
