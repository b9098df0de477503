/** Benchmark of an hour of streaming with a simulated user: live objects after garbage collection each minute, and their growth. */
import type { Page } from "playwright-core";
import { closeBrowser, newPage, signIn, visit } from "#tests/support/browser.ts";
import { serveBuilt } from "./client.ts";
import type { BenchOptions } from "./bench.ts";
import { openMetrics, workerHeapMb } from "./page-metrics.ts";
import type { LiveObjects, PageMetrics } from "./page-metrics.ts";
import { navigate, ACTIONS } from "./simulated-user.ts";
import type { Figure, Table } from "./table.ts";

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Warm-up rounds: growth means nothing until every screen was visited and every chunk loaded. */
const WARM_ROUNDS = 3;
const SETTLE_MS = 2_000;
const PRICE_CHANGE_MS = 10_000;
/** Heap budget of streaming: less than a megabyte in ten minutes. */
const HEAP_MB_IN_TEN_MINUTES = 1;

interface Sample extends LiveObjects {
  minute: number;
  workerMb: number;
  elements: number;
  rounds: number;
  failed: number;
}

/** Growth per minute: the slope of the least-squares line through all samples. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const middle = { x: mean(({ x }) => x), y: mean(({ y }) => y) };
  const spread = points.reduce((sum, { x }) => sum + (x - middle.x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, { x, y }) => sum + (x - middle.x) * (y - middle.y), 0) / spread;
}

/** Tells whether prices on the screen still move, within the time that a quiet market and a busy machine may need. */
async function pricesChange(page: Page): Promise<boolean> {
  const prices = (): string => [...document.querySelectorAll("main [data-d]")].map((one) => one.textContent).join();
  const before = await page.evaluate(prices);
  for (const until = Date.now() + PRICE_CHANGE_MS; Date.now() < until; await page.waitForTimeout(200)) {
    if ((await page.evaluate(prices)) !== before) return true;
  }
  return false;
}

async function round(page: Page, nth: number): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, make } of ACTIONS) {
    await make(page, nth).catch((problem: unknown) => failed.push(`${name}: ${String(problem).split("\n")[0]}`));
  }
  return failed;
}

async function sample(page: Page, one: PageMetrics, from: number, rounds: number, failed: number): Promise<Sample> {
  await navigate(page, "/home/index");
  await page.waitForTimeout(SETTLE_MS);
  return {
    minute: (Date.now() - from) / MINUTE_MS,
    ...(await one.liveObjects()),
    workerMb: (await workerHeapMb(page)) ?? Number.NaN,
    elements: await page.evaluate(() => document.getElementsByTagName("*").length),
    rounds,
    failed,
  };
}

const line = ({ minute, heapMb, workerMb, nodes, listeners, elements, rounds, failed }: Sample): string =>
  [minute.toFixed(1), heapMb.toFixed(2), workerMb.toFixed(2), nodes, listeners, elements, rounds, failed]
    .map((text) => String(text).padStart(9))
    .join("");

function table(samples: readonly Sample[], pageErrors: number, still: number): Table {
  const last = samples.at(-1);
  // The first half is discarded: the browser keeps optimising hot code and stores the result.
  const settled = samples.slice(Math.floor(samples.length / 2));
  const grows = (of: (sample: Sample) => number): number => slope(settled.map((one) => ({ x: one.minute, y: of(one) })));
  const hour = (of: (sample: Sample) => number): number => 60 * grows(of);
  const figures: Figure[] = [
    { what: "measured", value: (last?.minute ?? 0) - (samples[0]?.minute ?? 0), unit: "min" },
    { what: "rounds of use", value: last?.rounds ?? 0, unit: "" },
    {
      what: "page heap growth in ten minutes, second half",
      value: 10 * grows(({ heapMb }) => heapMb),
      unit: "MB",
      budget: HEAP_MB_IN_TEN_MINUTES,
    },
    {
      what: "worker heap growth in ten minutes, second half",
      value: 10 * grows(({ workerMb }) => workerMb),
      unit: "MB",
      budget: HEAP_MB_IN_TEN_MINUTES,
    },
    { what: "node growth in an hour, second half", value: hour(({ nodes }) => nodes), unit: "", budget: 100 },
    { what: "listener growth in an hour, second half", value: hour(({ listeners }) => listeners), unit: "", budget: 20 },
    { what: "page heap at the start", value: samples[0]?.heapMb ?? Number.NaN, unit: "MB" },
    { what: "page heap at the end", value: last?.heapMb ?? Number.NaN, unit: "MB" },
    { what: "worker heap at the end", value: last?.workerMb ?? Number.NaN, unit: "MB" },
    { what: "failed user actions", value: last?.failed ?? 0, unit: "", budget: 0 },
    { what: "samples at which no price moved", value: still, unit: "", budget: 0 },
    { what: "errors of the page", value: pageErrors, unit: "", budget: 0 },
  ];
  return { title: "Streaming with a simulated user, sampled each minute on the home screen after garbage collection", figures };
}

/** The duration is an argument; sixty minutes by default. */
export async function run({ minutes = MINUTES }: BenchOptions): Promise<Table[]> {
  const server = await serveBuilt();
  const samples: Sample[] = [];
  let still = 0;
  try {
    const visitor = await newPage({ origin: server.url });
    const { page } = visitor;
    // Price flashes are enabled, as for most users.
    await page.emulateMedia({ reducedMotion: "no-preference" });
    page.setDefaultTimeout(20_000);
    await signIn(visitor);
    await visit(visitor, "/home/index");
    const one = await openMetrics(page);
    console.log(
      ["minute", "heap MB", "worker MB", "nodes", "listeners", "elements", "rounds", "failed"].map((text) => text.padStart(9)).join(""),
    );
    let from = Date.now();
    let failed = 0;
    for (let rounds = 1 - WARM_ROUNDS; samples.length === 0 || Date.now() - from < minutes * MINUTE_MS; rounds += 1) {
      for (const what of await round(page, rounds + WARM_ROUNDS)) {
        failed += 1;
        console.log(`  failed: ${what}`);
      }
      if (rounds < 0) continue;
      if (rounds === 0) from = Date.now();
      const due = from + samples.length * MINUTE_MS;
      if (Date.now() < due) continue;
      const taken = await sample(page, one, from, rounds, failed);
      samples.push(taken);
      if (!(await pricesChange(page))) still += 1;
      console.log(line(taken));
    }
    for (const error of visitor.errors) console.log(`  page error: ${error}`);
    return [table(samples, visitor.errors.length, still)];
  } finally {
    await closeBrowser();
    await server.stop();
  }
}
