/** Repeats a draw off the main thread: 100,000 hashes would stop a page for a second. */
import { verifyDraw } from "#contract/draw.ts";
import type { DrawCheck, DrawEntry, PublishedDraw } from "#contract/draw.ts";

export interface DrawApi {
  /** Null before the draw is held. */
  check(draw: PublishedDraw, entries: readonly DrawEntry[]): DrawCheck | null;
}

export const drawApi: DrawApi = { check: verifyDraw };
