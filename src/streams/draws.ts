/** Checks a draw: reads everything that is published of it, and repeats it on this device. */
import type { Answer } from "#contract/endpoints.ts";
import type { DrawCheck, DrawEntry } from "#contract/draw.ts";
import { call } from "#src/gateway/api.ts";
import { repeatDraw } from "./draw-worker.ts";

/** What is published, and which parts of it hold. */
export interface CheckedDraw {
  draw: Answer<"readDraw">;
  entries: readonly DrawEntry[];
  check: DrawCheck;
}

/** Every entry of the published list; null when a page does not arrive. */
async function readEntries(offeringNo: string): Promise<DrawEntry[] | null> {
  const entries: DrawEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof call<"listDrawEntries">>> = await call(
      "listDrawEntries",
      { offeringNo, cursor },
      { shownByCaller: true },
    );
    if (!page.ok) return null;
    entries.push(...page.data.items);
    cursor = page.data.next;
  } while (cursor !== null);
  return entries;
}

/** Null when what is published could not be read or the worker could not run. */
export async function checkDraw(offeringNo: string): Promise<CheckedDraw | null> {
  const [draw, entries] = await Promise.all([call("readDraw", { offeringNo }, { shownByCaller: true }), readEntries(offeringNo)]);
  if (!draw.ok || entries === null) return null;
  const check = await repeatDraw(draw.data, entries).catch(() => null);
  return check && { draw: draw.data, entries, check };
}
