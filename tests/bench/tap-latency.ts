/** Benchmark of tap latency on a slow phone while the market streams: from the touch to the frame with its visible response, in the app. */
import type { CDPSession, Locator, Page } from "playwright-core";
import { closeBrowser, newPage, PHONE, signIn, visit } from "#tests/support/browser.ts";
import type { BenchOptions } from "./bench.ts";
import { serveBuilt } from "./client.ts";
import { nodesOf, scroll } from "./list-page.ts";
import { openMetrics } from "./page-metrics.ts";
import { median, Samples } from "./samples.ts";
import { navigate } from "./simulated-user.ts";
import type { Figure, Table } from "./table.ts";

const UPDATES = 2_000;
const SLOWDOWN = 6;
const TIMES = 12;
const QUICK_TIMES = 4;
const BUDGET_MS = 100;
const TIMEOUT_MS = 10_000;
const ROW = `tap to feedback while streaming, ${SLOWDOWN}x slowdown`;

/** How long a finger touches the screen. */
const TOUCH_MS = 60;

const NODES = "DOM nodes on a 2,000-row list";

/** Not only feedback: the requested screen itself. */
const SCREEN = "a row, the stock screen";

/** The expected response: the tapped element matches a selector, or is hidden because another screen replaced it. */
type Response = { matches: string } | "gone";
/** The pressed style responds to touchstart, everything else to touchend. */
const PRESSED = { matches: ":active" };

/**
 * Milliseconds from the touch (for the pressed style) or its release to the frame that paints the response. Checked in every animation
 * frame of the page, so that the benchmark itself adds no delay.
 */
async function responseMs({ page, cdp }: TouchPage, target: Locator, response: Response): Promise<number> {
  await target.waitFor({ state: "visible" });
  await target.evaluate(
    (element, [wanted, since, timeoutMs]) => {
      const isVisible = (): boolean => (wanted === "gone" ? !element.checkVisibility() : element.matches(wanted.matches));
      if (isVisible()) throw new Error("the response is visible before the tap");
      const painted = new Promise<number>((done) => {
        const touched = ({ timeStamp }: Event): void => {
          removeEventListener(since, touched, true);
          const check = (): void => {
            if (performance.now() - timeStamp > timeoutMs) return done(Number.NaN);
            if (!isVisible()) return void requestAnimationFrame(check);
            // This is before the frame's paint; the message arrives after it.
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => done(performance.now() - timeStamp);
            port2.postMessage(null);
          };
          requestAnimationFrame(check);
        };
        addEventListener(since, touched, true);
      });
      Object.assign(globalThis, { painted });
    },
    [response, response === PRESSED ? "pointerdown" : "pointerup", TIMEOUT_MS] as const,
  );
  const box = await target.boundingBox();
  if (!box) throw new Error("nothing to tap");
  const point = { x: box.x + Math.min(box.width / 2, 120), y: box.y + box.height / 2 };
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
  await page.waitForTimeout(TOUCH_MS);
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  return page.evaluate(() => (globalThis as unknown as { painted: Promise<number> }).painted);
}

/** A page with its DevTools session. */
interface TouchPage {
  page: Page;
  cdp: CDPSession;
}

/** Taps everything once, starting from the market tab. */
async function taps(tapped: TouchPage, note: (what: string, ms: number) => void): Promise<void> {
  const { page } = tapped;
  const screen = page.locator("main:visible");
  const tab = (list: string): Locator => screen.getByRole("tab", { name: list, exact: true });
  const root = (name: string): Locator => page.getByRole("navigation").getByRole("link", { name, exact: true });
  const chosen = { matches: "[aria-selected='true']" };
  const pause = (): Promise<void> => page.waitForTimeout(700);
  await navigate(page, "/favorite/index");
  note("a tab of a list", await responseMs(tapped, tab("Gainers"), chosen));
  await pause();
  const row = screen.locator("[role=listitem] a").first();
  await row.waitFor();
  // The pressed style lasts as long as the touch; the screen follows.
  note("a row, its pressed style", await responseMs(tapped, row, PRESSED));
  await pause();
  await navigate(page, "/favorite/index");
  note(SCREEN, await responseMs(tapped, row, "gone"));
  await pause();
  const star = page.locator("header:visible button[aria-pressed]").first();
  note(
    "a star",
    await responseMs(tapped, star, { matches: `[aria-busy='true'], :not([aria-pressed='${await star.getAttribute("aria-pressed")}'])` }),
  );
  await pause();
  const trades = screen.getByRole("tab", { name: "Trades", exact: true });
  await trades.scrollIntoViewIfNeeded();
  note("a tab of the stock screen", await responseMs(tapped, trades, chosen));
  await navigate(page, "/favorite/index");
  note("a link of the tab bar", await responseMs(tapped, root("Trade"), { matches: "[aria-current='page']" }));
  await pause();
  await navigate(page, "/favorite/index");
  await responseMs(tapped, tab("Watchlist"), chosen);
}

function figures(samples: Samples, names: readonly string[], times: number): Figure[] {
  return names.flatMap((what): Figure[] => {
    const all = samples.all(what).toSorted((a, b) => a - b);
    return [
      { what: `${what}: median of ${times} taps`, value: median(all), unit: "ms" },
      {
        what: `${what}: 90th percentile`,
        value: all[Math.ceil(all.length * 0.9) - 1] ?? Number.NaN,
        unit: "ms",
        ...(what === SCREEN ? {} : { budget: BUDGET_MS, row: ROW }),
      },
    ];
  });
}

/** Takes about two minutes, mostly to build and load. */
export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const times = quick ? QUICK_TIMES : TIMES;
  const server = await serveBuilt({ venue: { seed: 1, rate: UPDATES, hours: "always" } });
  try {
    const visitor = await newPage({ origin: server.url, size: PHONE });
    const { page } = visitor;
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await signIn(visitor);
    await visit(visitor, "/favorite/index");
    const one = await openMetrics(page);
    const tapped = { page, cdp: one.cdp };
    const samples = new Samples();
    // The first visit also loads code, which is not measured here.
    await taps(tapped, () => undefined);
    await one.slowDown(SLOWDOWN);
    for (let nth = 0; nth < times; nth += 1) await taps(tapped, (what, ms) => samples.note(what, ms));
    await one.slowDown(1);
    // Reloaded, so that no other screen is mounted.
    await navigate(page, "/favorite/categoryList");
    await page.reload();
    await page.locator("main:visible [role=listitem] a").first().waitFor();
    const scrolled = await scroll({ page, ...one, close: () => Promise.resolve() }, 1_000);
    return [
      {
        title: `The app at ${SLOWDOWN}x slowdown, ${UPDATES} market updates/s`,
        figures: figures(samples, samples.names(), times),
      },
      {
        title: "The list of all instruments by category, in the app",
        figures: [
          { what: "DOM nodes of the page, including text", value: await nodesOf(page), unit: "", budget: 700, row: NODES },
          { what: "frames while scrolling, no slowdown", value: scrolled.frames, unit: "/s" },
        ],
      },
    ];
  } finally {
    await closeBrowser();
    await server.stop();
  }
}
