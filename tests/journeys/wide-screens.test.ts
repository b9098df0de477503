/** Every screen in the wide layout: no axe violations in light and in dark (everyday the screens that the phone tour leaves out), no horizontal overflow, no console errors. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, WIDE } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { isFull } from "#tests/support/size.ts";
import { everywhere, overflow, planTour, expectAccessible } from "./tour.ts";
import type { Tour } from "./tour.ts";

let server: TestServer;
let tour: Tour;

beforeAll(async () => {
  server = await startTestServer();
  tour = await planTour(server);
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** Time for visiting every screen on a busy machine. */
const TOUR_MS = 600_000;

test("in the wide layout", { timeout: TOUR_MS }, () =>
  everywhere(tour, { origin: server.url, size: WIDE }, async (page, place, nth) => {
    expect.soft(await overflow(page, place)).toEqual([]);
    await expectAccessible(page, place, { dark: isFull || nth % 2 === 1 });
  }),
);
