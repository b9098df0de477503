/** The pages of the list benchmark (ours, a hand-written one and AG Grid), opened one at a time on the same feed. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { PHONE, sharedBrowser } from "#tests/support/browser.ts";
import type { FeedCommand } from "./list/feed.ts";
import { openMetrics } from "./page-metrics.ts";
import type { PageMetrics } from "./page-metrics.ts";

/** Our page updates ten times per second; the others at that interval and at half of it. */
const ADDRESSES = {
  ours: "ours.html",
  vanilla20: "vanilla.html?every=50",
  vanilla10: "vanilla.html?every=100",
  grid20: "grid.html?every=50",
  grid10: "grid.html?every=100",
} as const;
export type Variant = keyof typeof ADDRESSES;

export const NAMES: Record<Variant, string> = {
  ours: "ours, 10 frames/s",
  vanilla20: "vanilla, 20 frames/s",
  vanilla10: "vanilla, 10 frames/s",
  grid20: "AG Grid, 20 transactions/s",
  grid10: "AG Grid, 10 transactions/s",
};

/** The feed process. */
export interface Feed {
  origin: string;
  /** Changes what is streamed; resolves when the change applies. */
  send(command: FeedCommand): Promise<void>;
  close(): void;
}

/** Builds the pages of some variants and starts the feed that serves them. */
export async function openFeed(variants: readonly Variant[]): Promise<Feed> {
  const pages = new Set(variants.map((variant) => ADDRESSES[variant].split(".")[0] ?? ""));
  const child: ChildProcess = fork(fileURLToPath(new URL("list/feed.ts", import.meta.url)), [...pages]);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return {
    origin: `http://127.0.0.1:${port}`,
    async send(command) {
      const done = once(child, "message");
      child.send(command);
      await done;
    },
    close: () => void child.kill(),
  };
}

/** An open page with its measurements. */
export interface ListPage extends PageMetrics {
  page: Page;
  close(): Promise<void>;
}

/** Opens a variant and waits until its prices move. */
export async function openPage(feed: Feed, variant: Variant): Promise<ListPage> {
  const context = await (await sharedBrowser()).newContext({ viewport: PHONE, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  await page.goto(`${feed.origin}/tests/bench/list/${ADDRESSES[variant]}`);
  await page.waitForFunction(() => (document.body.textContent?.match(/[▲▼]/g)?.length ?? 0) > 5, null, { timeout: 30_000 });
  return { page, ...(await openMetrics(page)), close: () => context.close() };
}

/** Main-thread task time in ms per second. */
export async function taskTime({ page, taskMs }: ListPage, measureMs: number): Promise<number> {
  const from = performance.now();
  const before = await taskMs();
  await page.waitForTimeout(measureMs);
  const spent = (await taskMs()) - before;
  return (spent * 1000) / (performance.now() - from);
}

export interface Scrolled {
  frames: number;
  longTasks: number;
  taskMs: number;
}

/** Frames per second, tasks over 50 ms, and task time in ms per second while the list scrolls at 1,200 px per second. */
export async function scroll(listed: ListPage, forMs: number): Promise<Scrolled> {
  const before = await listed.taskMs();
  const seen = await listed.page.evaluate(async (ms) => {
    const list = [...document.querySelectorAll("div")].find(
      (each) => getComputedStyle(each).overflowY === "auto" && each.scrollHeight > 2 * each.clientHeight,
    );
    if (!list) throw new Error("the page has no scrollable list");
    let longTasks = 0;
    const observer = new PerformanceObserver((entries) => (longTasks += entries.getEntries().length));
    observer.observe({ type: "longtask" });
    let last = performance.now();
    const from = last;
    let frames = 0;
    while (last - from < ms) {
      const now = await new Promise<number>((done) => void requestAnimationFrame(done));
      list.scrollBy(0, (1.2 * Math.max(0, now - last)) | 0);
      last = now;
      frames += 1;
    }
    const moved = list.scrollTop > 0;
    await new Promise((done) => setTimeout(done, 100));
    observer.disconnect();
    if (!moved) throw new Error("the list did not scroll");
    return { frames: (frames * 1000) / (last - from), longTasks };
  }, forMs);
  return { ...seen, taskMs: ((await listed.taskMs()) - before) * (1000 / forMs) };
}

/** All nodes of the document, including text. */
export const nodesOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    let count = 0;
    for (const walker = document.createTreeWalker(document); walker.nextNode();) count += 1;
    return count;
  });
