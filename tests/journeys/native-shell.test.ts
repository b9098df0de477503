/** The app's own build in a fake native shell: calls to a broker elsewhere, the back button, haptics, the status bar and safe areas. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { DEVICE_HEADER } from "#contract/kernel/endpoint.ts";
import { SECOND_PRESS_MS } from "#machines/back-button.ts";
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
  server = await startTestServer({ appOrigins: [APP_ORIGIN] });
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

/** Signs in on the screen. @returns the device that the app named */
async function enter(): Promise<string | null> {
  const { page } = visitor;
  await visit(visitor, "/login/login");
  await page.getByLabel("ID number").first().fill(DEMO.idNumber);
  await page.getByLabel("Password", { exact: true }).fill(DEMO.password);
  await page.getByLabel("Guarantee code").fill(DEMO.guaranteeCode);
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "POST" && one.url().endsWith(endpoints.signIn.path)),
    named(visitor, "button", "Sign in").click(),
  ]);
  await seen(page.getByText("10,000,000.00"));
  return request.headerValue(DEVICE_HEADER);
}

test("the app signs in at the broker named in its page", async () => {
  const { page } = visitor;
  expect(await enter()).toBeNull();
  // Prices come over the worker's socket.
  await until(
    () => page.evaluate(() => document.querySelector("main [data-d]")?.textContent ?? ""),
    (text) => /\d/.test(text),
    "no prices",
  );
});

test("the app is a known device at its next sign-in, without a cookie", async () => {
  const { page } = visitor;
  await page.evaluate(() => localStorage.clear());
  await page.goto("about:blank");
  expect(await enter()).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
  expect(await visitor.context.cookies()).toEqual([]);
});

test("Back closes an overlay, then goes back in history", async () => {
  const { page } = visitor;
  await page.evaluate(() => (window.location.hash = "#/market/stockDetail?code=2330"));
  const opener = named(visitor, "button", "Buy").first();
  await enabled(opener);
  await opener.click();
  const dialog = page.locator("dialog[open]");
  await seen(dialog);
  const impacts = (await asked(page, "Haptics.impact")).length;
  await dialog.getByRole("button", { name: "100%" }).click();
  await until(
    () => asked(page, "Haptics.impact"),
    (calls) => calls.length > impacts,
    "the tap was not felt",
  );

  await pressBack(page);
  await dialog.waitFor({ state: "hidden" });
  expect(route()).toMatch(/^\/market\/stockDetail/);
  await backTo("/home/index");
  expect(await exits()).toBe(0);
});

test("at the first page one press asks, a second within a second quits", async () => {
  const { page } = visitor;
  // A history of its own, as after a start.
  await page.goto("about:blank");
  await page.goto(`${APP_ORIGIN}/#/home/index`);
  await seen(page.locator("main:visible"));
  await until(
    () => asked(page, "App.addListener"),
    (calls) => calls.length > 0,
    "the app does not listen to Back",
  );
  await pressBack(page);
  await seen(page.getByText("Press Back again to quit"));
  await page.waitForTimeout(SECOND_PRESS_MS + 50);
  await pressBack(page);
  expect(await exits()).toBe(0);
  await pressBack(page);
  await until(exits, (count) => count === 1, "the second press did not quit");
});

test("the status bar is white with dark text, and nothing is below the system's bars", async () => {
  const { page } = visitor;
  const styles = await asked(page, "SystemBars.setStyle");
  expect(styles.find(({ options }) => options["bar"] === "StatusBar")?.options["style"]).toBe("LIGHT");
  const session = await visitor.context.newCDPSession(page);
  await session.send("Emulation.setSafeAreaInsetsOverride" as never, { insets: INSETS } as never);
  /** Controls that would take taps below the system's bars. */
  const covered = (): Promise<string[]> =>
    page.evaluate(({ top, bottom }) => {
      const { innerWidth: width, innerHeight: height } = window;
      const controls = new Set<Element>();
      for (let x = 4; x < width; x += 8) {
        for (const y of [4, top - 4, height - bottom + 4, height - 4]) {
          const control = document.elementFromPoint(x, y)?.closest("a[href], button, input");
          if (control) controls.add(control);
        }
      }
      return [...controls].map((control) => control.outerHTML.slice(0, 120));
    }, INSETS);
  const painted = await page.evaluate(() => {
    const mark = document.elementFromPoint(window.innerWidth / 2, 4);
    return mark ? getComputedStyle(mark).backgroundImage : "";
  });
  expect(painted).toContain("rgb(255, 255, 255)");
  for (const place of ["/home/index", "/market/stockDetail?code=2330", "/information/setting", "/favorite/zxList", "/home/stockList"]) {
    await page.evaluate((to) => (window.location.hash = `#${to}`), place);
    await until(route, (at) => at === place, `not at ${place}`);
    await seen(page.locator("main:visible").getByRole("link").or(page.locator("main:visible").getByRole("button")));
    expect.soft(await covered(), place).toEqual([]);
  }
  await page.evaluate(() => (window.location.hash = "#/market/stockDetail?code=2330"));
  await named(visitor, "button", "Buy").first().click();
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
