/** The list page while the market streams: ours against a hand-written page with the same rows, interleaved in one run on one feed. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CDPSession, Page } from "playwright-core";
import { closeBrowser, PHONE, theBrowser } from "#tests/support/browser.ts";
import type { FeedOrder } from "./list/feed.ts";
import type { Figure, Table } from "./table.ts";

const ROUNDS = 3;
const SETTLE_MS = 500;
const MEASURE_MS = 2_000;
const SCROLL_MS = 2_000;
const SLOWDOWNS = [1, 4];
const RATES = [2_000, 10_000];
const KNOWN = 2_000;
const MANY_KNOWN = 20_000;

/** Ours flushes ten times a second; the floor at that and at twice that. */
const VARIANTS = {
  ours: "ours.html",
  "vanilla, 20 frames/s": "vanilla.html?every=50",
  "vanilla, 10 frames/s": "vanilla.html?every=100",
} as const;
type Variant = keyof typeof VARIANTS;
const NAMES = Object.keys(VARIANTS) as Variant[];

const wait = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** One open page with the means to measure it. */
interface Watched {
  page: Page;
  cdp: CDPSession;
  close(): Promise<void>;
}

async function open(origin: string, variant: Variant): Promise<Watched> {
  const context = await (await theBrowser()).newContext({ viewport: PHONE, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  await page.goto(`${origin}/tests/bench/list/${VARIANTS[variant]}`);
  await page.waitForFunction(() => document.querySelectorAll("[data-d='up'], [data-d='down']").length > 10, null, { timeout: 20_000 });
  const cdp = await context.newCDPSession(page);
  // The thread's own clock: what other processes take of the machine does not count.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  return { page, cdp, close: () => context.close() };
}

async function metric(cdp: CDPSession, name: string): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find((each) => each.name === name)?.value ?? Number.NaN;
}

/** Main-thread task time, in ms per second. */
async function taskMs({ cdp }: Watched): Promise<number> {
  const from = performance.now();
  const before = await metric(cdp, "TaskDuration");
  await wait(MEASURE_MS);
  const after = await metric(cdp, "TaskDuration");
  return ((after - before) * 1000) / ((performance.now() - from) / 1000);
}

interface Scrolled {
  frames: number;
  longestMs: number;
  taskMs: number;
}

/** Frames per second, the longest gap between two, and task time in ms per second while the list is scrolled by 1,200 px a second. */
async function scroll({ page, cdp }: Watched): Promise<Scrolled> {
  const before = await metric(cdp, "TaskDuration");
  const seen = await page.evaluate(async (ms) => {
    const list = [...document.querySelectorAll("div")].find((each) => getComputedStyle(each).overflowY === "auto");
    let last = performance.now();
    const from = last;
    let frames = 0;
    let longestMs = 0;
    while (last - from < ms) {
      const now = await new Promise<number>((done) => void requestAnimationFrame(done));
      longestMs = Math.max(longestMs, now - last);
      list?.scrollBy(0, (1.2 * Math.max(0, now - last)) | 0);
      last = now;
      frames += 1;
    }
    return { frames: (frames * 1000) / (last - from), longestMs };
  }, SCROLL_MS);
  return { ...seen, taskMs: ((await metric(cdp, "TaskDuration")) - before) * (1_000_000 / SCROLL_MS) };
}

/** Live heap after a collection, in MB. */
async function heapMb({ cdp }: Watched): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  return (await metric(cdp, "JSHeapUsedSize")) / 1e6;
}

type Samples = Map<string, number[]>;
const note = (samples: Samples, what: string, value: number): void => {
  const known = samples.get(what);
  if (known) known.push(value);
  else samples.set(what, [value]);
};

async function order(feed: ChildProcess, said: FeedOrder): Promise<void> {
  const done = once(feed, "message");
  feed.send(said);
  await done;
}

const name = (variant: Variant, rate: number, slowdown: number): string => `${variant}: ${rate} updates/s, ${slowdown}x slowdown`;

/** Every variant once; each round begins with another one. */
async function round(first: number, origin: string, feed: ChildProcess, samples: Samples): Promise<void> {
  for (const variant of [...NAMES.slice(first), ...NAMES.slice(0, first)]) {
    await order(feed, { rows: KNOWN, ticksPerSecond: KNOWN });
    const watched = await open(origin, variant);
    for (const rate of RATES) {
      await order(feed, { rows: KNOWN, ticksPerSecond: rate });
      for (const slowdown of SLOWDOWNS) {
        await watched.cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
        await wait(SETTLE_MS);
        note(samples, name(variant, rate, slowdown), await taskMs(watched));
      }
    }
    const before = await heapMb(watched);
    const scrolled = await scroll(watched);
    note(samples, `${variant}: frames`, scrolled.frames);
    note(samples, `${variant}: scrolling`, scrolled.taskMs);
    note(samples, `${variant}: longest`, scrolled.longestMs);
    await watched.page.evaluate(() => [...document.querySelectorAll("div")].find((each) => each.scrollTop > 0)?.scrollTo(0, 0));
    note(samples, `${variant}: nodes`, await watched.page.evaluate(() => document.querySelectorAll("*").length));
    await watched.cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await wait(SETTLE_MS);
    note(samples, `${variant}: heap`, before);
    note(samples, `${variant}: growth`, (await heapMb(watched)) - before);
    await watched.close();
  }
}

/** Ours with ten times as many instruments known and the same rows on screen. */
async function manyKnown(origin: string, feed: ChildProcess, samples: Samples): Promise<void> {
  for (const rows of [KNOWN, MANY_KNOWN, KNOWN, MANY_KNOWN]) {
    await order(feed, { rows, ticksPerSecond: rows });
    const watched = await open(origin, "ours");
    await watched.cdp.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await wait(2 * SETTLE_MS);
    note(samples, `known ${rows}`, await taskMs(watched));
    await watched.close();
  }
}

function tables(samples: Samples): Table[] {
  const of = (what: string): number => median(samples.get(what) ?? []);
  const [, twenty = "ours", ten = "ours"] = NAMES;
  const ratios: Figure[] = RATES.flatMap((rate) =>
    SLOWDOWNS.flatMap((slowdown) => {
      const ours = of(name("ours", rate, slowdown));
      const limited = slowdown === 4;
      const at = `${rate} updates/s, ${slowdown}x slowdown`;
      return [
        {
          what: `ours (10 frames/s) / vanilla at 20, ${at}`,
          value: ours / of(name(twenty, rate, slowdown)),
          unit: "x",
          ...(limited ? { budget: 0.7 } : {}),
        },
        {
          what: `ours / vanilla, both at 10 frames/s, ${at}`,
          value: ours / of(name(ten, rate, slowdown)),
          unit: "x",
          ...(limited ? { budget: 1 } : {}),
        },
      ];
    }),
  );
  const times = RATES.flatMap((rate) =>
    SLOWDOWNS.flatMap((slowdown) =>
      NAMES.map((variant) => ({ what: name(variant, rate, slowdown), value: of(name(variant, rate, slowdown)), unit: "ms/s" })),
    ),
  );
  const pages: Figure[] = NAMES.flatMap((variant) => [
    {
      what: `${variant}: frames while scrolling`,
      value: of(`${variant}: frames`),
      unit: "/s",
      ...(variant === "ours" ? { budget: 55, least: true } : {}),
    },
    { what: `${variant}: task time while scrolling`, value: of(`${variant}: scrolling`), unit: "ms/s" },
    { what: `${variant}: longest gap between frames`, value: of(`${variant}: longest`), unit: "ms" },
    { what: `${variant}: elements`, value: of(`${variant}: nodes`), unit: "", ...(variant === "ours" ? { budget: 700 } : {}) },
    { what: `${variant}: heap`, value: of(`${variant}: heap`), unit: "MB" },
    { what: `${variant}: heap growth over scrolling`, value: of(`${variant}: growth`), unit: "MB" },
  ]);
  return [
    { title: "Main thread while streaming, against a hand-written page (medians of one interleaved run)", figures: ratios },
    { title: "Main-thread task time", figures: times },
    { title: `The page at ${RATES.at(-1)} updates/s, ${SLOWDOWNS.at(-1)}x slowdown`, figures: pages },
    {
      title: `One update a second each, the same rows on screen, ${SLOWDOWNS.at(-1)}x slowdown`,
      figures: [
        {
          what: `ours with ${MANY_KNOWN} known / with ${KNOWN}`,
          value: of(`known ${MANY_KNOWN}`) / of(`known ${KNOWN}`),
          unit: "x",
          budget: 1.1,
        },
      ],
    },
  ];
}

/** Takes about two and a half minutes. */
export async function run(): Promise<Table[]> {
  const feed = fork(fileURLToPath(new URL("list/feed.ts", import.meta.url)));
  const [{ port }] = (await once(feed, "message")) as [{ port: number }];
  const origin = `http://127.0.0.1:${port}`;
  const samples: Samples = new Map();
  try {
    for (let at = 0; at < ROUNDS; at += 1) await round(at % NAMES.length, origin, feed, samples);
    await manyKnown(origin, feed, samples);
    return tables(samples);
  } finally {
    await closeBrowser();
    feed.kill();
  }
}
