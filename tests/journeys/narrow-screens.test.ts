/** The smallest viewports and the largest text: every screen in Chinese, and the ticket on a short phone. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type english from "#locales/en.json";
import { LANGUAGES } from "#src/gateway/language.ts";
import type { TextSize } from "#src/screens/information/text-size.tsx";
import { closePages, newPage, PHONE, signIn, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { isFull } from "#tests/support/size.ts";
import { enabled, openTicket, review, seen } from "./steps.ts";
import { visitAll, listScreens, smallTargets } from "./all-screens.ts";
import type { Screens } from "./all-screens.ts";
import { overflow } from "./overflow.ts";

let server: TestServer;
let screens: Screens;

beforeAll(async () => {
  // With new issues, so that there are offerings to show.
  server = await startTestServer({ venue: { newIssues: true } });
  screens = await listScreens(server);
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** Time for visiting every screen on a busy machine. */
const TIMEOUT_MS = 600_000;

/** The shortest words, which make the smallest targets; the longest ones have a tour of their own. With `test:full` also others. */
const TOURS = ["zh-TW", ...(isFull ? ["en", "xh", "zu"] : [])];

/** As the setting of the text size does. */
const setText = (page: Page, size: TextSize): Promise<void> =>
  page.evaluate((text) => {
    document.documentElement.dataset["text"] = text;
  }, size);

for (const language of TOURS) {
  test(`every screen fits the narrowest phone and the largest text, and has no small target: ${language}`, { timeout: TIMEOUT_MS }, () =>
    visitAll(screens, { origin: server.url, size: { width: 320, height: 568 }, language }, async (page, place) => {
      expect.soft(await overflow(page, place)).toEqual([]);
      await page.setViewportSize(PHONE);
      await setText(page, "largest");
      expect.soft(await overflow(page, `${place}, largest,`)).toEqual([]);
      await setText(page, "standard");
      expect.soft(await smallTargets(page, place)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 568 });
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
        (element) =>
          // Text for screen readers only is one pixel high.
          element.clientHeight <= 1 ||
          getComputedStyle(element).overflowY === "visible" ||
          element.scrollHeight <= element.clientHeight + 1,
      ),
    );
  await seen(ticket.getByRole("button", { name: "Review order" }));
  expect(await fits()).toBe(true);
  await review(ticket, "Market", 1);
  await seen(ticket.getByRole("button", { name: /Confirm buy/ }));
  expect(await fits()).toBe(true);
  await visitor.close();
});

test.for(Object.keys(LANGUAGES))("the total is above the whole confirm control of a short at 360 x 560: %s", async (language) => {
  const texts = ((await import(`#locales/${language}.json`, { with: { type: "json" } })) as { default: typeof english }).default.ticket;
  const visitor = await newPage({ origin: server.url, size: { width: 360, height: 560 }, language });
  const { page } = visitor;
  await signIn(visitor);
  await visit(visitor, "/market/stockDetail?code=2330");
  const opener = page.getByRole("button", { name: texts.side.sell, exact: true }).last();
  await enabled(opener);
  await opener.click();
  const ticket = page.locator("dialog[open]");
  await ticket.getByRole("button", { name: texts.kind.short, exact: true }).click();
  await ticket.getByRole("button", { name: texts.review, exact: true }).click();
  const foot = ticket.locator("[data-total]");
  await seen(foot.getByText(texts.totalFall));
  const { bottom, cut } = await foot.evaluate((element) => ({
    bottom: element.getBoundingClientRect().bottom,
    cut: [...element.querySelectorAll("*")].filter(
      (part) => part.clientHeight > 1 && getComputedStyle(part).overflowY === "hidden" && part.scrollHeight > part.clientHeight + 1,
    ).length,
  }));
  expect(bottom).toBeLessThanOrEqual(560);
  expect(cut).toBe(0);
  await visitor.close();
});
