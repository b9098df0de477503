/** Every screen in the wide layout: no axe violations in light and in dark (everyday the screens that the phone tour leaves out), no horizontal overflow, no console errors. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, WIDE } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { isFull } from "#tests/support/size.ts";
import { visitAll, overflow, listScreens, expectAccessible } from "./all-screens.ts";
import type { Screens } from "./all-screens.ts";

let server: TestServer;
let screens: Screens;

beforeAll(async () => {
  server = await startTestServer();
  screens = await listScreens(server);
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** Time for visiting every screen on a busy machine. */
const TIMEOUT_MS = 600_000;

test("every screen passes in the wide layout", { timeout: TIMEOUT_MS }, () =>
  visitAll(screens, { origin: server.url, size: WIDE }, async (page, place, nth) => {
    expect.soft(await overflow(page, place)).toEqual([]);
    await expectAccessible(page, place, { dark: isFull || nth % 2 === 1 });
  }),
);
