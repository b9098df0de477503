/** Every screen of the route table on phones: nothing axe objects to, light and dark; nothing off the side; nothing too small for a thumb; no complaint. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, PHONE } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { everywhere, overflow, planTour, smallTargets, unobjectionable } from "./tour.ts";
import type { Tour } from "./tour.ts";

let server: TestServer;
let tour: Tour;

beforeAll(async () => {
  server = await startTestServer();
  tour = await planTour(server);
});

afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** A round of every screen, on a machine that has other things to do. */
const A_ROUND_MS = 600_000;

/** The other phones of the look; the first is where axe and thumb are asked. */
const PHONES = [{ width: 320, height: 568 }, { width: 390, height: 844 }, PHONE];

test("on phones", { timeout: A_ROUND_MS }, () =>
  everywhere(tour, { origin: server.url }, async (page, place) => {
    for (const size of PHONES) {
      await page.setViewportSize(size);
      expect.soft(await overflow(page, place)).toEqual([]);
    }
    await unobjectionable(page, place);
    expect.soft(await smallTargets(page, place)).toEqual([]);
  }),
);
