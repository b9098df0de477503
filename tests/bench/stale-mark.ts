/** Benchmark of staleness: how soon the app marks prices as stale when the connection goes silent, and as live when it is restored. */
import { closeBrowser, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { BenchOptions } from "./bench.ts";
import { serveBuilt } from "./client.ts";
import { openProxy } from "./proxy.ts";
import { Samples } from "./samples.ts";
import type { Table } from "./table.ts";

const TIMES = 5;
const QUICK_TIMES = 2;
const LIVE_MS = 3_000;
const OFFLINE_MS = 3_000;
const ROW = "silence on the feed -> stale mark; reconnect -> live";

/** Takes under a minute. */
export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const server = await serveBuilt();
  const proxy = await openProxy(Number(new URL(server.url).port));
  try {
    const visitor = await newPage({ origin: proxy.origin });
    const { page } = visitor;
    await signIn(visitor);
    await visit(visitor, "/favorite/index");
    await page.locator("main:visible [role=listitem] a").first().waitFor();
    // Both clocks are of this machine.
    await page.evaluate(() => {
      const root = document.documentElement;
      new MutationObserver(() => {
        if (root.hasAttribute("data-stale") !== root.hasAttribute("data-was-stale")) {
          root.toggleAttribute("data-was-stale");
          Object.assign(globalThis, { changedAt: Date.now() });
        }
      }).observe(root, { attributes: true, attributeFilter: ["data-stale"] });
    });
    const waitForMark = async (stale: boolean): Promise<number> => {
      await page.waitForFunction((wanted) => document.documentElement.hasAttribute("data-was-stale") === wanted, stale);
      return page.evaluate(() => (globalThis as unknown as { changedAt: number }).changedAt);
    };
    const samples = new Samples();
    for (let nth = 0; nth < (quick ? QUICK_TIMES : TIMES); nth += 1) {
      await page.waitForTimeout(LIVE_MS);
      const silentAt = proxy.silence();
      samples.note("stale", (await waitForMark(true)) - silentAt);
      proxy.cut();
      await page.waitForTimeout(OFFLINE_MS);
      const reconnected = proxy.reconnected();
      const restoredAt = proxy.restore();
      const liveAt = await waitForMark(false);
      samples.note("restored", liveAt - restoredAt);
      samples.note("live", liveAt - (await reconnected));
    }
    const times = samples.all("stale").length;
    return [
      {
        title: `The network goes silent, disconnects and is restored, ${times} times`,
        figures: [
          { what: "silence -> stale mark on screen, slowest", value: samples.most("stale"), unit: "ms", budget: 2_000, row: ROW },
          { what: "reconnect -> live, slowest", value: samples.most("live"), unit: "ms", budget: 1_000, row: ROW },
          { what: "network restored -> live, including the retry delay, median", value: samples.of("restored"), unit: "ms" },
        ],
      },
    ];
  } finally {
    await closeBrowser();
    proxy.close();
    await server.stop();
  }
}
