/** What is on screen, and the frames that keep it up to date: cells, watched quotes, rankings, depth, profits, forming bars. */
import type { Contribution } from "#contract/sector-heat.ts";
import { WATCHED_RANKS } from "#contract/kernel/push.ts";
import { MAX_WATCHED } from "#contract/quote.ts";
import type { Depth, RankView } from "#contract/quote.ts";
import { cellText, cellTone } from "./cell-text.ts";
import type { Units } from "./cell-text.ts";
import type { ChartStore } from "#workers/chart/chart-store.ts";
import { CellDiff } from "./cell-diff.ts";
import type { ListedMarket } from "./instrument-table.ts";
import { heatUpdate, indexUpdate } from "./heat-update.ts";
import type { ProfitStore } from "./profit-store.ts";
import { QUOTE_CELL_FIELDS } from "#workers/protocol.ts";
import type { Frame, HeatUpdate, IndexUpdate, QuoteUpdate, Watching } from "#workers/protocol.ts";
import { AT } from "./quote-table.ts";
import { sortedCodes } from "./sort.ts";
import { Tape } from "./tape.ts";
import type { Shown } from "#workers/connection/subscription.ts";

const WATCHING_NOTHING: Watching = {
  quotes: [],
  ranks: [],
  sorts: [],
  depth: null,
  tape: null,
  index: null,
  heat: false,
  profits: [],
  profitSum: false,
};

export class Screen {
  readonly board = new CellDiff();
  watching = WATCHING_NOTHING;
  units: Units = [];
  readonly #charts: ChartStore;
  readonly #profits: ProfitStore;
  /** Watched quotes, profits and rankings that were never said. */
  #freshQuotes = new Set<string>();
  #freshProfits = false;
  readonly #ranks = new Map<string, string[]>();
  readonly #newRanks = new Set<string>();
  /** Rankings name no more than this: who saves data sees the first ones only. */
  #mostRanked: number = MAX_WATCHED;
  #depth: { code: string; depth: Depth } | null = null;
  /** When the newest book told was made. */
  #depthAt = 0;
  #tape = new Tape();
  #tapeMoved = false;
  #index: IndexUpdate | null = null;
  #heat: HeatUpdate | null = null;

  constructor(charts: ChartStore, profits: ProfitStore) {
    this.#charts = charts;
    this.#profits = profits;
  }

  /** Replace what is watched beside cells. */
  watch(watching: Watching): void {
    const before = new Set(this.watching.quotes);
    for (const code of watching.quotes) if (!before.has(code)) this.#freshQuotes.add(code);
    const keys = new Set([...watching.ranks, ...watching.sorts].map(({ key }) => key));
    for (const key of this.#ranks.keys()) if (!keys.has(key)) this.#ranks.delete(key);
    if (watching.depth !== this.watching.depth) this.#forgetDepth();
    if (watching.tape !== this.watching.tape) this.#forgetTape();
    this.#freshProfits = true;
    this.watching = watching;
  }

  /** The table is another one: everything says itself again. */
  renew(): void {
    this.board.renew();
    this.#freshQuotes = new Set(this.watching.quotes);
    this.#freshProfits = true;
    this.#ranks.clear();
  }

  /** Positions changed: their profits are computed and said again. */
  renewProfits(): void {
    this.#freshProfits = true;
  }

  /** Forget what came from the server: the session ended. */
  forget(): void {
    this.#ranks.clear();
    this.#newRanks.clear();
    this.#forgetDepth();
    this.#forgetTape();
    this.#index = null;
    this.#heat = null;
  }

  #forgetDepth(): void {
    this.#depth = null;
    this.#depthAt = 0;
  }

  #forgetTape(): void {
    this.#tape = new Tape();
    this.#tapeMoved = false;
  }

  /** A ranking as the server is asked for it. */
  #asked(rank: RankView): RankView {
    return { ...rank, size: Math.min(rank.size, this.#mostRanked) };
  }

  /** Rows of a ranking came, in the order of `ranks`. */
  ranked(ranks: readonly RankView[], rows: readonly (readonly number[])[], market: ListedMarket): void {
    for (const [at, rank] of ranks.entries()) {
      const key = this.watching.ranks.find((watched) => sameRank(this.#asked(watched.rank), rank))?.key;
      const codes = rows[at]?.map((row) => market.instruments[row]?.code ?? "").filter((code) => code !== "");
      if (key === undefined || codes === undefined) continue;
      this.#order(key, codes);
    }
  }

  #order(key: string, codes: string[]): boolean {
    if (this.#ranks.get(key)?.join() === codes.join()) return false;
    this.#ranks.set(key, codes);
    this.#newRanks.add(key);
    return true;
  }

  /** Sort the watched lists anew. Returns whether any stands in another order than before. */
  reorder(market: ListedMarket): boolean {
    let moved = false;
    for (const { key, sorting } of this.watching.sorts) moved = this.#order(key, sortedCodes(sorting, market)) || moved;
    return moved;
  }

  /** A book came; an older one than the last is dropped. */
  deepened(depth: Depth, market: ListedMarket): void {
    const code = market.instruments[depth.row]?.code;
    if (code === undefined || code !== this.watching.depth || depth.at < this.#depthAt) return;
    this.#depthAt = depth.at;
    this.#depth = { code, depth };
  }

  /** Trades of a row came. Returns whether some before them are missing. */
  taped(row: number, trades: readonly number[], market: ListedMarket): boolean {
    const instrument = market.instruments[row];
    if (!instrument || instrument.code !== this.watching.tape) return false;
    this.#tapeMoved = true;
    return this.#tape.take(trades, instrument, this.units);
  }

  /** The breadth of an index came. */
  indexed(index: Contribution, market: ListedMarket): void {
    const code = market.instruments[index.row]?.code;
    if (code !== undefined && code === this.watching.index) this.#index = indexUpdate(code, index);
  }

  /** The categories' heat came. */
  heated(heat: number[]): void {
    if (this.watching.heat) this.#heat = heatUpdate(heat, this.units);
  }

  /** Everything watched, in the words of a view. */
  shown(market: ListedMarket, saving: boolean): Pick<Shown, "rows" | "ranks" | "depth" | "tape" | "index" | "heat"> {
    const { ranks, depth, tape, index, heat } = this.watching;
    this.#mostRanked = saving ? WATCHED_RANKS : MAX_WATCHED;
    const rowOf = (code: string | null): number | null => (code === null ? null : (market.byCode.get(code)?.row ?? null));
    return {
      rows: this.#rows(market),
      ranks: ranks.map(({ rank }) => this.#asked(rank)),
      depth: rowOf(depth),
      tape: rowOf(tape),
      index: rowOf(index),
      heat,
    };
  }

  /** Everything watched, as rows of the table, most important first. */
  *#rows(market: ListedMarket): Iterable<number> {
    for (const codes of [this.watching.quotes, this.#charts.codes(), this.board.keys()]) yield* rowsOf(codes, market);
    for (const { sorting } of this.watching.sorts) yield* rowsOf(sorting.codes, market);
    if (this.watching.profitSum || this.watching.profits.length > 0 || this.board.showsProfit(this.#profits)) {
      yield* rowsOf(this.#profits.codes(), market);
    }
  }

  /** A frame of everything that is new since the last; null when nothing is. */
  frame(market: ListedMarket): Frame | null {
    const { table, byCode } = market;
    const frame: Frame = { kind: "frame", cells: [] };
    this.board.collectQuotes(frame.cells, table, (code) => byCode.get(code), this.units);
    const quotes = this.#quotes(market);
    if (quotes.length > 0) frame.quotes = quotes;
    this.#addProfits(frame);
    if (this.#newRanks.size > 0) {
      frame.ranks = [...this.#newRanks].map((key) => [key, this.#ranks.get(key) ?? []]);
      this.#newRanks.clear();
    }
    if (this.#depth) frame.depth = this.#depth;
    this.#depth = null;
    if (this.#tapeMoved && this.watching.tape !== null) frame.tape = this.#tape.told(this.watching.tape);
    this.#tapeMoved = false;
    if (this.#index) frame.index = this.#index;
    this.#index = null;
    if (this.#heat) frame.heat = this.#heat;
    this.#heat = null;
    if (this.#charts.anyChanged) this.#charts.collect((frame.bars = []), (frame.studies = []));
    table.clearMarks();
    return isEmpty(frame) ? null : frame;
  }

  #quotes(market: ListedMarket): QuoteUpdate[] {
    const told: QuoteUpdate[] = [];
    for (const code of this.watching.quotes) {
      const instrument = market.byCode.get(code);
      // Before anything is known of it there is nothing to tell.
      if (!instrument || market.table.get(instrument.row, AT) === 0) continue;
      if (!market.table.isMarked(instrument.row) && !this.#freshQuotes.has(code)) continue;
      this.#freshQuotes.delete(code);
      const { table } = market;
      const texts = QUOTE_CELL_FIELDS.map((field) => cellText(field, table, instrument.row, instrument, this.units));
      told.push({ code, flat: table.flat(instrument.row), tone: cellTone("last", table, instrument.row), texts });
    }
    return told;
  }

  #addProfits(frame: Frame): void {
    const { profits, profitSum } = this.watching;
    const moved = new Set(this.#profits.refresh());
    if (moved.size === 0 && !this.#freshProfits && !this.board.anyFresh) return;
    this.board.collectProfits(frame.cells, this.#profits);
    const wanted = profits.filter((orderNo) => this.#freshProfits || moved.has(orderNo));
    const told = wanted.map((orderNo) => this.#profits.told(orderNo)).filter((each) => each !== null);
    if (told.length > 0) frame.profits = told;
    if (profitSum) frame.profitSum = this.#profits.sum();
    this.#freshProfits = false;
  }
}

function* rowsOf(codes: Iterable<string>, market: ListedMarket): Iterable<number> {
  for (const code of codes) {
    const instrument = market.byCode.get(code);
    if (instrument) yield instrument.row;
  }
}

const sameRank = (a: RankView, b: RankView): boolean =>
  a.by === b.by && a.board === b.board && a.category === b.category && a.size === b.size;

function isEmpty(frame: Frame): boolean {
  return frame.cells.length === 0 && Object.keys(frame).length === 2;
}
