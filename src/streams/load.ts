/** The load lab's market: the app's own streams over simulated data generated on the device. */
import { startConnection } from "./connection.ts";
import { marketApi, linkTo } from "./worker-link.ts";
import { stopMarket } from "./market.ts";
import { openLoadWorker, workerPaths } from "./worker.ts";
import type { LoadSettings } from "./worker.ts";

let linked = false;

/**
 * Stream a simulated market instead of the broker's, or replace the current simulation. The page belongs to the lab from
 * then on: leaving the lab reloads the app.
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

/** Tells whether the page runs the lab's simulated market. */
export function loadStarted(): boolean {
  return linked;
}
