/** How soon a tap shows on a slow phone while the market streams: from the finger to the painted frame that answers it, in the app itself. */
import type { CDPSession, Locator, Page } from "playwright-core";
import { closeBrowser, newPage, PHONE, signIn, visit } from "#tests/support/browser.ts";
import type { Asked } from "./bench.ts";
import { serveBuilt } from "./client.ts";
import { nodesOf, scroll } from "./list-page.ts";
import { probe } from "./probe.ts";
import { median, Samples } from "./samples.ts";
import { go } from "./soak-use.ts";
import type { Figure, Table } from "./table.ts";

const UPDATES = 2_000;
const SLOWDOWN = 6;
const TIMES = 12;
const QUICK_TIMES = 4;
const BUDGET_MS = 100;
const PATIENCE_MS = 10_000;
const ROW = `tap to feedback while streaming, ${SLOWDOWN}x slowdown`;

/** How long a finger rests on what it taps. */
const REST_MS = 60;

const NODES = "DOM nodes on a 2,000-row list";

/** No feedback any more but what was asked for. */
const SCREEN = "a row, the stock's whole screen";

/** What answers a tap: the tapped element comes to match a selector, or is seen no longer because another screen stands there. */
type Answer = { matches: string } | "gone";
/** A look when pressed answers the touch, everything else the finger's leaving. */
const PRESSED = { matches: ":active" };

/**
 * Milliseconds from the finger's touch (when it asks for a look) or leaving to the frame in which the answer is painted. Asked in every frame, not awaited from outside: the
 * answer is in the page's own time, and nothing of the bench stands in its way.
 */
async function answered({ page, cdp }: Tapped, what: Locator, answer: Answer): Promise<number> {
  await what.waitFor({ state: "visible" });
  await what.evaluate(
    (element, [wanted, since, patienceMs]) => {
      const there = (): boolean => (wanted === "gone" ? !element.checkVisibility() : element.matches(wanted.matches));
      if (there()) throw new Error("the answer stands there before the question");
      const painted = new Promise<number>((done) => {
        const touched = ({ timeStamp }: Event): void => {
          removeEventListener(since, touched, true);
          const look = (): void => {
            if (performance.now() - timeStamp > patienceMs) return done(Number.NaN);
            if (!there()) return void requestAnimationFrame(look);
            // Before this frame's paint; the message comes after it.
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => done(performance.now() - timeStamp);
            port2.postMessage(null);
          };
          requestAnimationFrame(look);
        };
        addEventListener(since, touched, true);
      });
      Object.assign(globalThis, { painted });
    },
    [answer, answer === PRESSED ? "pointerdown" : "pointerup", PATIENCE_MS] as const,
  );
  const box = await what.boundingBox();
  if (!box) throw new Error("nothing to tap");
  const finger = { x: box.x + Math.min(box.width / 2, 120), y: box.y + box.height / 2 };
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [finger] });
  await page.waitForTimeout(REST_MS);
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  return page.evaluate(() => (globalThis as unknown as { painted: Promise<number> }).painted);
}

/** The page and the way to touch it. */
interface Tapped {
  page: Page;
  cdp: CDPSession;
}

/** Everything that is tapped in a round, on a page that stands at the market's tab. */
async function taps(tapped: Tapped, note: (what: string, ms: number) => void): Promise<void> {
  const { page } = tapped;
  const screen = page.locator("main:visible");
  const tab = (list: string): Locator => screen.getByRole("tab", { name: list, exact: true });
  const root = (name: string): Locator => page.getByRole("navigation").getByRole("link", { name, exact: true });
  const chosen = { matches: "[aria-selected='true']" };
  const pause = (): Promise<void> => page.waitForTimeout(700);
  await go(page, "/favorite/index");
  note("a tab of a list", await answered(tapped, tab("Gainers"), chosen));
  await pause();
  const row = screen.locator("[role=listitem] a").first();
  await row.waitFor();
  // The look is there for as long as the finger; the screen behind it comes after.
  note("a row, its look", await answered(tapped, row, PRESSED));
  await pause();
  await go(page, "/favorite/index");
  note(SCREEN, await answered(tapped, row, "gone"));
  await pause();
  const star = page.locator("header:visible button[aria-pressed]").first();
  note(
    "a star",
    await answered(tapped, star, { matches: `[aria-busy='true'], :not([aria-pressed='${await star.getAttribute("aria-pressed")}'])` }),
  );
  await pause();
  const trades = screen.getByRole("tab", { name: "Trades", exact: true });
  await trades.scrollIntoViewIfNeeded();
  note("a part of the detail", await answered(tapped, trades, chosen));
  await go(page, "/favorite/index");
  note("a root of the tab bar", await answered(tapped, root("Trade"), { matches: "[aria-current='page']" }));
  await pause();
  await go(page, "/favorite/index");
  await answered(tapped, tab("Watchlist"), chosen);
}

function figures(samples: Samples, names: readonly string[], times: number): Figure[] {
  return names.flatMap((what): Figure[] => {
    const all = samples.all(what).toSorted((a, b) => a - b);
    return [
      { what: `${what}: half of ${times} taps`, value: median(all), unit: "ms" },
      {
        what: `${what}: 9 of 10 taps`,
        value: all[Math.ceil(all.length * 0.9) - 1] ?? Number.NaN,
        unit: "ms",
        ...(what === SCREEN ? {} : { budget: BUDGET_MS, row: ROW }),
      },
    ];
  });
}

/** Takes about two minutes, most of it building and loading. */
export async function run({ quick }: Asked): Promise<Table[]> {
  const times = quick ? QUICK_TIMES : TIMES;
  const server = await serveBuilt({ venue: { seed: 1, rate: UPDATES, hours: "always" } });
  try {
    const visitor = await newPage({ origin: server.url, size: PHONE });
    const { page } = visitor;
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await signIn(visitor);
    await visit(visitor, "/favorite/index");
    const one = await probe(page);
    const tapped = { page, cdp: one.cdp };
    const samples = new Samples();
    // What is met for the first time is loaded first; that is another figure.
    await taps(tapped, () => undefined);
    await one.slowDown(SLOWDOWN);
    for (let nth = 0; nth < times; nth += 1) await taps(tapped, (what, ms) => samples.note(what, ms));
    await one.slowDown(1);
    // Anew: no other screen is kept behind it.
    await go(page, "/favorite/categoryList");
    await page.reload();
    await page.locator("main:visible [role=listitem] a").first().waitFor();
    const scrolled = await scroll({ page, ...one, close: () => Promise.resolve() }, 1_000);
    return [
      {
        title: `The app at ${SLOWDOWN}x slowdown, its market moving ${UPDATES} times a second`,
        figures: figures(samples, samples.names(), times),
      },
      {
        title: "The list of every instrument under its category, in the app",
        figures: [
          { what: "DOM nodes of the whole page, texts included", value: await nodesOf(page), unit: "", budget: 700, row: NODES },
          { what: "frames while scrolling, no slowdown", value: scrolled.frames, unit: "/s" },
        ],
      },
    ];
  } finally {
    await closeBrowser();
    await server.stop();
  }
}
