/** How soon the app says that its prices are old, and that they live again: the line falls silent, is cut, and comes back. */
import { closeBrowser, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Asked } from "./bench.ts";
import { serveBuilt } from "./client.ts";
import { openLine } from "./cut-line.ts";
import { Samples } from "./samples.ts";
import type { Table } from "./table.ts";

const TIMES = 5;
const QUICK_TIMES = 2;
const LIVE_MS = 3_000;
const AWAY_MS = 3_000;
const ROW = "silence on the feed -> stale mark; reconnect -> fresh";

/** Takes under a minute. */
export async function run({ quick }: Asked): Promise<Table[]> {
  const server = await serveBuilt();
  const line = await openLine(Number(new URL(server.url).port));
  try {
    const visitor = await newPage({ origin: line.origin });
    const { page } = visitor;
    await signIn(visitor);
    await visit(visitor, "/favorite/index");
    await page.locator("main:visible [role=listitem] a").first().waitFor();
    // Both clocks are this machine's.
    await page.evaluate(() => {
      const root = document.documentElement;
      new MutationObserver(() => {
        if (root.hasAttribute("data-stale") !== root.hasAttribute("data-was-stale")) {
          root.toggleAttribute("data-was-stale");
          Object.assign(globalThis, { changedAt: Date.now() });
        }
      }).observe(root, { attributes: true, attributeFilter: ["data-stale"] });
    });
    const turned = async (stale: boolean): Promise<number> => {
      await page.waitForFunction((wanted) => document.documentElement.hasAttribute("data-was-stale") === wanted, stale);
      return page.evaluate(() => (globalThis as unknown as { changedAt: number }).changedAt);
    };
    const samples = new Samples();
    for (let nth = 0; nth < (quick ? QUICK_TIMES : TIMES); nth += 1) {
      await page.waitForTimeout(LIVE_MS);
      const silentAt = line.silence();
      samples.note("stale", (await turned(true)) - silentAt);
      line.cut();
      await page.waitForTimeout(AWAY_MS);
      const reconnected = line.reconnected();
      const backAt = line.restore();
      const freshAt = await turned(false);
      samples.note("back", freshAt - backAt);
      samples.note("fresh", freshAt - (await reconnected));
    }
    const times = samples.all("stale").length;
    return [
      {
        title: `The line falls silent, is cut and comes back, ${times} times`,
        figures: [
          { what: "silence -> stale mark on screen, the slowest", value: samples.most("stale"), unit: "ms", budget: 2_000, row: ROW },
          { what: "reconnect -> fresh, the slowest", value: samples.most("fresh"), unit: "ms", budget: 1_000, row: ROW },
          { what: "line back -> fresh, with the wait before trying again, median", value: samples.of("back"), unit: "ms" },
        ],
      },
    ];
  } finally {
    await closeBrowser();
    line.close();
    await server.stop();
  }
}
