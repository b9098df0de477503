/** The app's own build in a fake native shell: calls to a broker elsewhere, the back button, haptics, the status bar and safe areas. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, DEMO, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { APP_ORIGIN, asked, openShell, pressBack } from "./native-shell.ts";
import { enabled, named, seen, until } from "./steps.ts";

/** What the system's bars cover of a phone in landscape or portrait. */
const INSETS = { top: 40, bottom: 34, left: 0, right: 0 };

let server: TestServer;
let visitor: Visit;

beforeAll(async () => {
  server = await startTestServer({ appOrigin: APP_ORIGIN });
  visitor = await openShell(server);
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

const route = (): string => new URL(visitor.page.url()).hash.slice(1);

/** Presses Back and waits for the app to arrive at a route. */
async function backTo(path: string): Promise<void> {
  await pressBack(visitor.page);
  await until(route, (at) => at.startsWith(path), `Back did not lead to ${path}`);
}

const exits = async (): Promise<number> => (await asked(visitor.page, "App.exitApp")).length;

test("the app signs in at the broker named in its page", async () => {
  const { page } = visitor;
  await visit(visitor, "/login/login");
  await page.getByLabel("ID number").first().fill(DEMO.idNumber);
  await page.getByLabel("Password", { exact: true }).fill(DEMO.password);
  await page.getByLabel("Guarantee code").fill(DEMO.guaranteeCode);
  await named(visitor, "button", "Sign in").click();
  await seen(page.getByText("10,000,000.00"));
  // Prices come over the worker's socket.
  await until(
    () => page.evaluate(() => document.querySelector("main [data-d]")?.textContent ?? ""),
    (text) => /\d/.test(text),
    "no prices",
  );
});

test("Back closes an overlay, then goes back, and quits at the second press within a second", async () => {
  const { page } = visitor;
  await page.goto(`${APP_ORIGIN}/#/home/index`);
  await page.reload();
  await seen(page.locator("main:visible"));
  await page.evaluate(() => (window.location.hash = "#/market/stockDetail?code=2330"));
  const opener = named(visitor, "button", "Buy rise").first();
  await enabled(opener);
  await opener.click();
  const dialog = page.locator("dialog[open]");
  await seen(dialog);
  const impacts = (await asked(page, "Haptics.impact")).length;
  await dialog.getByRole("button", { name: "Max" }).click();
  expect((await asked(page, "Haptics.impact")).length).toBeGreaterThan(impacts);

  await pressBack(page);
  await dialog.waitFor({ state: "hidden" });
  expect(route()).toMatch(/^\/market\/stockDetail/);
  await backTo("/home/index");
  expect(await exits()).toBe(0);
});

test("at the first page one press asks, a second within a second quits", async () => {
  const { page } = visitor;
  const first = await (await visitor.context.newPage()).close().then(() => page);
  await first.goto("about:blank");
  await first.goto(`${APP_ORIGIN}/#/home/index`);
  await seen(first.locator("main:visible"));
  await pressBack(first);
  await seen(first.getByText("Press Back again to quit"));
  expect(await exits()).toBe(0);
  await first.waitForTimeout(1_050);
  await pressBack(first);
  expect(await exits()).toBe(0);
  await pressBack(first);
  await until(exits, (count) => count === 1, "the second press did not quit");
});

test("the status bar is white with dark text, and nothing is below the system's bars", async () => {
  const { page } = visitor;
  const styles = await asked(page, "SystemBars.setStyle");
  expect(styles.find(({ options }) => options["bar"] === "StatusBar")?.options["style"]).toBe("LIGHT");
  const session = await visitor.context.newCDPSession(page);
  await session.send("Emulation.setSafeAreaInsetsOverride" as never, { insets: INSETS } as never);
  const covered = (): Promise<string[]> =>
    page.evaluate(({ top, bottom }) => {
      const found: string[] = [];
      for (const control of document.querySelectorAll<HTMLElement>("a[href], button, input")) {
        if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const { top: from, bottom: to, left, width, height } = control.getBoundingClientRect();
        const at = document.elementFromPoint(left + width / 2, from + height / 2);
        if (at === null || !control.contains(at)) continue;
        if (from < top || to > window.innerHeight - bottom) found.push(`${control.textContent} ${from}–${to}`);
      }
      return found;
    }, INSETS);
  for (const place of ["/home/index", "/market/stockDetail?code=2330", "/information/setting", "/favorite/zxList", "/home/stockList"]) {
    await page.evaluate((to) => (window.location.hash = `#${to}`), place);
    await until(route, (at) => at === place, `not at ${place}`);
    await seen(page.locator("main:visible").getByRole("link").or(page.locator("main:visible").getByRole("button")));
    expect.soft(await covered(), place).toEqual([]);
  }
  await page.evaluate(() => (window.location.hash = "#/market/stockDetail?code=2330"));
  await named(visitor, "button", "Buy rise").first().click();
  await seen(page.locator("dialog[open]"));
  expect.soft(await covered(), "the ticket").toEqual([]);
});

test("the web loads nothing of the native shell", async () => {
  const web = await newPage({ origin: server.url });
  await signIn(web);
  await visit(web, "/home/index");
  await seen(web.page.getByText("10,000,000.00"));
  const files = await web.page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  expect(files.filter((name) => /native|back-button|capacitor/i.test(name))).toEqual([]);
  expect(web.errors).toEqual([]);
  await web.close();
});
