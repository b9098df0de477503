/** The state of the screen and the frames that keep it up to date: cells, watched quotes, rankings, channels, profits, forming bars. */
import type { Channel, ChannelPayload } from "#contract/channel.ts";
import { WATCHED_RANKS } from "#contract/kernel/push.ts";
import { MAX_WATCHED } from "#contract/quote.ts";
import type { RankView } from "#contract/quote.ts";
import { cellText, cellTone } from "#workers/table/cell-text.ts";
import type { Units } from "./short-number.ts";
import { ChannelStore } from "#workers/channels/channel-store.ts";
import type { ChartStore } from "#workers/chart/chart-store.ts";
import { CellDiff } from "#workers/table/cell-diff.ts";
import type { ListedMarket } from "#workers/table/instrument-table.ts";
import type { ProfitStore } from "#workers/table/profit-store.ts";
import { QUOTE_CELL_FIELDS } from "./protocol.ts";
import type { Frame, QuoteUpdate, Watching } from "./protocol.ts";
import { AT } from "#workers/table/quote-table.ts";
import { sortedCodes } from "#workers/table/sort.ts";
import type { Shown } from "#workers/connection/subscription.ts";

const WATCHING_NOTHING: Watching = {
  quotes: [],
  ahead: [],
  ranks: [],
  sorts: [],
  channels: {},
  profits: [],
  profitSum: false,
};

export class Screen {
  readonly cells = new CellDiff();
  watching = WATCHING_NOTHING;
  units: Units = [];
  readonly #channels = new ChannelStore();
  readonly #charts: ChartStore;
  readonly #profits: ProfitStore;
  /** Watched quotes that were never sent. */
  #unsentQuotes = new Set<string>();
  #profitsChanged = false;
  readonly #ranks = new Map<string, string[]>();
  readonly #changedRanks = new Set<string>();
  /** Maximum length of rankings: with data saver on, only the top ones are requested. */
  #maxRanked: number = MAX_WATCHED;

  constructor(charts: ChartStore, profits: ProfitStore) {
    this.#charts = charts;
    this.#profits = profits;
  }

  /** Replaces what is watched besides cells. */
  watch(watching: Watching): void {
    const before = new Set(this.watching.quotes);
    for (const code of watching.quotes) if (!before.has(code)) this.#unsentQuotes.add(code);
    const keys = new Set([...watching.ranks, ...watching.sorts].map(({ key }) => key));
    for (const key of this.#ranks.keys()) if (!keys.has(key)) this.#ranks.delete(key);
    this.#channels.watch(watching.channels);
    this.#profitsChanged = true;
    this.watching = watching;
  }

  /** Marks everything as unsent, because the table was replaced. */
  markAllChanged(): void {
    this.cells.markAllUnsent();
    this.#unsentQuotes = new Set(this.watching.quotes);
    this.#profitsChanged = true;
    this.#ranks.clear();
  }

  /** Marks profits as unsent, because positions changed. */
  markProfitsChanged(): void {
    this.#profitsChanged = true;
  }

  /** Clears all server data at the end of the session. */
  clear(): void {
    this.#ranks.clear();
    this.#changedRanks.clear();
    this.#channels.clear();
  }

  /** A ranking as requested from the server. */
  #requested(rank: RankView): RankView {
    return { ...rank, size: Math.min(rank.size, this.#maxRanked) };
  }

  /** Takes the rows of rankings, in the order of `ranks`. */
  setRanks(ranks: readonly RankView[], rows: readonly (readonly number[])[], market: ListedMarket): void {
    for (const [at, rank] of ranks.entries()) {
      const key = this.watching.ranks.find((watched) => sameRank(this.#requested(watched.rank), rank))?.key;
      const codes = rows[at]?.map((row) => market.instruments[row]?.code ?? "").filter((code) => code !== "");
      if (key === undefined || codes === undefined) continue;
      this.#setOrder(key, codes);
    }
  }

  #setOrder(key: string, codes: string[]): boolean {
    if (this.#ranks.get(key)?.join() === codes.join()) return false;
    this.#ranks.set(key, codes);
    this.#changedRanks.add(key);
    return true;
  }

  /** Sorts the watched lists. Returns whether any order changed. */
  reorder(market: ListedMarket): boolean {
    let changed = false;
    for (const { key, sorting } of this.watching.sorts) changed = this.#setOrder(key, sortedCodes(sorting, market)) || changed;
    return changed;
  }

  /** Takes a channel's payload. Returns whether earlier ones are missing. */
  setChannel(channel: Channel, payload: ChannelPayload<Channel>, market: ListedMarket): boolean {
    return this.#channels.apply(channel, payload, market, this.units);
  }

  /** Everything watched, as the content of a view. */
  shown(market: ListedMarket, saving: boolean): Pick<Shown, "rows" | "ranks" | "channels"> {
    this.#maxRanked = saving ? WATCHED_RANKS : MAX_WATCHED;
    return {
      rows: this.#rows(market, saving),
      ranks: this.watching.ranks.map(({ rank }) => this.#requested(rank)),
      channels: this.#channels.requests(market),
    };
  }

  /** The rows of everything watched, most important first; with data saver on, without those that lists are only about to show. */
  *#rows(market: ListedMarket, saving: boolean): Iterable<number> {
    const { quotes, ahead } = this.watching;
    for (const codes of [quotes, this.#charts.codes(), this.cells.keys(), saving ? [] : ahead]) yield* rowsOf(codes, market);
    for (const { sorting } of this.watching.sorts) yield* rowsOf(sorting.codes, market);
    if (this.watching.profitSum || this.watching.profits.length > 0 || this.cells.showsProfit(this.#profits)) {
      yield* rowsOf(this.#profits.codes(), market);
    }
  }

  /** Builds a frame of everything that changed since the last; null if nothing did. */
  frame(market: ListedMarket): Frame | null {
    const { table, byCode } = market;
    const frame: Frame = { kind: "frame", cells: [] };
    this.cells.collectQuotes(frame.cells, table, (code) => byCode.get(code), this.units);
    const quotes = this.#quotes(market);
    if (quotes.length > 0) frame.quotes = quotes;
    this.#addProfits(frame);
    if (this.#changedRanks.size > 0) {
      frame.ranks = [...this.#changedRanks].map((key) => [key, this.#ranks.get(key) ?? []]);
      this.#changedRanks.clear();
    }
    const channels = this.#channels.collect();
    if (channels.length > 0) frame.channels = channels;
    if (this.#charts.anyChanged) this.#charts.collect((frame.bars = []), (frame.studies = []));
    table.clearMarks();
    return isEmpty(frame) ? null : frame;
  }

  #quotes(market: ListedMarket): QuoteUpdate[] {
    const updates: QuoteUpdate[] = [];
    for (const code of this.watching.quotes) {
      const instrument = market.byCode.get(code);
      // No quote of this instrument has arrived yet.
      if (!instrument || market.table.get(instrument.row, AT) === 0) continue;
      if (!market.table.isMarked(instrument.row) && !this.#unsentQuotes.has(code)) continue;
      this.#unsentQuotes.delete(code);
      const { table } = market;
      const texts = QUOTE_CELL_FIELDS.map((field) => cellText(field, table, instrument.row, instrument, this.units));
      updates.push({ code, flat: table.flat(instrument.row), tone: cellTone("last", table, instrument.row), texts });
    }
    return updates;
  }

  #addProfits(frame: Frame): void {
    const { profits, profitSum } = this.watching;
    const changed = this.#profits.refresh();
    if (changed.size === 0 && !this.#profitsChanged && !this.cells.anyUnsent) return;
    this.cells.collectProfits(frame.cells, this.#profits);
    const wanted = profits.filter((key) => this.#profitsChanged || changed.has(key));
    const updates = wanted.map((key) => this.#profits.update(key)).filter((each) => each !== null);
    if (updates.length > 0) frame.profits = updates;
    const sum = profitSum ? this.#profits.sum() : null;
    if (sum) frame.profitSum = sum;
    this.#profitsChanged = false;
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
