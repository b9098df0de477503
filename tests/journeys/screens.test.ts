/** Every screen of the route table: nothing axe objects to, light and dark; nothing off the side; nothing too small for a thumb; no complaint. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, DESK, newPage, PHONE, signIn } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { blameless, openTicket, review, seen } from "./stage.ts";
import { objections, overflow, planTour, smallTargets, stopAt } from "./tour.ts";
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

/** Visit every place, before and after signing in, with one page. */
async function everywhere(options: Parameters<typeof newPage>[0], look: (page: Page, place: string) => Promise<void>): Promise<void> {
  const visitor = await newPage(options);
  const stop = async (place: string): Promise<void> => {
    await stopAt(visitor, place);
    await look(visitor.page, place);
  };
  for (const place of tour.out) await stop(place);
  await signIn(visitor);
  for (const place of tour.signedIn) await stop(place);
  blameless(visitor);
  await visitor.close();
}

/** The device turns dark, or light again, and the page follows. */
async function turn(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
}

/** What axe objects to in both themes; the dark one differs in its colours alone. */
async function unobjectionable(page: Page, place: string): Promise<void> {
  expect.soft(await objections(page, place)).toEqual([]);
  await turn(page, "dark");
  expect.soft(await objections(page, `${place}, dark,`, true)).toEqual([]);
  await turn(page, "light");
}

test("on phones", { timeout: A_ROUND_MS }, () =>
  everywhere({ origin: server.url }, async (page, place) => {
    for (const size of PHONES) {
      await page.setViewportSize(size);
      expect.soft(await overflow(page, place)).toEqual([]);
    }
    await unobjectionable(page, place);
    expect.soft(await smallTargets(page, place)).toEqual([]);
  }),
);

test("at a desk", { timeout: A_ROUND_MS }, () =>
  everywhere({ origin: server.url, size: DESK }, async (page, place) => {
    expect.soft(await overflow(page, place)).toEqual([]);
    await unobjectionable(page, place);
  }),
);

for (const language of ["zu", "xh", "zh-TW"]) {
  test(`the narrowest phone, in ${language}`, { timeout: A_ROUND_MS }, () =>
    everywhere({ origin: server.url, size: { width: 320, height: 568 }, language }, async (page, place) => {
      expect.soft(await overflow(page, place)).toEqual([]);
    }),
  );
}

test("the ticket and its review fit a 360 x 560 viewport without scrolling", async () => {
  const visitor = await newPage({ origin: server.url, size: { width: 360, height: 560 } });
  await signIn(visitor);
  const ticket = await openTicket(visitor, "0050");
  const fits = (): Promise<boolean> =>
    ticket.evaluate((sheet) =>
      [sheet, ...sheet.querySelectorAll("*")].every(
        (element) => getComputedStyle(element).overflowY === "visible" || element.scrollHeight <= element.clientHeight + 1,
      ),
    );
  await seen(ticket.getByRole("button", { name: "Review order" }));
  expect(await fits()).toBe(true);
  await review(ticket, "Market", 1);
  await seen(ticket.getByRole("button", { name: /Buy rise/ }));
  expect(await fits()).toBe(true);
  await visitor.close();
});
