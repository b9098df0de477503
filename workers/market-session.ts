/** The market as the worker keeps it: one session's feed, its table, what is on screen, and everything computed from them. */
import type { Instrument } from "#contract/instrument.ts";
import type { View } from "#contract/kernel/push.ts";
import type { Order } from "#contract/order.ts";
import type { StudySettings } from "#contract/preference.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import { barsFrom } from "#workers/chart/bar-reader.ts";
import { FramePacer } from "#workers/table/frame-pacer.ts";
import { callServer, NOBODY } from "#workers/connection/http-client.ts";
import { ChartStore } from "#workers/chart/chart-store.ts";
import { Feed } from "#workers/connection/feed.ts";
import { InstrumentTableReader, marketOf } from "#workers/table/instrument-table.ts";
import type { ListedMarket } from "#workers/table/instrument-table.ts";
import { hoursOf } from "#workers/chart/period.ts";
import type { Polled } from "#workers/connection/polling.ts";
import { ProfitStore } from "#workers/table/profit-store.ts";
import type { ChartRequest, ConnectOptions, FromWorker, InstrumentTable, MarketApi, StudyKind, ToWorker, Traffic } from "./protocol.ts";
import { TURNOVER } from "#workers/table/quote-table.ts";
import { Screen } from "#workers/table/screen.ts";
import { SearchIndex } from "#workers/table/search.ts";
import { unitsOf } from "#workers/table/short-number.ts";
import type { OpenLine } from "#workers/connection/transport.ts";
import { viewOf } from "#workers/connection/subscription.ts";

/** How often watched lists are sorted. */
const SORT_EVERY_MS = 1_000;

const NOT_CONNECTED: ConnectOptions = { ...NOBODY, language: "en", slow: false };

/** Everything of one session; a new sign-in gets a new one, so that nothing of the last member can leak into it. */
export class MarketSession implements Omit<MarketApi, "open"> {
  readonly #send: (message: FromWorker) => void;
  readonly #now: () => number;
  #options = NOT_CONNECTED;
  #connected = false;
  #visible = true;
  #saving = false;
  #sorting: ReturnType<typeof setInterval> | null = null;
  #market: ListedMarket | null = null;
  #index: SearchIndex | null = null;
  readonly #feed: Feed;
  readonly #listing: InstrumentTableReader;
  readonly #profits = new ProfitStore();
  readonly #charts: ChartStore;
  readonly #screen: Screen;
  readonly #beat: FramePacer;

  /** `send` hands a message to the page; `openLine` is the way to the broker. */
  constructor(send: (message: FromWorker) => void, openLine: OpenLine, now: () => number = Date.now) {
    this.#send = send;
    this.#now = now;
    const codeOf = (row: number): string => this.#market?.instruments[row]?.code ?? "";
    this.#feed = new Feed(openLine, now, () => this.#view(), codeOf, {
      state: (state, view) => this.#takeState(state, view),
      quotes: (flat, from) => this.#takeQuotes(flat, from),
      ranks: (asked, rows) => this.#show((market) => this.#screen.ranked(asked, rows, market)),
      depth: (depth) => this.#show((market) => this.#screen.deepened(depth, market)),
      tape: (row, trades) => this.#takeTape(row, trades),
      index: (index) => this.#show((market) => this.#screen.indexed(index, market)),
      heat: (heat) => this.#show(() => this.#screen.heated(heat)),
      phase: (phase, endsAt) => this.#listing.phase(phase, endsAt),
      universe: (universe) => this.#listing.universe(universe),
      facts: (facts) => this.#send({ kind: "facts", facts }),
      line: (event) => this.#send({ kind: "line", event, at: this.#now() }),
      missed: () => this.#charts.reload(),
      expired: () => this.#expire(),
    });
    this.#listing = new InstrumentTableReader(() => callServer(this.#feed.caller, "listInstruments", {}), {
      listed: (table) => this.#takeTable(table),
      phased: (venue) => this.#send({ kind: "venue", venue }),
      expired: () => this.#expire(),
    });
    this.#charts = new ChartStore(
      barsFrom(() => this.#feed.caller),
      (message) => this.#send(message),
    );
    this.#screen = new Screen(this.#charts, this.#profits);
    this.#beat = new FramePacer((asks) => this.#sendFrame(asks), now);
  }

  connect(options: ConnectOptions): void {
    this.disconnect();
    this.#options = options;
    this.#connected = true;
    this.#screen.units = unitsOf(options.language);
    this.#feed.open(options);
    this.#listing.begin();
    this.#sorting = setInterval(() => this.#sort(), SORT_EVERY_MS);
  }

  setCredentials(token: string, account: string): void {
    this.#feed.renew(token, account);
  }

  disconnect(): void {
    this.#connected = false;
    this.#feed.close();
    this.#listing.end();
    if (this.#sorting !== null) clearInterval(this.#sorting);
    this.#sorting = null;
    this.#charts.clear();
    this.#profits.setPositions([]);
    this.#screen.forget();
    this.#market = null;
    this.#index = null;
  }

  setVisible(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#feed.wish();
    // A hidden page watches nothing: its charts missed what was traded.
    if (visible) this.#charts.reload();
  }

  setSaving(saving: boolean): void {
    this.#saving = saving;
    this.#feed.wish();
  }

  traffic(): Traffic {
    return this.#feed.traffic.told;
  }

  setPositions(orders: Order[]): void {
    this.#profits.setPositions(orders);
    this.#screen.renewProfits();
    this.#screenChanged();
  }

  search(text: string, limit: number): string[] {
    const table = this.#market?.table;
    return this.#index?.find(text, limit, (row) => table?.get(row, TURNOVER) ?? 0) ?? [];
  }

  openChart(request: ChartRequest): number {
    const chart = this.#charts.open(request);
    this.#screenChanged();
    return chart;
  }

  studyChart(chart: number, studies: StudyKind[], settings: StudySettings): void {
    this.#charts.study(chart, studies, settings);
  }

  loadOlder(chart: number): void {
    void this.#charts.loadOlder(chart);
  }

  closeChart(chart: number): void {
    this.#charts.close(chart);
    this.#screenChanged();
  }

  /** A message of the page that came over the port. */
  receive(message: ToWorker): void {
    switch (message.kind) {
      case "acked":
        if (this.#beat.acked()) this.#feed.wish();
        return;
      case "cells":
        this.#screen.board.unmount(message.unmount);
        this.#screen.board.mount(message.mount);
        this.#screenChanged();
        return;
      case "watching":
        this.#screen.watch(message.watching);
        this.#sort();
        this.#screenChanged();
        return;
      case "polling":
        this.#feed.poll(message.on);
        return;
    }
  }

  #screenChanged(): void {
    this.#feed.wish();
    this.#beat.want(true);
  }

  #view(): View | null {
    const market = this.#market;
    if (!market) return null;
    const view = viewOf({
      ...this.#screen.shown(market, this.#saving),
      slow: this.#options.slow || this.#beat.slow,
      saving: this.#saving,
      hidden: !this.#visible,
      all: this.#options.all === true,
    });
    this.#beat.everyMs = view.beatMs;
    return view;
  }

  #sendFrame(asks: boolean): boolean {
    const frame = this.#market && this.#screen.frame(this.#market);
    if (!frame) return false;
    if (asks) frame.asks = true;
    this.#send(frame);
    return true;
  }

  #expire(): void {
    if (!this.#connected) return;
    this.disconnect();
    this.#send({ kind: "expired" });
  }

  #takeTable(listed: InstrumentTable): void {
    const market = marketOf(listed);
    const instrumentOf = (code: string): Instrument | undefined => market.byCode.get(code);
    this.#market = market;
    this.#index = new SearchIndex(market.instruments);
    this.#profits.use(market.table, instrumentOf);
    this.#screen.renew();
    this.#send({ kind: "instruments", table: listed });
    this.#charts.use({ table: market.table, hours: hoursOf(listed.venue), instrumentOf });
    this.#feed.askAgain();
    this.#beat.want(true);
  }

  /** The newest of everything a view names. */
  #takeState(state: Polled, view: View): void {
    const { phase, quotes, ranks, depth, tape, index, heat } = state;
    this.#listing.phase(phase);
    this.#show((market) => {
      this.#screen.ranked(view.ranks, ranks, market);
      if (depth) this.#screen.deepened(depth, market);
      if (tape && view.tape !== null) this.#screen.taped(view.tape, tape, market);
      if (index) this.#screen.indexed(index, market);
      if (heat) this.#screen.heated(heat);
    });
    this.#takeQuotes(quotes, 0);
  }

  #takeQuotes(flat: readonly number[], from: number): void {
    const table = this.#market?.table;
    if (!table) return;
    this.#feed.traffic.quoted(Math.floor((flat.length - from) / QUOTE_STRIDE));
    for (let at = from; at < flat.length; at += QUOTE_STRIDE) this.#charts.tick(flat[at] ?? -1, flat, at);
    if (table.apply(flat, from) > 0) this.#beat.want();
  }

  #takeTape(row: number, trades: number[]): void {
    this.#show((market) => {
      if (this.#screen.taped(row, trades, market)) this.#feed.askAgain();
    });
  }

  /** Hand something to the screen, and say it with the next frame. */
  #show(take: (market: ListedMarket) => void): void {
    if (this.#market) take(this.#market);
    this.#beat.want();
  }

  #sort(): void {
    if (this.#market && this.#screen.reorder(this.#market)) this.#beat.want();
  }
}
