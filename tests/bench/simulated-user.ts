/** A simulated user for a minute: scrolls lists, opens stocks and charts, searches, changes tabs and returns home. */
import type { Page } from "playwright-core";

/** Scroll distance per step, like a finger on a list. */
const SCROLL_STEP_PX = 90;
const STEP_MS = 40;
const LOOK_MS = 900;

/** One user action. It fails if a busy machine does not show the result in time; the next one starts from its own route. */
export interface UserAction {
  name: string;
  make: (page: Page, round: number) => Promise<void>;
}

const CODES = ["2330", "2317", "2454", "0050", "2603", "2882", "1301", "3008"];
const TYPED = ["tsmc", "鴻海", "2603", "evergreen", "中鋼", "0050"];
const RANKINGS = ["gainers", "losers", "volume", "turnover", "amplitude", "limitUp", "limitDown"];
const pick = <One>(list: readonly One[], round: number): One => list[round % list.length] as One;

/** Navigates to a route without reloading the page. */
export async function navigate(page: Page, route: string): Promise<void> {
  await page.evaluate((to) => void (location.hash = to), route);
  await page.locator("main:visible").first().waitFor();
  await page.waitForTimeout(LOOK_MS);
}

/** Scrolls the scrollable part of the screen down and up again. */
async function scroll(page: Page, steps: number): Promise<void> {
  const size = page.viewportSize();
  await page.mouse.move((size?.width ?? 300) / 2, (size?.height ?? 600) * 0.7);
  for (let step = 0; step < 2 * steps; step += 1) {
    await page.mouse.wheel(0, step < steps ? SCROLL_STEP_PX : -SCROLL_STEP_PX);
    await page.waitForTimeout(STEP_MS);
  }
}

async function back(page: Page): Promise<void> {
  await page.evaluate(() => history.back());
  await page.locator("main:visible").first().waitFor();
  await page.waitForTimeout(LOOK_MS);
}

const tap = (page: Page, role: "button" | "tab" | "link", name: string | RegExp): Promise<void> =>
  page.locator("main:visible").getByRole(role, { name }).first().click();

/** The actions of a round, about forty seconds on an idle machine; they end on the home screen. */
export const ACTIONS: readonly UserAction[] = [
  {
    name: "home and its lists",
    async make(page) {
      await navigate(page, "/home/index");
      for (const list of [/Gainers/, /Losers/, /Watchlist/]) {
        await tap(page, "tab", list);
        await page.waitForTimeout(LOOK_MS);
      }
      await scroll(page, 10);
    },
  },
  {
    name: "the whole market, and a stock out of it",
    async make(page, round) {
      await navigate(page, "/favorite/categoryList");
      await scroll(page, 40 + (round % 5) * 10);
      await page.locator("main:visible [role=listitem] a").nth(3).click();
      await page.waitForTimeout(2 * LOOK_MS);
      await back(page);
    },
  },
  {
    name: "a stock, its chart and its parts",
    async make(page, round) {
      await navigate(page, `/market/stockDetail?code=${pick(CODES, round)}`);
      const ranges = page.locator("main:visible [data-choice]");
      await ranges.first().waitFor();
      for (let at = 0; at < (await ranges.count()); at += 2) {
        await ranges.nth(at).click();
        await page.waitForTimeout(LOOK_MS);
      }
      for (const part of [/Trades/, /Profile/, /News/, /Quote/]) {
        await tap(page, "tab", part);
        await page.waitForTimeout(LOOK_MS);
      }
    },
  },
  {
    name: "the ticket, opened and closed",
    async make(page, round) {
      await navigate(page, `/market/stockDetail?code=${pick(CODES, round + 1)}`);
      await tap(page, "button", /^Buy$/);
      const sheet = page.locator("dialog[open]");
      await sheet.waitFor();
      await page.waitForTimeout(LOOK_MS);
      await sheet.getByRole("button", { name: "Close" }).first().click();
      await sheet.waitFor({ state: "hidden" });
      await back(page);
    },
  },
  {
    name: "a search",
    async make(page, round) {
      await navigate(page, "/favorite/search");
      await page.getByRole("searchbox").pressSequentially(pick(TYPED, round), { delay: 60 });
      await page.locator("main:visible [data-found] a").first().waitFor();
      await page.waitForTimeout(LOOK_MS);
      await page.getByRole("searchbox").press("Enter");
      await page.waitForTimeout(2 * LOOK_MS);
      await back(page);
    },
  },
  {
    name: "rankings, sectors and indices",
    async make(page, round) {
      await navigate(page, `/favorite/moreList?by=${pick(RANKINGS, round)}`);
      await scroll(page, 10);
      await navigate(page, round % 2 === 0 ? "/market/Plate" : "/market/Plate?view=list");
      await navigate(page, "/market/Plate1?board=listed&category=24");
      await scroll(page, 10);
      await navigate(page, "/market/stockDetailzs?code=IX0001");
    },
  },
  {
    name: "the tabs",
    async make(page) {
      await navigate(page, "/home/index");
      for (const tab of ["Market", "News", "Trade", "Account", "Home"]) {
        await page.getByRole("navigation").getByRole("link", { name: tab, exact: true }).click();
        await page.waitForTimeout(LOOK_MS);
      }
    },
  },
];
