/** Every screen on phones, in the language with the longest words: no axe violations in light and in dark (everyday every other screen, the rest in the wide layout), no horizontal overflow, no console errors. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, PHONE } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { isFull } from "#tests/support/size.ts";
import { visitAll, listScreens, expectAccessible } from "./all-screens.ts";
import type { Screens } from "./all-screens.ts";
import { overflow } from "./overflow.ts";

let server: TestServer;
let screens: Screens;

beforeAll(async () => {
  server = await startTestServer({ venue: { newIssues: true } });
  screens = await listScreens(server);
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** Time for visiting every screen on a busy machine. */
const TIMEOUT_MS = 600_000;

/** Phone sizes for overflow; the last one is also checked with axe. */
const PHONES = [{ width: 320, height: 568 }, { width: 390, height: 844 }, PHONE];

test("every screen passes on phones", { timeout: TIMEOUT_MS }, () =>
  visitAll(screens, { origin: server.url, language: "zu" }, async (page, place, nth) => {
    for (const size of PHONES) {
      await page.setViewportSize(size);
      expect.soft(await overflow(page, place)).toEqual([]);
    }
    await expectAccessible(page, place, { dark: isFull || nth % 2 === 0 });
  }),
);
