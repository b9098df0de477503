/** Memory of a page that only streams: its heap after collection, at the beginning and at the end. */
import { closeBrowser } from "#tests/support/browser.ts";
import type { Asked } from "./bench.ts";
import { openFeed, openPage } from "./list-page.ts";
import { workerHeapMb } from "./probe.ts";
import { median } from "./samples.ts";
import type { Table } from "./table.ts";

/** The budget's ten minutes when asked for; else a look that only finds what grows quickly. */
const SHORT_MINUTES = 2;
const QUICK_MINUTES = 0.5;
const UPDATES = 2_000;
const WARM_MS = 15_000;
/** Each end is the median of a few. */
const LOOKS = 3;
const LOOK_EVERY_MS = 2_000;

/** Takes as many minutes as asked for: `npm run bench heap 10` is the budget's own. */
export async function run({ quick, minutes = quick ? QUICK_MINUTES : SHORT_MINUTES }: Asked): Promise<Table[]> {
  const feed = await openFeed(["ours"]);
  try {
    await feed.order({ rows: UPDATES, ticksPerSecond: UPDATES });
    const { page, alive } = await openPage(feed, "ours");
    const look = async (): Promise<{ page: number; worker: number }> => {
      const found: { page: number; worker: number }[] = [];
      for (let nth = 0; nth < LOOKS; nth += 1) {
        await page.waitForTimeout(LOOK_EVERY_MS);
        found.push({ page: (await alive()).heapMb, worker: (await workerHeapMb(page)) ?? Number.NaN });
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
        title: `The list streaming ${UPDATES} updates/s for ${minutes} minutes, heap after collection`,
        figures: [
          { what: `page grew in ${minutes} minutes`, value: after.page - before.page, unit: "MB", budget: 1, row },
          { what: `worker grew in ${minutes} minutes`, value: after.worker - before.worker, unit: "MB", budget: 1, row },
          { what: "page at the end", value: after.page, unit: "MB" },
          { what: "worker at the end", value: after.worker, unit: "MB" },
        ],
      },
    ];
  } finally {
    await closeBrowser();
    feed.close();
  }
}
