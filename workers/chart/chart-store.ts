/** The charts on screen: opened, read, read again after a gap, fed with every quote of their instruments. */
import type { Instrument } from "#contract/instrument.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { StudySettings } from "#contract/preference.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import { readOlder, readStart } from "./bar-reader.ts";
import type { BarSource, Start } from "./bar-reader.ts";
import { failedBecause } from "#workers/connection/http-client.ts";
import { Chart } from "./chart.ts";
import type { MakeStudies } from "./chart.ts";
import type { Hours } from "./period.ts";
import type { ChartMessage, ChartRequest, StudyKind, StudyTail } from "#workers/protocol.ts";
import { AT, LAST } from "#workers/table/quote-table.ts";
import type { QuoteTable } from "#workers/table/quote-table.ts";

/** A chart somebody asked for. */
interface Entry {
  id: number;
  request: ChartRequest;
  /** Its instrument's row; null before the table has come. */
  row: number | null;
  /** Null until its first bars are read: what ticked before is in them anyway. */
  chart: Chart | null;
  /** Counts readings of the first page, so that only the newest counts. */
  reading: number;
  readingOlder: boolean;
  /** Quotes that came since the first page was asked for, flat: they may be newer than the page. Null when none is on its way. */
  meanwhile: number[] | null;
  /** The newest day the bars were read for. */
  day: number;
}

/** What charts need to know of the market. */
export interface ChartGround {
  table: QuoteTable;
  hours: Hours;
  instrumentOf: (code: string) => Instrument | undefined;
}

const RETRY_MS = 2_000;
/** More quotes than any page takes to come; a page that took longer is behind by a bar at most. */
const MOST_MEANWHILE = 1_000 * QUOTE_STRIDE;

/** The studies' sums, a file of their own: fetched beside the first chart's bars. */
const studies = async (): Promise<MakeStudies> => {
  const { StudySet } = await import("./study-set.ts");
  return (kinds, settings) => new StudySet(kinds, settings);
};

export class ChartStore {
  readonly #entries = new Map<number, Entry>();
  readonly #source: BarSource;
  readonly #tell: (message: ChartMessage) => void;
  #ground: ChartGround | null = null;
  #lastId = 0;

  constructor(source: BarSource, tell: (message: ChartMessage) => void) {
    this.#source = source;
    this.#tell = tell;
  }

  /** The market is known (null: no longer); charts that waited for it are read. */
  use(ground: ChartGround | null): void {
    this.#ground = ground;
    if (ground) this.reload();
  }

  /** Open a chart; its bars come as messages under the number returned. */
  open(request: ChartRequest): number {
    const id = ++this.#lastId;
    const entry: Entry = { id, request, row: null, chart: null, reading: 0, readingOlder: false, meanwhile: null, day: -Infinity };
    this.#entries.set(id, entry);
    void this.#load(entry);
    return id;
  }

  close(id: number): void {
    this.#entries.delete(id);
  }

  clear(): void {
    this.#entries.clear();
    this.#ground = null;
  }

  /** Other studies for an open chart; they come as a message. */
  study(id: number, studies: StudyKind[], settings: StudySettings): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.request = { ...entry.request, studies, settings };
    if (!entry.chart) return;
    entry.chart.study(studies, settings);
    this.#tell({ kind: "chart", chart: id, change: "studied", studies: entry.chart.studied() });
  }

  /** The codes charts are open for. */
  codes(): Set<string> {
    return new Set([...this.#entries.values()].map(({ request }) => request.code));
  }

  /** Ticks may have been missed: every chart is read again. */
  reload(): void {
    for (const entry of this.#entries.values()) void this.#load(entry);
  }

  /** Put one more page of older bars before those known. */
  async loadOlder(id: number): Promise<void> {
    const entry = this.#entries.get(id);
    const chart = entry?.chart;
    if (!entry || !chart || !chart.more || chart.oldestAt === null || entry.readingOlder) return;
    entry.readingOlder = true;
    try {
      const { bars, more } = await readOlder(this.#source, entry.request, chart.adjuster, chart.oldestAt);
      if (this.#entries.get(id)?.chart !== chart) return;
      chart.putBefore(bars, more);
      this.#tell({ kind: "chart", chart: id, change: "older", bars, more, studies: chart.studied() });
    } catch {
      // Nothing is lost: the next pull at the edge asks again.
    } finally {
      entry.readingOlder = false;
    }
  }

  /** A quote came: the one that begins at `from` in a flat batch. */
  tick(row: number, quotes: ArrayLike<number>, from: number): void {
    for (const entry of this.#entries.values()) {
      const { chart, meanwhile } = entry;
      if (entry.row !== row) continue;
      if (meanwhile && meanwhile.length < MOST_MEANWHILE) {
        for (let field = 0; field < QUOTE_STRIDE; field++) meanwhile.push(quotes[from + field] ?? 0);
      }
      if (!chart) continue;
      // On a new day an ex-event may have come to pass, and all that was before counts otherwise.
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

  /** Append the bars that changed since the last call, `[chart, …bar]` each, and their studies. */
  collect(bars: number[], tails: StudyTail[]): void {
    for (const { chart } of this.#entries.values()) chart?.collect(bars, tails);
  }

  async #load(entry: Entry): Promise<void> {
    const reading = ++entry.reading;
    const current = (): boolean => this.#entries.get(entry.id) === entry && reading === entry.reading;
    for (let told = false; current();) {
      const ground = this.#ground;
      const instrument = ground?.instrumentOf(entry.request.code);
      // Before the table has come there is nothing to say; after that, an unknown code is the server's to refuse.
      if (!ground) return;
      entry.row = instrument?.row ?? null;
      entry.meanwhile = [];
      try {
        const [start, makeStudies] = await Promise.all([readStart(this.#source, entry.request), studies()]);
        if (!current() || !instrument) return;
        this.#begin(entry, instrument, ground, start, makeStudies);
        return;
      } catch (error) {
        if (!current()) return;
        // A chart that shows bars keeps them; one that shows none says so, once.
        if (!entry.chart && !told) this.#tell({ kind: "chart", chart: entry.id, change: "failed" });
        told = true;
        if (failedBecause(error, "refused") || failedBecause(error, "expired")) return;
      }
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }

  #begin(entry: Entry, instrument: Instrument, { table, hours }: ChartGround, start: Start, makeStudies: MakeStudies): void {
    const chart = new Chart(entry.id, entry.request, instrument, hours, start, makeStudies);
    if (start.seam) entry.day = Math.max(entry.day, taipeiDay(start.seam.bar.at));
    const meanwhile = entry.meanwhile ?? [];
    for (let from = 0; from < meanwhile.length; from += QUOTE_STRIDE) chart.tick(meanwhile, from);
    chart.tick(table.values, instrument.row * QUOTE_STRIDE);
    entry.meanwhile = null;
    entry.chart = chart;
    this.#tell({ kind: "chart", chart: entry.id, change: "loaded", ...chart.loaded() });
  }
}
