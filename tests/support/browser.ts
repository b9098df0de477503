/** A real Chromium for the journeys: pages the size of a phone that write down everything a page must not do. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { sessionEndpoints } from "#contract/session.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { DEMO_GUARANTEE_CODE, DEMO_MEMBER, DEMO_PASSWORD } from "#server/ops/seed.ts";
import { ROOT } from "#tests/support/tree.ts";

/** Quiet and alone: no first-run pages, no calls home. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The phone of the specification's journeys, and the desk. */
export const PHONE = { width: 360, height: 640 };
export const DESK = { width: 1280, height: 800 };

export interface VisitOptions {
  /** The server's origin, `http://localhost:…`. */
  origin: string;
  size?: { width: number; height: number };
  theme?: "light" | "dark";
  /** A language of `locales/`; English when not given. */
  language?: string;
  /** Share local storage with an earlier visit: another tab of the same browser. */
  beside?: Visit;
}

/** One page and everything it did wrong so far. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  origin: string;
  /** The language the page began with. */
  language: string;
  /** Console errors, uncaught exceptions, failed or refused requests, requests to another origin; what a journey ends by finding empty. */
  complaints: string[];
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

/** The browser all pages of this run share; started at the first call. */
export function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath:
      process.env["CHROMIUM_PATH"] ?? execFileSync(process.execPath, [join(ROOT, "tools", "browser.mjs")], { encoding: "utf8" }).trim(),
    args: ARGS,
  });
  return browser;
}

/** End the shared browser. */
export async function closeBrowser(): Promise<void> {
  const running = browser;
  browser = undefined;
  await (await running)?.close();
}

/** Write down what a page does wrong. Requests that a navigation cut off are not its fault. */
function listen(page: Page, origin: string, complaints: string[]): void {
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.message}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    if (why !== "net::ERR_ABORTED") complaints.push(`failed: ${request.method()} ${request.url()} ${why}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`answered ${response.status()}: ${response.url()}`);
  });
  page.on("request", (request) => {
    if (/^(?:https?|wss?):/.test(request.url()) && new URL(request.url()).origin !== origin) complaints.push(`foreign: ${request.url()}`);
  });
  page.on("websocket", (socket) => {
    if (new URL(socket.url()).host !== new URL(origin).host) complaints.push(`foreign: ${socket.url()}`);
  });
}

/** Open a page, not yet anywhere. */
export async function newPage(options: VisitOptions): Promise<Visit> {
  const { origin, size = PHONE, theme = "light", language, beside } = options;
  const phone = size.width < 1024;
  const context =
    beside?.context ??
    (await (
      await theBrowser()
    ).newContext({
      viewport: size,
      colorScheme: theme,
      deviceScaleFactor: phone ? 2 : 1,
      isMobile: phone,
      hasTouch: phone,
      reducedMotion: "reduce",
      timezoneId: "UTC",
      ...(language === undefined
        ? {}
        : { storageState: { cookies: [], origins: [{ origin, localStorage: [{ name: "language", value: language }] }] } }),
    }));
  const page = await context.newPage();
  const complaints: string[] = [];
  listen(page, origin, complaints);
  return { page, context, origin, language: language ?? "en", complaints, close: () => (beside ? page.close() : context.close()) };
}

/** Go to a hash route: `/home/index`. */
export async function visit({ page, origin }: Visit, route: string): Promise<void> {
  await page.goto(`${origin}/#${route}`);
}

/** Who signs in; the demo member when not given. */
export interface Credentials {
  idNumber: string;
  password: string;
  guaranteeCode: string;
}
export const DEMO: Credentials = { idNumber: DEMO_MEMBER.idNumber, password: DEMO_PASSWORD, guaranteeCode: DEMO_GUARANTEE_CODE };

/** Be signed in without the form: one call, two words in local storage. What the form does is its own journey. */
export async function signIn(visitor: Visit, credentials: Credentials = DEMO): Promise<{ token: string; account: string }> {
  // From an empty page of the origin: the app's first look at its storage is the signed-in one. The browser asks by itself, for it
  // knows better than this process which connections still live.
  const { page, origin } = visitor;
  await page.route(`${origin}/empty`, (route) => route.fulfill({ contentType: "text/html", body: '<link rel="icon" href="data:,">' }));
  await page.goto(`${origin}/empty`);
  await page.unroute(`${origin}/empty`);
  const reply = await page.evaluate(
    async ([path = "", body = ""]) => {
      const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body });
      return (await answer.json()) as { status: number; msg: string; data: { token: string; account: string } };
    },
    [BASE_PATH + sessionEndpoints.signIn.path, JSON.stringify(credentials)],
  );
  if (reply.status !== 1) throw new Error(`sign-in refused: ${reply.msg}`);
  const { token, account } = reply.data;
  await page.evaluate(
    (words) => {
      for (const [name, value] of Object.entries(words)) localStorage.setItem(name, value);
    },
    { tokend: token, account },
  );
  return { token, account };
}
