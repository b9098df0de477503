/** The lab's market: the app's own streams over a market made up on the device. */
import { startConnection } from "./connection.ts";
import { marketApi, linkTo } from "./worker-link.ts";
import { stopMarket } from "./market.ts";
import { openLoadWorker, workerPaths } from "./worker.ts";
import type { LoadSettings } from "./worker.ts";

let linked = false;

/**
 * Stream a made-up market in place of the broker's, or another one in place of that. The page is the lab's from then on:
 * whoever leaves the lab loads the app anew.
 */
export async function startLoad(load: LoadSettings): Promise<void> {
  if (!linked) {
    stopMarket();
    linkTo(openLoadWorker);
    startConnection();
    linked = true;
  }
  const language = document.documentElement.lang || "en";
  await (
    await marketApi()
  ).connect({ origin: "", token: "", account: "", paths: await workerPaths(), language, slow: false, all: true, load });
}

/** Whether the page is the lab's. */
export function loadStarted(): boolean {
  return linked;
}
