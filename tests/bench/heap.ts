/** Benchmark of memory: the heap of a streaming page after garbage collection, at the start and at the end. */
import { closeBrowser } from "#tests/support/browser.ts";
import type { BenchOptions } from "./bench.ts";
import { openFeed, openPage } from "./list-page.ts";
import { workerHeapMb } from "./page-metrics.ts";
import { median } from "./samples.ts";
import type { Table } from "./table.ts";

/** Default duration, which finds only fast growth; the budget is for ten minutes. */
const SHORT_MINUTES = 2;
const QUICK_MINUTES = 0.5;
const UPDATES = 2_000;
const WARM_MS = 15_000;
/** Start and end are medians of this many measurements. */
const LOOKS = 3;
const LOOK_EVERY_MS = 2_000;

/** The duration is an argument: `npm run bench heap 10` for the ten minutes that the budget names. */
export async function run({ quick, minutes = quick ? QUICK_MINUTES : SHORT_MINUTES }: BenchOptions): Promise<Table[]> {
  const feed = await openFeed(["ours"]);
  try {
    await feed.send({ rows: UPDATES, ticksPerSecond: UPDATES });
    const { page, liveObjects } = await openPage(feed, "ours");
    const look = async (): Promise<{ page: number; worker: number }> => {
      const found: { page: number; worker: number }[] = [];
      for (let nth = 0; nth < LOOKS; nth += 1) {
        await page.waitForTimeout(LOOK_EVERY_MS);
        found.push({ page: (await liveObjects()).heapMb, worker: (await workerHeapMb(page)) ?? Number.NaN });
      }
      return { page: median(found.map((one) => one.page)), worker: median(found.map((one) => one.worker)) };
    };
    await page.waitForTimeout(WARM_MS);
    const before = await look();
    await page.waitForTimeout(minutes * 60_000);
    const after = await look();
    const row = "heap growth over 10 minutes of streaming";
    return [
      {
        title: `The list streaming ${UPDATES} updates/s for ${minutes} minutes, heap after garbage collection`,
        figures: [
          { what: `growth of the page in ${minutes} minutes`, value: after.page - before.page, unit: "MB", budget: 1, row },
          { what: `growth of the worker in ${minutes} minutes`, value: after.worker - before.worker, unit: "MB", budget: 1, row },
          { what: "page heap at the end", value: after.page, unit: "MB" },
          { what: "worker heap at the end", value: after.worker, unit: "MB" },
        ],
      },
    ];
  } finally {
    await closeBrowser();
    feed.close();
  }
}
