/** An hour of streaming with somebody at the phone: what is alive after a collection each minute, and whether it grows. */
import type { Page } from "playwright-core";
import { closeBrowser, newPage, signIn, visit } from "#tests/support/browser.ts";
import { serveBuilt } from "./client.ts";
import type { Asked } from "./bench.ts";
import { probe, workerHeapMb } from "./probe.ts";
import type { Alive, Probe } from "./probe.ts";
import { go, MOVES } from "./soak-use.ts";
import type { Figure, Table } from "./table.ts";

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Until every screen was met and every part loaded, growth says nothing. */
const WARM_ROUNDS = 3;
const SETTLE_MS = 2_000;
const MOVES_WITHIN_MS = 10_000;
/** The heap's budget of the streaming path: less than a megabyte in ten minutes. */
const HEAP_MB_IN_TEN_MINUTES = 1;

interface Sample extends Alive {
  minute: number;
  workerMb: number;
  elements: number;
  rounds: number;
  failed: number;
}

/** By how much something grows in a minute: the slope of the straight line nearest to all samples. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const middle = { x: mean(({ x }) => x), y: mean(({ y }) => y) };
  const spread = points.reduce((sum, { x }) => sum + (x - middle.x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, { x, y }) => sum + (x - middle.x) * (y - middle.y), 0) / spread;
}

/** Whether prices on the screen still move, within as long as a quiet market and a busy machine may take. */
async function moves(page: Page): Promise<boolean> {
  const prices = (): string => [...document.querySelectorAll("main [data-d]")].map((one) => one.textContent).join();
  const before = await page.evaluate(prices);
  for (const until = Date.now() + MOVES_WITHIN_MS; Date.now() < until; await page.waitForTimeout(200)) {
    if ((await page.evaluate(prices)) !== before) return true;
  }
  return false;
}

async function round(page: Page, nth: number): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, make } of MOVES) {
    await make(page, nth).catch((problem: unknown) => failed.push(`${name}: ${String(problem).split("\n")[0]}`));
  }
  return failed;
}

async function sample(page: Page, one: Probe, from: number, rounds: number, failed: number): Promise<Sample> {
  await go(page, "/home/index");
  await page.waitForTimeout(SETTLE_MS);
  return {
    minute: (Date.now() - from) / MINUTE_MS,
    ...(await one.alive()),
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

function table(samples: readonly Sample[], complaints: number, still: number): Table {
  const last = samples.at(-1);
  // The browser compiles what is used often better and better, and keeps all of it: the first half of the time is for that.
  const settled = samples.slice(Math.floor(samples.length / 2));
  const grows = (of: (sample: Sample) => number): number => slope(settled.map((one) => ({ x: one.minute, y: of(one) })));
  const hour = (of: (sample: Sample) => number): number => 60 * grows(of);
  const figures: Figure[] = [
    { what: "measured", value: (last?.minute ?? 0) - (samples[0]?.minute ?? 0), unit: "min" },
    { what: "rounds of use", value: last?.rounds ?? 0, unit: "" },
    {
      what: "page heap grows in ten minutes, second half of the time",
      value: 10 * grows(({ heapMb }) => heapMb),
      unit: "MB",
      budget: HEAP_MB_IN_TEN_MINUTES,
    },
    {
      what: "worker heap grows in ten minutes, second half",
      value: 10 * grows(({ workerMb }) => workerMb),
      unit: "MB",
      budget: HEAP_MB_IN_TEN_MINUTES,
    },
    { what: "nodes grow in an hour, second half", value: hour(({ nodes }) => nodes), unit: "", budget: 100 },
    { what: "listeners grow in an hour, second half", value: hour(({ listeners }) => listeners), unit: "", budget: 20 },
    { what: "page heap at the beginning", value: samples[0]?.heapMb ?? Number.NaN, unit: "MB" },
    { what: "page heap at the end", value: last?.heapMb ?? Number.NaN, unit: "MB" },
    { what: "worker heap at the end", value: last?.workerMb ?? Number.NaN, unit: "MB" },
    { what: "moves that failed", value: last?.failed ?? 0, unit: "", budget: 0 },
    { what: "samples at which no price moved", value: still, unit: "", budget: 0 },
    { what: "complaints of the page", value: complaints, unit: "", budget: 0 },
  ];
  return { title: "Streaming with scripted use, sampled each minute at home after a collection", figures };
}

/** Takes as many minutes as asked for, sixty when none are. */
export async function run({ minutes = MINUTES }: Asked): Promise<Table[]> {
  const server = await serveBuilt();
  const samples: Sample[] = [];
  let still = 0;
  try {
    const visitor = await newPage({ origin: server.url });
    const { page } = visitor;
    // Changes flash here, as they do for most.
    await page.emulateMedia({ reducedMotion: "no-preference" });
    page.setDefaultTimeout(20_000);
    await signIn(visitor);
    await visit(visitor, "/home/index");
    const one = await probe(page);
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
      if (!(await moves(page))) still += 1;
      console.log(line(taken));
    }
    for (const complaint of visitor.errors) console.log(`  complaint: ${complaint}`);
    return [table(samples, visitor.errors.length, still)];
  } finally {
    await closeBrowser();
    await server.stop();
  }
}
