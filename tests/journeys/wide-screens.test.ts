/** Every screen in the wide layout: no axe violations in light and in dark (everyday the screens that the phone tour leaves out), no horizontal overflow, no console errors. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { closePages, newPage, signIn, WIDE } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { isFull } from "#tests/support/size.ts";
import { visitAll, listScreens, openScreen, expectAccessible } from "./all-screens.ts";
import type { Screens } from "./all-screens.ts";
import { overflow } from "./overflow.ts";

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

/** Words of the workspace that are broken within, or run over the edge of their key; and rows that are higher than one line. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const key = node.parentElement?.closest("button, label, th, [role=columnheader], [role=cell]:not(:has(button))");
      if (!key?.checkVisibility({ visibilityProperty: true }) || node.parentElement?.clientWidth === 1) continue;
      const edge = key.getBoundingClientRect();
      for (const { index, 0: word } of (node.nodeValue ?? "").matchAll(/[\p{L}\d,.%]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
        const { left, right, width } = range.getBoundingClientRect();
        if (width < 2) continue;
        if (tops.size > 1) found.push(`${word} is broken`);
        else if (left < edge.left - 1 || right > edge.right + 1) found.push(`${word} leaves ${key.outerHTML.slice(0, 80)}`);
      }
    }
    const search = document.querySelector("button[aria-haspopup=dialog]:has(kbd)");
    if (!search || search.clientHeight > 48) found.push(`the search box is ${search?.clientHeight} px high`);
    return found;
  });

test("no word of the workspace is broken or leaves its key in the language with the longest words", async () => {
  const visitor = await newPage({ origin: server.url, size: WIDE, language: "zu" });
  await signIn(visitor);
  await openScreen(visitor, "/market/stockDetail?code=0050");
  await visitor.page.locator("[role=cell]").first().waitFor();
  expect(await brokenWords(visitor.page)).toEqual([]);
  await visitor.close();
});
