/** The open charts: loads their bars, reloads them after a gap, and feeds them every quote of their instruments. */
import type { Instrument } from "#contract/instrument.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { StudySettings } from "#contract/preference.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import { readOlder, readStart } from "./bar-reader.ts";
import type { BarSource, Start } from "./bar-reader.ts";
import { failedBecause } from "#workers/connection/http-client.ts";
import type { Chart } from "./chart.ts";
import type { Hours } from "./period.ts";
import type { ChartMessage, ChartRequest, StudyKind, StudyTail } from "#workers/protocol.ts";
import { AT, LAST } from "#workers/table/quote-table.ts";
import type { QuoteTable } from "#workers/table/quote-table.ts";

/** An open chart. */
interface Entry {
  id: number;
  request: ChartRequest;
  /** Its instrument's row; null before the instrument table has arrived. */
  row: number | null;
  /** Null until its first bars are loaded: earlier ticks are contained in them. */
  chart: Chart | null;
  /** Counts loads of the first page, so that only the newest result is used. */
  loadId: number;
  loadingOlder: boolean;
  /** Flat quotes received since the first page was requested: they may be newer than the page. Null when no request is in flight. */
  pendingQuotes: number[] | null;
  /** The newest day the bars were loaded for. */
  day: number;
}

/** The market data charts need. */
export interface ChartContext {
  table: QuoteTable;
  hours: Hours;
  instrumentOf: (code: string) => Instrument | undefined;
}

const RETRY_MS = 2_000;
/** Bounds the quotes buffered while a page is in flight; a page that takes longer lags by one bar at most. */
const MAX_PENDING_QUOTES = 1_000 * QUOTE_STRIDE;

/** What computes a chart and its studies is a separate chunk, loaded in parallel with the first chart's bars. */
const chartClass = async (): Promise<typeof Chart> => (await import("./chart.ts")).Chart;

export class ChartStore {
  readonly #entries = new Map<number, Entry>();
  readonly #source: BarSource;
  readonly #emit: (message: ChartMessage) => void;
  #context: ChartContext | null = null;
  #lastId = 0;

  constructor(source: BarSource, emit: (message: ChartMessage) => void) {
    this.#source = source;
    this.#emit = emit;
  }

  /** Sets the market data (null: no longer known) and loads charts that waited for it. */
  use(context: ChartContext | null): void {
    this.#context = context;
    if (context) this.reload();
  }

  /** Opens a chart and returns its id; its bars arrive as messages with that id. */
  open(request: ChartRequest): number {
    const id = ++this.#lastId;
    const entry: Entry = { id, request, row: null, chart: null, loadId: 0, loadingOlder: false, pendingQuotes: null, day: -Infinity };
    this.#entries.set(id, entry);
    void this.#load(entry);
    return id;
  }

  close(id: number): void {
    this.#entries.delete(id);
  }

  clear(): void {
    this.#entries.clear();
    this.#context = null;
  }

  /** Changes the studies of an open chart; their values arrive as a message. */
  study(id: number, studies: StudyKind[], settings: StudySettings): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.request = { ...entry.request, studies, settings };
    if (!entry.chart) return;
    entry.chart.study(studies, settings);
    this.#emit({ kind: "chart", chart: id, change: "studied", studies: entry.chart.studied() });
  }

  /** The codes of all open charts. */
  codes(): Set<string> {
    return new Set([...this.#entries.values()].map(({ request }) => request.code));
  }

  /** Reloads every chart, because ticks may have been missed. */
  reload(): void {
    for (const entry of this.#entries.values()) void this.#load(entry);
  }

  /** Loads one more page of older bars. */
  async loadOlder(id: number): Promise<void> {
    const entry = this.#entries.get(id);
    const chart = entry?.chart;
    if (!entry || !chart || !chart.more || chart.oldestAt === null || entry.loadingOlder) return;
    entry.loadingOlder = true;
    try {
      const { bars, more } = await readOlder(this.#source, entry.request, chart.adjuster, chart.oldestAt);
      if (this.#entries.get(id)?.chart !== chart) return;
      chart.putBefore(bars, more);
      this.#emit({ kind: "chart", chart: id, change: "older", bars, more, studies: chart.studied() });
    } catch {
      // Nothing is lost: the next scroll to the edge retries.
    } finally {
      entry.loadingOlder = false;
    }
  }

  /** Feeds the quote that starts at `from` in a flat batch. */
  tick(row: number, quotes: ArrayLike<number>, from: number): void {
    for (const entry of this.#entries.values()) {
      const { chart, pendingQuotes } = entry;
      if (entry.row !== row) continue;
      if (pendingQuotes && pendingQuotes.length < MAX_PENDING_QUOTES) {
        for (let field = 0; field < QUOTE_STRIDE; field++) pendingQuotes.push(quotes[from + field] ?? 0);
      }
      if (!chart) continue;
      // On a new day an ex-event may have taken effect, which changes the adjustment of all earlier bars.
      const day = (quotes[from + LAST] ?? 0) > 0 ? taipeiDay(quotes[from + AT] ?? 0) : entry.day;
      const newDay = day > entry.day;
      if (newDay) entry.day = day;
      if (newDay && entry.request.adjustment !== "none") void this.#load(entry);
      chart.tick(quotes, from);
    }
  }

  get anyChanged(): boolean {
    for (const { chart } of this.#entries.values()) if (chart?.changed) return true;
    return false;
  }

  /** Appends the bars changed since the last call, as `[chart, …bar]`, and their studies. */
  collect(bars: number[], tails: StudyTail[]): void {
    for (const { chart } of this.#entries.values()) chart?.collect(bars, tails);
  }

  async #load(entry: Entry): Promise<void> {
    const loadId = ++entry.loadId;
    const current = (): boolean => this.#entries.get(entry.id) === entry && loadId === entry.loadId;
    for (let reported = false; current();) {
      const context = this.#context;
      const instrument = context?.instrumentOf(entry.request.code);
      // Nothing can be loaded before the instrument table; afterwards the server refuses unknown codes.
      if (!context) return;
      entry.row = instrument?.row ?? null;
      entry.pendingQuotes = [];
      try {
        const [start, Loaded] = await Promise.all([readStart(this.#source, entry.request), chartClass()]);
        if (!current() || !instrument) return;
        this.#begin(entry, start, new Loaded(entry.id, entry.request, instrument, context.hours, start), context.table);
        return;
      } catch (error) {
        if (!current()) return;
        // A chart that already has bars keeps them; one without bars reports the failure once.
        if (!entry.chart && !reported) this.#emit({ kind: "chart", chart: entry.id, change: "failed" });
        reported = true;
        if (failedBecause(error, "refused") || failedBecause(error, "expired")) return;
      }
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }

  #begin(entry: Entry, start: Start, chart: Chart, table: QuoteTable): void {
    if (start.seam) entry.day = Math.max(entry.day, taipeiDay(start.seam.bar.at));
    const pendingQuotes = entry.pendingQuotes ?? [];
    for (let from = 0; from < pendingQuotes.length; from += QUOTE_STRIDE) chart.tick(pendingQuotes, from);
    chart.tick(table.values, chart.instrument.row * QUOTE_STRIDE);
    entry.pendingQuotes = null;
    entry.chart = chart;
    this.#emit({ kind: "chart", chart: entry.id, change: "loaded", ...chart.loaded() });
  }
}
