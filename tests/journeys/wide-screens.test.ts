/** Every screen of the route table where there is room: nothing axe objects to, light and dark; nothing off the side; no complaint. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, DESK } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { everywhere, overflow, planTour, unobjectionable } from "./tour.ts";
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

test("at a desk", { timeout: A_ROUND_MS }, () =>
  everywhere(tour, { origin: server.url, size: DESK }, async (page, place) => {
    expect.soft(await overflow(page, place)).toEqual([]);
    await unobjectionable(page, place);
  }),
);
