/** Every overlay on a phone: Esc closes it and restores the focus, Back closes it and stays on the page. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { expectNoErrors, enabled, seen, until } from "./steps.ts";
import { seedMember } from "./all-screens.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await seedMember(server);
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** Where each overlay is, and the button that opens it. */
const OVERLAYS: [place: string, opener: string | RegExp][] = [
  ["/market/stockDetail?code=2330", "Buy"],
  ["/market/stockDetail?code=2330", /^Price alerts of/],
  ["/market/stockDetail?code=2330", "TSMC on my watchlist"],
  ["/market/stockDetail?code=2330", "Chart settings"],
  ["/market/stockDetail?code=2330", "Full screen"],
  ["/favorite/zxList", /: actions$/],
  ["/favorite/categoryList", "Jump to a category"],
  ["/favorite/editSelf", /^Delete /],
  ["/information/setting", "Sign out"],
  ["/trade/index?position=0050:rise:cash", "Sell"],
];

/** The current route in the address bar. */
const routeOf = ({ page }: Visit): Promise<string> => page.evaluate(() => window.location.hash);

test("Esc and Back close every overlay", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await signIn(visitor);
  for (const [place, name] of OVERLAYS) {
    await visit(visitor, place);
    if (place === "/favorite/editSelf") await page.getByRole("radio", { name: "Groups" }).check({ force: true });
    const opener = page
      .locator("main:visible, header:visible")
      .getByRole("button", { name, exact: typeof name === "string" })
      .first();
    await enabled(opener);
    const at = await routeOf(visitor);
    const dialog = page.locator("dialog[open]");
    for (const way of ["Escape", "Back"] as const) {
      await opener.click();
      await seen(dialog);
      await (way === "Escape" ? page.keyboard.press("Escape") : page.goBack());
      await until(
        () => dialog.count(),
        (count) => count === 0,
        `${place} ${name}: ${way} did not close it`,
      );
      expect.soft(await routeOf(visitor), `${place} ${name}: ${way} left the page`).toBe(at);
      const focused = await opener.evaluate((element) => element === document.activeElement);
      expect.soft(focused, `${place} ${name}: the focus was lost after ${way}`).toBe(true);
    }
  }
  expectNoErrors(visitor);
  await visitor.close();
});

test("a tap right after closing an overlay opens its page", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await signIn(visitor);
  await visit(visitor, "/favorite/zxList");
  const opener = page.getByRole("button", { name: /: actions$/ }).first();
  await opener.click();
  await seen(page.locator("dialog[open]"));
  // The browser leaves the overlay's history entry a few milliseconds after it was told to: the tap comes in between.
  await page.evaluate(() => {
    const back = window.history.back.bind(window.history);
    window.history.back = () => {
      back();
      document.querySelector<HTMLElement>("main [role=listitem] a")?.click();
    };
    document.querySelector<HTMLElement>("dialog[open] header button")?.click();
  });
  await seen(page.getByRole("button", { name: "Buy", exact: true }));
  expect(await routeOf(visitor)).toMatch(/^#\/market\/stockDetail/);
  expectNoErrors(visitor);
  await visitor.close();
});
