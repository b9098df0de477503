/** The sparklines of the rows on screen: read in one call for all that are due, kept a minute, and formatted as SVG paths. */
import type { Sparkline } from "#contract/sparkline.ts";
import type { SparklineUpdate, Tone } from "#workers/protocol.ts";
import { TONES } from "#workers/protocol.ts";

/** The drawing's size in its own units; half a line's width stays free on each side. */
export const SPARKLINE_WIDTH = 56;
export const SPARKLINE_HEIGHT = 24;
const MARGIN = 1;

/** Rows come and go in one task while a list scrolls; what is still shown afterwards is read. */
const SETTLE_MS = 200;
const FRESH_MS = 60_000;
const MOST_PER_CALL = 40;
const MOST_KEPT = 400;

/** The path of prices, oldest on the left; the line of a price that did not move is in the middle. */
export function pathOf(prices: readonly number[]): string {
  const low = Math.min(...prices);
  const range = Math.max(...prices) - low;
  const x = (SPARKLINE_WIDTH - 2 * MARGIN) / Math.max(1, prices.length - 1);
  const points = prices.map((price, nth) => {
    const up = range === 0 ? 0.5 : (price - low) / range;
    const y = MARGIN + (1 - up) * (SPARKLINE_HEIGHT - 2 * MARGIN);
    return `${(MARGIN + nth * x).toFixed(1)} ${y.toFixed(1)}`;
  });
  return points.length === 0 ? "" : `M${points.join("L")}`;
}

interface Kept {
  at: number;
  path: string;
  tone: Tone;
}

export interface SparklineSource {
  /** Rejects when the lines cannot be read. */
  read: (codes: string[]) => Promise<readonly Sparkline[]>;
  /** The price that decides whether a line is up or down; 0 while it is unknown. */
  reference: (code: string) => number;
  send: (updates: SparklineUpdate[]) => void;
  now: () => number;
}

export class SparklineStore {
  readonly #source: SparklineSource;
  readonly #shown = new Set<string>();
  readonly #kept = new Map<string, Kept>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #reading = false;
  #paused = false;
  /** Distinguishes sessions: an answer for a previous one is dropped. */
  #session = 0;

  constructor(source: SparklineSource) {
    this.#source = source;
  }

  /** Rows came on screen and left it. Known lines are sent at once. */
  show(shown: readonly string[], hidden: readonly string[]): void {
    for (const code of hidden) this.#shown.delete(code);
    for (const code of shown) this.#shown.add(code);
    this.#send(shown);
    this.#schedule(SETTLE_MS);
  }

  /** Whether to read nothing: the page is hidden, or data is to be saved. */
  pause(paused: boolean): void {
    this.#paused = paused;
    if (!paused) this.#schedule(SETTLE_MS);
  }

  clear(): void {
    this.#session += 1;
    this.#reading = false;
    this.#shown.clear();
    this.#kept.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #send(codes: readonly string[]): void {
    const updates = codes.flatMap((code): SparklineUpdate[] => {
      const kept = this.#kept.get(code);
      return kept ? [[code, kept.path, kept.tone]] : [];
    });
    if (updates.length > 0) this.#source.send(updates);
  }

  #schedule(afterMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), afterMs);
  }

  async #read(): Promise<void> {
    if (this.#reading || this.#paused) return;
    const { now, read } = this.#source;
    const due = [...this.#shown].filter((code) => now() - (this.#kept.get(code)?.at ?? -Infinity) >= FRESH_MS).slice(0, MOST_PER_CALL);
    if (due.length === 0) {
      if (this.#shown.size > 0) this.#schedule(FRESH_MS / 4);
      return;
    }
    this.#reading = true;
    const session = this.#session;
    const lines = await read(due).catch(() => null);
    // A session that has begun meanwhile reads on its own.
    if (session !== this.#session) return;
    this.#reading = false;
    if (lines) this.#keep(due, lines);
    this.#schedule(lines ? SETTLE_MS : FRESH_MS);
  }

  /** Codes without a line are kept, too, so that they are not asked for again at once. */
  #keep(asked: readonly string[], lines: readonly Sparkline[]): void {
    const byCode = new Map<string, Sparkline>(lines.map((line) => [line.code, line]));
    const at = this.#source.now();
    for (const code of asked) {
      const prices = byCode.get(code)?.prices ?? [];
      const reference = this.#source.reference(code);
      const difference = reference > 0 && prices.length > 0 ? (prices.at(-1) ?? 0) - reference : 0;
      const tone = TONES[difference > 0 ? 1 : difference < 0 ? 2 : 0] ?? "flat";
      this.#kept.delete(code);
      this.#kept.set(code, { at, path: pathOf(prices), tone });
    }
    this.#send(asked);
    for (const code of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      if (!this.#shown.has(code)) this.#kept.delete(code);
    }
  }
}
