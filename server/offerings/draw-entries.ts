/** The published list of an offering in memory: two columns a page instead of an object an entry, which the garbage collector would have to move. */
import { Buffer } from "node:buffer";
import type { DrawEntries, DrawEntry } from "#contract/draw.ts";

/** Bytes of a receipt, which is a SHA-256 hash. */
const RECEIPT = 32;

interface Columns {
  receipts: Buffer;
  lots: Float64Array;
}

/** Entries in the order in which they were added. */
export class DrawColumns implements DrawEntries {
  readonly #pageSize: number;
  readonly #pages: Columns[] = [];
  length = 0;
  /** All lots asked for. */
  lots = 0;

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  /** Adds a page, which is full unless it is the last. */
  add(entries: readonly DrawEntry[]): void {
    if (entries.length > this.#pageSize || this.length % this.#pageSize !== 0) throw new RangeError("a page behind one that is not full");
    const receipts = Buffer.alloc(entries.length * RECEIPT);
    for (const [at, { receipt }] of entries.entries())
      if (receipt.length !== 2 * RECEIPT || receipts.write(receipt, at * RECEIPT, "hex") !== RECEIPT)
        throw new Error(`no receipt: ${receipt}`);
    this.#pages.push({ receipts, lots: Float64Array.from(entries, ({ lots }) => lots) });
    this.length += entries.length;
    this.lots += entries.reduce((sum, { lots }) => sum + lots, 0);
  }

  at(place: number): DrawEntry | undefined {
    const page = this.#pages[Math.floor(place / this.#pageSize)];
    const nth = place % this.#pageSize;
    const lots = page?.lots[nth];
    if (!page || lots === undefined) return undefined;
    return { receipt: page.receipts.toString("hex", nth * RECEIPT, (nth + 1) * RECEIPT), lots };
  }
}
