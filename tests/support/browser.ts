/** Chromium for browser tests: phone-sized pages that record every error. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { sessionEndpoints } from "#contract/session.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { DEMO_GUARANTEE_CODE, DEMO_MEMBER, DEMO_PASSWORD } from "#server/ops/seed.ts";
import { ROOT } from "#tests/support/tree.ts";

/** Features that Playwright switches off. The browser reads only the last list, so ours repeats them. */
const OFF_IN_PLAYWRIGHT = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
];

/** The address bar of every window would load two pages of the browser's own: two thirds of a second of CPU time for each context. */
const OFF = [...OFF_IN_PLAYWRIGHT, "PreloadTopChromeWebUI", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxPopup"];

/** No first-run pages and no background traffic. */
const ARGS = [
  `--disable-features=${OFF.join(",")}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Viewports: the specification's phone, and the wide layout. */
export const PHONE = { width: 360, height: 640 };
export const WIDE = { width: 1280, height: 800 };

export interface VisitOptions {
  /** The server's origin, `http://localhost:…`. */
  origin: string;
  size?: { width: number; height: number };
  theme?: "light" | "dark";
  /** A language of `locales/`; English when not given. */
  language?: string;
  /** Shares local storage with an earlier visit, like another tab of the same browser. */
  beside?: Visit;
}

/** One page and the errors it had so far. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  origin: string;
  /** The language the page started with. */
  language: string;
  /** Console errors, uncaught exceptions, failed or refused requests, requests to another origin; a journey asserts that it is empty. */
  errors: string[];
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

/** The browser shared by all pages of this process; started on the first call. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath:
      process.env["CHROMIUM_PATH"] ?? execFileSync(process.execPath, [join(ROOT, "tools", "browser.mjs")], { encoding: "utf8" }).trim(),
    args: ARGS,
  });
  return browser;
}

/** Closes the shared browser. */
export async function closeBrowser(): Promise<void> {
  const running = browser;
  browser = undefined;
  await (await running)?.close();
}

/** Closes all pages. The browser serves the next test file of the process, and ends with it. */
export async function closePages(): Promise<void> {
  const contexts = (await browser)?.contexts() ?? [];
  await Promise.all(contexts.map((context) => context.close()));
}

/** Records a page's errors. Requests aborted by a navigation do not count. */
function recordErrors(page: Page, origin: string, errors: string[]): void {
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => errors.push(`exception: ${error.message}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    if (why !== "net::ERR_ABORTED") errors.push(`failed: ${request.method()} ${request.url()} ${why}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) errors.push(`answered ${response.status()}: ${response.url()}`);
  });
  page.on("request", (request) => {
    if (/^(?:https?|wss?):/.test(request.url()) && new URL(request.url()).origin !== origin) errors.push(`foreign: ${request.url()}`);
  });
  page.on("websocket", (socket) => {
    if (new URL(socket.url()).host !== new URL(origin).host) errors.push(`foreign: ${socket.url()}`);
  });
}

/** Opens a blank page. */
export async function newPage(options: VisitOptions): Promise<Visit> {
  const { origin, size = PHONE, theme = "light", language, beside } = options;
  const phone = size.width < 1024;
  const context =
    beside?.context ??
    (await (
      await sharedBrowser()
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
  const errors: string[] = [];
  recordErrors(page, origin, errors);
  return { page, context, origin, language: language ?? "en", errors, close: () => (beside ? page.close() : context.close()) };
}

/** Navigates to a hash route such as `/home/index`. */
export async function visit({ page, origin }: Visit, route: string): Promise<void> {
  const url = `${origin}/#${route}`;
  // A closed overlay takes a moment to step back from its history entry. Unlike a click, this navigation would not wait, and be undone.
  // Beside an open one the look and the navigation are one act: it may close between two.
  const result = await page.waitForFunction((to) => {
    const isOpen = document.querySelector("dialog[open]") !== null;
    if (!isOpen) return window.history.state?.overlay === undefined ? "load" : null;
    const [file, hash = ""] = to.split("#");
    if (location.href.split("#")[0] !== file || location.hash === `#${hash}`) return "load";
    location.hash = hash;
    return "there";
  }, url);
  if ((await result.jsonValue()) === "load") await page.goto(url);
}

/** Sign-in credentials; by default the demo member's. */
export interface Credentials {
  idNumber: string;
  password: string;
  guaranteeCode: string;
}
export const DEMO: Credentials = { idNumber: DEMO_MEMBER.idNumber, password: DEMO_PASSWORD, guaranteeCode: DEMO_GUARANTEE_CODE };

/** Signs in without the form: one API call and two local storage keys. The form has its own journey. */
export async function signIn(visitor: Visit, credentials: Credentials = DEMO): Promise<{ token: string; account: string }> {
  // Sent from an empty page of the origin, so that the app finds the session on its first read. The browser sends the request, because this
  // process cannot know which connections are still alive.
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
    (values) => {
      for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
    },
    { tokend: token, account },
  );
  return { token, account };
}
