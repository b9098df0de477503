/** Starts the worker that repeats draws; apart from the market worker's link, because hardly a visit needs it. */
import { wrap } from "comlink";
import type { DrawCheck, DrawEntry, PublishedDraw } from "#contract/draw.ts";
import type { DrawApi } from "#workers/draw.ts";

/** Repeat a draw; null before it is held. Rejects when the worker does not load. */
export async function repeatDraw(draw: PublishedDraw, entries: readonly DrawEntry[]): Promise<DrawCheck | null> {
  // From the root of the project: Vite takes the path literally, and `#workers` would be a fragment to a URL.
  const worker = new Worker(new URL("/workers/draw.worker.ts", import.meta.url), { type: "module", name: "draw" });
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener("error", () => reject(new Error("the worker did not load")));
      wrap<DrawApi>(worker).check(draw, entries).then(resolve, reject);
    });
  } finally {
    worker.terminate();
  }
}
