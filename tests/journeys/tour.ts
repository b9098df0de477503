/** A tour of every screen: the addresses of the route table with what they need to know, and what is measured at each stop. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type en from "#locales/en.json";
import { routeAt, routes } from "#src/routes.tsx";
import { newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit, VisitOptions } from "#tests/support/browser.ts";
import type { TestServer } from "#tests/support/server.ts";
import { ROOT } from "#tests/support/tree.ts";
import { blameless, until } from "./stage.ts";

/** How long the server may take to write its first news. */
const FIRST_NEWS_MS = 150_000;

/** Every place of the app: before signing in, and after. */
export interface Tour {
  out: string[];
  signedIn: string[];
}

/** The first of some data a member has, waited for: a busy machine needs a while for the first edition of the news. */
async function first<Item>(read: () => Promise<Item | undefined>, what: string): Promise<Item> {
  const item = await until(read, (found) => found !== undefined, what, FIRST_NEWS_MS);
  if (item === undefined) throw new Error(what);
  return item;
}

/** Give the demo member something to see on every screen: an order, two groups, alerts that wait and one that fires with the next trade. */
export async function furnish(server: TestServer): Promise<void> {
  const member = await server.enter();
  const volume = server.venue.quote(server.venue.instrument("2330")?.row ?? 0).volume;
  const told = await Promise.all([
    server.call(
      "placeOrder",
      { requestId: crypto.randomUUID(), code: "0050", direction: "rise", pricing: "market", price: null, lots: 1 },
      member,
    ),
    server.call("saveGroup", { id: crypto.randomUUID(), name: "Chips" }, member),
    server.call("setAlert", { id: crypto.randomUUID(), code: "2330", kind: "volume", level: volume + 1 }, member),
    server.call("setAlert", { id: crypto.randomUUID(), code: "2330", kind: "rise", level: 999 }, member),
    server.call("addWatch", { code: "2330", group: null }, member),
    server.call("saveLines", { code: "2330", lines: [{ id: crypto.randomUUID(), price: 10_000_000, alert: null }] }, member),
  ]);
  for (const reply of told) if (reply.status !== 1) throw new Error(reply.msg);
}

/** Furnish every screen, and list where it is. A route of the table that is not named here is visited without a query. */
export async function planTour(server: TestServer): Promise<Tour> {
  await furnish(server);
  const member = await server.enter();
  const order = await first(async () => {
    const orders = await server.call("listOrders", { statuses: ["pending", "holding"], cursor: null }, member);
    return orders.status === 1 ? orders.data.items[0] : undefined;
  }, "no order");
  const message = await first(async () => {
    const messages = await server.call("listMessages", { cursor: null }, member);
    return messages.status === 1 ? messages.data.items.find(({ kind }) => kind === "alert") : undefined;
  }, "no alert fired");
  const article = await first(async () => {
    const news = await server.call("listNews", { topic: null, code: null, cursor: null }, member);
    return news.status === 1 ? news.data.items.find(({ codes }) => codes.length > 0) : undefined;
  }, "no news");
  const queries: Record<string, string[]> = {
    "/home/newsDetail": [`?id=${article.id}`],
    "/favorite/moreList": ["?by=volume", "?by=limitUp&board=otc"],
    "/favorite/moreListCate": ["?board=listed&category=24"],
    "/market/stockDetail": ["?code=2330"],
    "/market/stockDetailzs": ["?code=IX0001"],
    "/market/Plate": ["", "?view=list"],
    "/market/Plate1": ["?board=otc&category=24"],
    "/trade/positionDetail": [`?orderNo=${order.orderNo}`],
    "/information/msgInfo": [`?id=${message.id}`],
  };
  const places = routes.map(({ path }) => ({ path, at: (queries[path] ?? [""]).map((query) => path + query) }));
  const entrance = places.filter(({ path }) => path.startsWith("/login/"));
  return {
    out: entrance.flatMap(({ at }) => at),
    signedIn: places.filter((place) => !entrance.includes(place)).flatMap(({ at }) => at),
  };
}

const titles = new Map<string, typeof en.app.title>();

/** What a screen is called in the window's title. */
function titleOf(path: string, language: string): string {
  const known =
    titles.get(language) ??
    (JSON.parse(readFileSync(join(ROOT, "locales", `${language}.json`), "utf8")) as { app: { title: typeof en.app.title } }).app.title;
  titles.set(language, known);
  const route = routeAt(path);
  // The entrance is lighter than the app, and leaves the title as it is.
  return route && !path.startsWith("/login/") ? `${known[route.title]} · ` : "";
}

/** What of the screen is still missing; null when it is complete. `showroom`: what waits there does so for ever. */
const missing = (page: Page, showroom: boolean): Promise<string | null> =>
  page.evaluate((waits) => {
    const main = [...document.querySelectorAll("main")].find((one) => one.checkVisibility());
    const skeletons = [...(main?.querySelectorAll('[role="status"][data-shape]') ?? [])];
    if (!waits && document.documentElement.hasAttribute("data-loading")) return "it is loading";
    if (!waits && skeletons.some((one) => one.checkVisibility())) return "a skeleton is shown";
    return (main?.innerText.trim().length ?? 0) < 15 ? "it says nothing" : null;
  }, showroom);

/** Go to a place and wait until it shows what it is about: its own title, some words, and nothing that still loads. */
export async function stopAt(visitor: Visit, place: string): Promise<void> {
  const { page, language } = visitor;
  await visit(visitor, place);
  await until(
    async () => {
      // The address may lead on to another screen.
      const path = new URL(page.url()).hash.slice(1).split("?")[0] ?? "";
      const title = await page.title();
      return title.startsWith(titleOf(path, language)) ? missing(page, place === "/lab/ui") : `it is still ${title}`;
    },
    (lack) => lack === null,
    `${place} is not complete`,
  );
}

/** Visit every place, before and after signing in, with one page. */
export async function everywhere(tour: Tour, options: VisitOptions, look: (page: Page, place: string) => Promise<void>): Promise<void> {
  const visitor = await newPage(options);
  const stop = async (place: string): Promise<void> => {
    await stopAt(visitor, place);
    await look(visitor.page, place);
  };
  for (const place of tour.out) await stop(place);
  await signIn(visitor);
  for (const place of tour.signedIn) await stop(place);
  blameless(visitor);
  await visitor.close();
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What axe objects to; `colours` looks at those alone: a theme changes nothing else. */
async function objections(page: Page, place: string, colours = false): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
  const { violations } = await (colours ? axe.withRules("color-contrast") : axe.withTags(WCAG)).analyze();
  return violations.map(({ id, nodes }) => `${place} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** The device turns dark, or light again, and the page follows. */
async function turn(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
}

/** What axe objects to in both themes; the dark one differs in its colours alone. */
export async function unobjectionable(page: Page, place: string): Promise<void> {
  expect.soft(await objections(page, place)).toEqual([]);
  await turn(page, "dark");
  expect.soft(await objections(page, `${place}, dark,`, true)).toEqual([]);
  await turn(page, "light");
}

/** What of the screen runs off its side, at the width it has now. */
export const overflow = (page: Page, place: string): Promise<string[]> =>
  page.evaluate((at) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const far = [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > clientWidth + 0.5);
    return [
      `${at}: ${scrollWidth} of ${clientWidth} px, ${far
        .slice(0, 3)
        .map((one) => one.outerHTML.slice(0, 120))
        .join(" | ")}`,
    ];
  }, place);

/**
 * What a finger cannot hit: targets that do not answer far enough left, right, above and below their middle. One of each make is
 * tried. A link in the middle of a sentence is as high as its line; so are the words that name a maker; and what a rail does, the
 * button beside it does, too.
 */
export const smallTargets = (page: Page, place: string): Promise<string[]> =>
  page.evaluate((at) => {
    // Half of 44, and room for parts of a pixel.
    const REACH_PX = 20;
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
      // Out of sight, or below something else: nothing to aim at.
      if (!hit(0, 0)) continue;
      makes.add(make);
      const missed = [
        [-REACH_PX, 0],
        [REACH_PX, 0],
        [0, -REACH_PX],
        [0, REACH_PX],
      ].filter(([x = 0, y = 0]) => !hit(x, y));
      if (missed.length > 0) small.push(`${at}: ${Math.round(width)} x ${Math.round(height)} ${target.outerHTML.slice(0, 140)}`);
    }
    return small;
  }, place);
