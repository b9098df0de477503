/** Visits every screen: the routes of the route table with the queries they need, and the checks made on each screen. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type en from "#locales/en.json";
import { step } from "#contract/tick.ts";
import type { PlainRoute, Route } from "#src/paths.ts";
import { routes } from "#src/routes.tsx";
import { Newsroom } from "#server/news/newsroom.ts";
import { newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit, VisitOptions } from "#tests/support/browser.ts";
import type { TestServer } from "#tests/support/server.ts";
import { ROOT } from "#tests/support/tree.ts";
import { expectNoErrors, movePrice, until, WAIT_MS } from "./steps.ts";

/** The queries each route is visited with. A route that needs a query and has none here does not compile; every other one is visited without. */
type Queries = Record<Exclude<Route, PlainRoute>, string[]> & Partial<Record<PlainRoute, string[]>>;

/** Every address of the app: for signed-out and for signed-in visitors. */
export interface Screens {
  signedOut: string[];
  signedIn: string[];
}

/** The first matching item of the member's data, waited for. */
async function first<Item>(read: () => Promise<Item | undefined>, what: string): Promise<Item> {
  const item = await until(read, (found) => found !== undefined, what);
  if (item === undefined) throw new Error(what);
  return item;
}

/** The stock whose alert fires, and how far above the market: too far to be reached while the alert is being set. */
const FIRED = { code: "1101", ticks: 5 };

/** Gives the demo member data for every screen: an order, two groups, a waiting alert and one that fires now. */
export async function seedMember(server: TestServer): Promise<void> {
  const member = await server.enter();
  const fired = server.venue.instrument(FIRED.code);
  if (!fired) throw new Error(`no ${FIRED.code}`);
  let level: number = server.venue.quote(fired.row).last;
  for (let tick = 0; tick < FIRED.ticks; tick += 1) level = step(fired.kind, level, 1);
  const replies = await Promise.all([
    server.call(
      "placeOrder",
      { requestId: crypto.randomUUID(), code: "0050", direction: "rise", pricing: "market", price: null, lots: 1 },
      member,
    ),
    server.call("saveGroup", { id: crypto.randomUUID(), name: "Chips" }, member),
    server.call("setAlert", { id: crypto.randomUUID(), code: FIRED.code, kind: "above", level }, member),
    server.call("setAlert", { id: crypto.randomUUID(), code: "2330", kind: "rise", level: 999 }, member),
    server.call("saveLines", { code: "2330", lines: [{ id: crypto.randomUUID(), price: 10_000_000, alert: null }] }, member),
  ]);
  for (const reply of replies) if (reply.status !== 1) throw new Error(reply.msg);
  movePrice(server, FIRED.code, 2 * FIRED.ticks);
}

/** One offering that upcoming members may book, and one that is open, as far as there are any; at least one unknown. */
async function openOfferings(server: TestServer, member: Awaited<ReturnType<TestServer["enter"]>>): Promise<string[]> {
  const found = await Promise.all(
    (["upcoming", "open"] as const).map(async (phase) => {
      const list = await server.call("listOfferings", { phases: [phase], kinds: ["share", "bond", "placement"], cursor: null }, member);
      return list.status === 1 ? list.data.page.items.slice(0, 1).map(({ offering }) => offering.offeringNo) : [];
    }),
  );
  return [...found.flat(), "S999999"];
}

/** Seeds the member and lists every address. A route without an entry in `queries` is visited without a query. */
export async function listScreens(server: TestServer): Promise<Screens> {
  await seedMember(server);
  // The server publishes its first news only some seconds after its start.
  await new Newsroom({ db: server.db, venue: server.venue, now: () => Date.now() }).publishDue();
  const member = await server.enter();
  const order = await first(async () => {
    const orders = await server.call("listOrders", { statuses: ["pending", "holding"], cursor: null }, member);
    return orders.status === 1 ? orders.data.items[0] : undefined;
  }, "the member has no order");
  const message = await first(async () => {
    const messages = await server.call("listMessages", { cursor: null }, member);
    return messages.status === 1 ? messages.data.items.find(({ kind }) => kind === "alert") : undefined;
  }, "no alert fired");
  const article = await first(async () => {
    const news = await server.call("listNews", { topic: null, code: null, cursor: null }, member);
    return news.status === 1 ? news.data.items.find(({ codes }) => codes.length > 0) : undefined;
  }, "no news was published");
  const flows = await server.call("listFlows", { kinds: null, from: null, until: null, cursor: null }, member);
  const flowNo = flows.status === 1 ? (flows.data.items[0]?.flowNo ?? "") : "";
  const offeringNos = await openOfferings(server, member);
  const options = await server.call("readOptions", { month: null }, member);
  const series = options.status === 1 ? options.data.chain.slice(15, 16).map(({ call }) => call.code) : [];
  const queries: Queries = {
    "/information/balance": ["?currency=TWD&pocket=available"],
    "/information/movement": [`?no=${flowNo}`],
    "/home/newsDetail": [`?id=${article.id}`],
    "/favorite/moreList": ["?by=volume", "?by=limitUp&board=otc"],
    "/favorite/moreListCate": ["?board=listed&category=24"],
    "/market/index": ["", "?board=subscription"],
    "/market/stockDetail": ["?code=2330"],
    "/market/stockDetailzs": ["?code=IX0001"],
    "/market/Plate": ["", "?view=list"],
    "/market/Plate1": ["?board=otc&category=24"],
    "/trade/positionDetail": [`?orderNo=${order.orderNo}`],
    "/information/msgInfo": [`?id=${message.id}`],
    "/information/rechargeChannel": ["?channel=transfer", "?channel=password", "?channel=usdtErc20"],
    "/home/blockTrade1": ["?offer=none"],
    "/home/newStockJp": ["", "?view=mine"],
    "/home/newStockBuyJp": ["?code=none"],
    "/home/coupons": ["", "?part=mine", "?demand=own"],
    "/home/qcList": ["", "?part=mine", "?strategy=learned", "?strategy=rotation"],
    "/home/fllow": ["", "?part=mine", "?mentor=T1"],
    "/home/options": [
      "",
      "?part=mine",
      "?part=trades",
      "?pair=O1-O2",
      "?series=TXO-1999-01-C-100",
      ...series.map((code) => `?series=${code}`),
    ],
    "/home/etf": ["", "?part=mine", "?part=savings", "?plan=new&code=0050"],
    "/home/newStock": ["", "?tab=upcoming", "?tab=calendar"],
    "/home/newStockBuy": offeringNos.map((no) => `?offering=${no}`),
    // Nothing was withdrawn: the page says so.
    "/information/withdrawalDetail": ["?no=W1"],
  };
  const places = routes.map(({ path }) => ({ path, at: (queries[path] ?? [""]).map((query) => path + query) }));
  const signInRoutes = places.filter(({ path }) => path.startsWith("/login/"));
  return {
    signedOut: signInRoutes.flatMap(({ at }) => at),
    signedIn: places.filter((place) => !signInRoutes.includes(place)).flatMap(({ at }) => at),
  };
}

const titles = new Map<string, Record<string, string>>();

/** How the window title begins on each screen, by path. */
function titlesOf(language: string): Record<string, string> {
  const known = titles.get(language);
  if (known) return known;
  const { app } = JSON.parse(readFileSync(join(ROOT, "locales", `${language}.json`), "utf8")) as { app: { title: typeof en.app.title } };
  // An instrument's page is named after it, and the sign-in pages do not set a title.
  const untitled = (path: string): boolean => path.startsWith("/market/stockDetail") || path.startsWith("/login/");
  const made = Object.fromEntries(routes.map(({ path, title }) => [path, untitled(path) ? "" : `${app.title[title]} · `]));
  titles.set(language, made);
  return made;
}

/** Whether the page is complete, asked in the page; what is missing is kept for the failure. `demo`: it shows permanent skeletons. */
function complete({ byPath, demo }: { byPath: Record<string, string>; demo: boolean }): boolean {
  const main = [...document.querySelectorAll("main")].find((one) => one.checkVisibility());
  const skeletons = [...(main?.querySelectorAll('[role="status"][data-shape]') ?? [])];
  const lacks = (): string | null => {
    // The address may redirect to another screen.
    const title = byPath[window.location.hash.slice(1).split("?")[0] ?? ""] ?? "";
    if (!document.title.startsWith(title)) return `the title is still ${document.title}`;
    if (!demo && document.documentElement.hasAttribute("data-loading")) return "still loading";
    if (!demo && skeletons.some((one) => one.checkVisibility())) return "a skeleton is shown";
    return (main?.innerText.trim().length ?? 0) < 15 ? "no text yet" : null;
  };
  const missing = lacks();
  Reflect.set(window, "missing", missing);
  return missing === null;
}

/** How often a page looks at itself while it loads. */
const LOOK_MS = 50;

/** Goes to an address and waits until it is complete: its own title, some text, and nothing loading. */
export async function openScreen(visitor: Visit, place: string): Promise<void> {
  const { page, language } = visitor;
  await visit(visitor, place);
  const wanted = { byPath: titlesOf(language), demo: place === "/lab/ui" };
  await page.waitForFunction(complete, wanted, { timeout: WAIT_MS, polling: LOOK_MS }).catch(async (problem: unknown) => {
    const missing = await page.evaluate(() => String(Reflect.get(window, "missing")));
    throw new Error(`${place} is not complete: ${missing}`, { cause: problem });
  });
}

/** Visits every address, signed out and signed in, with one page; the check is told how many came before. */
export async function visitAll(
  screens: Screens,
  options: VisitOptions,
  check: (page: Page, place: string, nth: number) => Promise<void>,
): Promise<void> {
  const visitor = await newPage(options);
  let nth = 0;
  const checkScreen = async (place: string): Promise<void> => {
    await openScreen(visitor, place);
    await check(visitor.page, place, nth);
    nth += 1;
  };
  for (const place of screens.signedOut) await checkScreen(place);
  await signIn(visitor);
  for (const place of screens.signedIn) await checkScreen(place);
  expectNoErrors(visitor);
  await visitor.close();
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** axe violations; `colours` checks contrast only, since a theme changes nothing else. */
async function axeViolations(page: Page, place: string, colours = false): Promise<string[]> {
  // The library would load its half a megabyte of code again for each analysis.
  const loaded = await page.evaluate(() => "axe" in window);
  const axe = new AxeBuilder({ page, ...(loaded ? { axeSource: ";" } : {}) }).options({ resultTypes: ["violations"] }).setLegacyMode();
  const { violations } = await (colours ? axe.withRules("color-contrast") : axe.withTags(WCAG)).analyze();
  return violations.map(({ id, nodes }) => `${place} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** Switches the device's colour scheme and waits until the page follows. */
async function setColorScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
}

/** Asserts no axe violations; in the dark theme, if asked for, contrast only. */
export async function expectAccessible(page: Page, place: string, { dark }: { dark: boolean }): Promise<void> {
  expect.soft(await axeViolations(page, place)).toEqual([]);
  if (!dark) return;
  await setColorScheme(page, "dark");
  expect.soft(await axeViolations(page, `${place}, dark,`, true)).toEqual([]);
  await setColorScheme(page, "light");
}

/**
 * Touch targets that are too small: they do not respond 20 px (in the dense table 12) left, right, above or below their centre. One target per kind (tag and
 * classes) is checked. Exempt: links within a sentence, external links, and the rail, whose function the button beside it
 * also has.
 */
export const smallTargets = (page: Page, place: string): Promise<string[]> =>
  page.evaluate((at) => {
    // Half of 44, minus room for subpixels; half of the 24 that WCAG 2.5.8 requires for the dense table, which the member can make comfortable.
    const FULL_PX = 20;
    const DENSE_PX = 12;
    const EXCEPT = "p a, a[target=_blank], [role=slider][aria-orientation=vertical]";
    const makes = new Set<string>();
    const small: string[] = [];
    for (const target of document.querySelectorAll<HTMLElement>("a[href], button, input, select, [role=slider], [role=switch]")) {
      const make = `${target.tagName} ${target.className} ${target.parentElement?.className}`;
      if (makes.has(make) || target.matches(EXCEPT) || !target.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        continue;
      target.scrollIntoView({ block: "center", inline: "center" });
      const whole = target.closest("label") ?? target;
      const { left, top, width, height } = whole.getBoundingClientRect();
      const middle = { x: left + width / 2, y: top + height / 2 };
      const hit = (x: number, y: number): boolean => {
        const found = document.elementFromPoint(middle.x + x, middle.y + y);
        return found !== null && (whole.contains(found) || found.closest("label")?.control === target);
      };
      // Invisible or covered: cannot be hit at all.
      if (!hit(0, 0)) continue;
      makes.add(make);
      const heightPx = whole.closest("[role=rowheader]") ? DENSE_PX : FULL_PX;
      const missed = [
        [-FULL_PX, 0],
        [FULL_PX, 0],
        [0, -heightPx],
        [0, heightPx],
      ].filter(([x = 0, y = 0]) => !hit(x, y));
      if (missed.length > 0) small.push(`${at}: ${Math.round(width)} x ${Math.round(height)} ${target.outerHTML.slice(0, 140)}`);
    }
    return small;
  }, place);
