/** The charts on screen: their bars read in pages, their forming bar merged from ticks, read again after a gap. */
import { MAX_CANDLES } from "#contract/candle.ts";
import type { CandlePeriod } from "#contract/candle.ts";
import { callServer, failedBecause } from "./call.ts";
import type { Credentials } from "./call.ts";
import { FormingBar, lastCandle } from "./candle.ts";
import type { Tick } from "./candle.ts";
import type { ChartMessage } from "./protocol.ts";

interface Chart {
  id: number;
  code: string;
  period: CandlePeriod;
  /** Start of the oldest bar read; null before the first page. */
  oldestAt: number | null;
  more: boolean;
  /** Counts readings of the first page, so that only the newest counts. */
  reading: number;
  readingOlder: boolean;
  /** Null until the first page is read: what ticked before is in it anyway. */
  forming: FormingBar | null;
  changed: boolean;
}

/** Reads a page of bars. */
export type ReadBars = (code: string, period: CandlePeriod, before: number | null) => Promise<{ bars: number[]; more: boolean }>;

/** Reads bars from the server. */
export const readBarsFrom =
  (credentials: () => Credentials): ReadBars =>
  (code, period, before) =>
    callServer(credentials(), "readCandles", { code, period, before, limit: MAX_CANDLES });

const RETRY_MS = 2_000;

export class ChartBook {
  readonly #charts = new Map<number, Chart>();
  readonly #read: ReadBars;
  readonly #tell: (message: ChartMessage) => void;
  #lastId = 0;

  constructor(read: ReadBars, tell: (message: ChartMessage) => void) {
    this.#read = read;
    this.#tell = tell;
  }

  /** Open a chart; its bars come as messages under the number returned. */
  open(code: string, period: CandlePeriod): number {
    const id = ++this.#lastId;
    const chart: Chart = { id, code, period, oldestAt: null, more: false, reading: 0, readingOlder: false, forming: null, changed: false };
    this.#charts.set(id, chart);
    void this.#load(chart);
    return id;
  }

  close(id: number): void {
    this.#charts.delete(id);
  }

  clear(): void {
    this.#charts.clear();
  }

  /** The codes charts are open for. */
  codes(): Set<string> {
    return new Set([...this.#charts.values()].map(({ code }) => code));
  }

  /** The line was broken: bars may be missing, so every chart is read again. */
  reload(): void {
    for (const chart of this.#charts.values()) void this.#load(chart);
  }

  /** Put one more page of older bars before those known. */
  async loadOlder(id: number): Promise<void> {
    const chart = this.#charts.get(id);
    if (!chart || !chart.more || chart.oldestAt === null || chart.readingOlder) return;
    chart.readingOlder = true;
    const reading = chart.reading;
    try {
      const { bars, more } = await this.#read(chart.code, chart.period, chart.oldestAt);
      if (this.#charts.get(id) !== chart || reading !== chart.reading) return;
      chart.oldestAt = bars[0] ?? chart.oldestAt;
      chart.more = more;
      this.#tell({ kind: "chart", chart: id, change: "older", bars, more });
    } catch {
      // Nothing is lost: the next pull at the edge asks again.
    } finally {
      chart.readingOlder = false;
    }
  }

  /** A quote of `code` changed. */
  tick(code: string, tick: Tick): void {
    for (const chart of this.#charts.values()) if (chart.code === code && chart.forming?.merge(tick)) chart.changed = true;
  }

  /** Append `[chart, at, open, high, low, close, volume]` of every forming bar that changed since the last call. */
  collect(out: number[]): void {
    for (const chart of this.#charts.values()) {
      const bar = chart.forming?.bar;
      if (!chart.changed || !bar) continue;
      chart.changed = false;
      out.push(chart.id, bar.at, bar.open, bar.high, bar.low, bar.close, bar.volume);
    }
  }

  get anyChanged(): boolean {
    for (const chart of this.#charts.values()) if (chart.changed) return true;
    return false;
  }

  async #load(chart: Chart): Promise<void> {
    const reading = ++chart.reading;
    const current = (): boolean => this.#charts.get(chart.id) === chart && reading === chart.reading;
    for (let told = false; current();) {
      try {
        const { bars, more } = await this.#read(chart.code, chart.period, null);
        if (!current()) return;
        chart.oldestAt = bars[0] ?? null;
        chart.more = more;
        chart.forming = new FormingBar(chart.period, lastCandle(bars));
        chart.changed = false;
        this.#tell({ kind: "chart", chart: chart.id, change: "loaded", bars, more });
        return;
      } catch (error) {
        if (!current()) return;
        // A chart that shows bars keeps them; one that shows none says so, once.
        if (chart.oldestAt === null && !told) this.#tell({ kind: "chart", chart: chart.id, change: "failed" });
        told = true;
        if (failedBecause(error, "refused") || failedBecause(error, "expired")) return;
      }
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}
