/** Every overlay on a phone: Esc closes it and gives the focus back, Back closes it and stays on the page. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { blameless, enabled, seen, until } from "./stage.ts";
import { furnish } from "./tour.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await furnish(server);
});

afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** Where each overlay is, and the button that opens it. */
const OVERLAYS: [place: string, opener: string | RegExp][] = [
  ["/market/stockDetail?code=2330", "Buy rise"],
  ["/market/stockDetail?code=2330", /^Price alerts of/],
  ["/market/stockDetail?code=2330", "TSMC on my watchlist"],
  ["/market/stockDetail?code=2330", "Chart settings"],
  ["/market/stockDetail?code=2330", "Full screen"],
  ["/favorite/zxList", /on which lists/],
  ["/favorite/categoryList", "Jump to a category"],
  ["/favorite/editSelf", /^Delete /],
  ["/information/setting", "Sign out"],
  ["/trade/index", /^Close/],
];

/** What the address says, with the place in history. */
const standing = ({ page }: Visit): Promise<string> => page.evaluate(() => window.location.hash);

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
    const at = await standing(visitor);
    const dialog = page.locator("dialog[open]");
    for (const way of ["Escape", "Back"] as const) {
      await opener.click();
      await seen(dialog);
      await (way === "Escape" ? page.keyboard.press("Escape") : page.goBack());
      await until(
        () => dialog.count(),
        (count) => count === 0,
        `${place} ${name}: ${way} does not close it`,
      );
      expect.soft(await standing(visitor), `${place} ${name}: ${way} leads away`).toBe(at);
      const focused = await opener.evaluate((element) => element === document.activeElement);
      expect.soft(focused, `${place} ${name}: the focus is lost after ${way}`).toBe(true);
    }
  }
  blameless(visitor);
  await visitor.close();
});
