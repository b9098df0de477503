/** One member session in the worker: the feed, the instrument table, the screen state and everything computed from them. */
import type { Instrument, Kind } from "#contract/instrument.ts";
import type { Channel, ChannelPayload, ChannelPayloads } from "#contract/channel.ts";
import type { MarketSnapshot, View } from "#contract/kernel/push.ts";
import type { Order } from "#contract/order.ts";
import type { StudySettings } from "#contract/preference.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import { barsFrom } from "#workers/chart/bar-reader.ts";
import type { BarSource } from "#workers/chart/bar-reader.ts";
import { FramePacer } from "#workers/table/frame-pacer.ts";
import { callServer, NOBODY } from "#workers/connection/http-client.ts";
import { ChartStore } from "#workers/chart/chart-store.ts";
import { Feed } from "#workers/connection/feed.ts";
import { InstrumentTableReader, marketOf } from "#workers/table/instrument-table.ts";
import type { ListedMarket } from "#workers/table/instrument-table.ts";
import { hoursOf } from "#workers/chart/period.ts";
import { ProfitStore } from "#workers/table/profit-store.ts";
import type {
  ChartRequest,
  ConnectOptions,
  FromWorker,
  InstrumentTable,
  MarketApi,
  StudyKind,
  ToWorker,
  Traffic,
  VolumeByPrice,
} from "./protocol.ts";
import { REFERENCE, TURNOVER } from "#workers/table/quote-table.ts";
import { SparklineStore } from "#workers/table/sparkline-store.ts";
import { Screen } from "./screen.ts";
import type { SearchIndex } from "#workers/table/search.ts";
import { unitsOf } from "./short-number.ts";
import type { OpenConnection } from "#workers/connection/transport.ts";
import { viewOf } from "#workers/connection/subscription.ts";

/** Interval for sorting watched lists. */
const SORT_EVERY_MS = 1_000;

const payloadsIn = (channels: ChannelPayloads) => Object.entries(channels) as [Channel, ChannelPayload<Channel>][];

const NOT_CONNECTED: ConnectOptions = { ...NOBODY, language: "en", slow: false };

/** All state of one session; a new sign-in gets a new one, so that nothing of the previous member can leak into it. */
export class MarketSession implements Omit<MarketApi, "open"> {
  readonly #send: (message: FromWorker) => void;
  readonly #now: () => number;
  #options = NOT_CONNECTED;
  #connected = false;
  #visible = true;
  #saving = false;
  #sorting: ReturnType<typeof setInterval> | null = null;
  #market: ListedMarket | null = null;
  /** The search over the instruments; null until the first search. */
  #index: Promise<SearchIndex> | null = null;
  readonly #feed: Feed;
  readonly #instruments: InstrumentTableReader;
  readonly #profits = new ProfitStore();
  readonly #bars: BarSource;
  readonly #charts: ChartStore;
  readonly #screen: Screen;
  readonly #sparklines: SparklineStore;
  readonly #pacer: FramePacer;

  /** `send` posts a message to the page; `openConnection` opens the connection to the broker. */
  constructor(send: (message: FromWorker) => void, openConnection: OpenConnection, now: () => number = Date.now) {
    this.#send = send;
    this.#now = now;
    this.#feed = new Feed(openConnection, now, () => this.#view(), {
      state: (state, view) => this.#takeState(state, view),
      quotes: (flat, from) => this.#takeQuotes(flat, from),
      ranks: (asked, rows) => this.#updateScreen((market) => this.#screen.setRanks(asked, rows, market)),
      channel: (channel, payload) => this.#takeChannel(channel, payload),
      phase: (phase, endsAt) => this.#instruments.phase(phase, endsAt),
      universe: (universe) => this.#instruments.universe(universe),
      facts: (facts) => this.#send({ kind: "facts", facts }),
      connection: (event) => this.#send({ kind: "connection", event, at: this.#now() }),
      missed: () => {
        this.#market?.table.newStream();
        this.#charts.reload();
      },
      expired: () => this.#expire(),
    });
    this.#instruments = new InstrumentTableReader(() => callServer(this.#feed.caller, "listInstruments", {}), {
      listed: (table, grown) => this.#takeTable(table, grown),
      phased: (venue) => this.#send({ kind: "venue", venue }),
      expired: () => this.#expire(),
    });
    this.#bars = barsFrom(() => this.#feed.caller);
    this.#charts = new ChartStore(this.#bars, (message) => this.#send(message));
    this.#screen = new Screen(this.#charts, this.#profits);
    this.#sparklines = new SparklineStore({
      read: async (codes) => (await callServer(this.#feed.caller, "readSparklines", { codes })).lines,
      reference: (code) => this.#market?.table.get(this.#market.byCode.get(code)?.row ?? -1, REFERENCE) ?? 0,
      send: (lines) => this.#send({ kind: "sparklines", lines }),
      now,
    });
    this.#pacer = new FramePacer((asks) => this.#sendFrame(asks), now);
  }

  connect(options: ConnectOptions): void {
    this.disconnect();
    this.#options = options;
    this.#connected = true;
    this.#screen.units = unitsOf(options.language);
    this.#feed.open(options);
    this.#instruments.begin();
    this.#sorting = setInterval(() => this.#sort(), SORT_EVERY_MS);
  }

  setCredentials(token: string, account: string): void {
    this.#feed.setCredentials(token, account);
  }

  disconnect(): void {
    this.#connected = false;
    this.#feed.close();
    this.#instruments.end();
    if (this.#sorting !== null) clearInterval(this.#sorting);
    this.#sorting = null;
    this.#charts.clear();
    this.#sparklines.clear();
    this.#profits.setPositions(null);
    this.#screen.clear();
    this.#market = null;
    this.#index = null;
  }

  setVisible(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#sparklines.pause(!visible || this.#saving);
    this.#feed.viewChanged();
    // A hidden page watches nothing, so its charts missed trades.
    if (visible) this.#charts.reload();
  }

  setSaving(saving: boolean): void {
    this.#saving = saving;
    this.#sparklines.pause(saving || !this.#visible);
    this.#feed.viewChanged();
  }

  traffic(): Traffic {
    return this.#feed.traffic.totals;
  }

  setPositions(orders: readonly Order[] | null): void {
    this.#profits.setPositions(orders);
    this.#screen.markProfitsChanged();
    this.#screenChanged();
  }

  /** The search is a separate chunk, loaded and built when the search screen opens. */
  async search(text: string, limit: number): Promise<string[]> {
    const market = this.#market;
    if (!market) return [];
    this.#index ??= import("#workers/table/search.ts").then(({ SearchIndex: Index }) => new Index(market.instruments));
    const index = this.#index;
    try {
      return (await index).find(text, limit, (row) => market.table.get(row, TURNOVER));
    } catch (error) {
      // The next search loads it again.
      if (this.#index === index) this.#index = null;
      throw error;
    }
  }

  /** Its calculation is a separate chunk, loaded when the first list is opened. */
  async volumeByPrice(code: string, kind: Kind, since: number): Promise<VolumeByPrice> {
    const { readVolumeByPrice } = await import("#workers/chart/volume-by-price.ts");
    return readVolumeByPrice(this.#bars, code, kind, since);
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

  /** Handles a message the page sent over the port. */
  receive(message: ToWorker): void {
    switch (message.kind) {
      case "acked":
        if (this.#pacer.acked(message.costMs)) this.#feed.viewChanged();
        return;
      case "cells":
        this.#screen.cells.unmount(message.unmount);
        this.#screen.cells.mount(message.mount);
        this.#screenChanged();
        return;
      case "sparklines":
        this.#sparklines.show(message.shown, message.hidden);
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
    this.#feed.viewChanged();
    this.#pacer.request(true);
  }

  #view(): View | null {
    const market = this.#market;
    if (!market) return null;
    const view = viewOf({
      ...this.#screen.shown(market, this.#saving),
      slow: this.#options.slow || this.#pacer.slow,
      saving: this.#saving,
      hidden: !this.#visible,
      all: this.#options.all === true,
    });
    this.#pacer.everyMs = view.beatMs;
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

  /** A table that grew keeps its quotes, and what the screen shows of them. */
  #takeTable(listed: InstrumentTable, grown: boolean): void {
    const market = marketOf(listed, grown ? this.#market?.table : undefined);
    const instrumentOf = (code: string): Instrument | undefined => this.#market?.byCode.get(code);
    this.#market = market;
    this.#index = null;
    this.#send({ kind: "instruments", table: listed });
    if (grown) return this.#screenChanged();
    this.#profits.use(market.table, instrumentOf);
    this.#screen.markAllChanged();
    this.#charts.use({ table: market.table, hours: hoursOf(listed.venue), instrumentOf });
    this.#feed.requestSnapshot();
    this.#pacer.request(true);
  }

  /** Applies the current state of everything in a view. */
  #takeState({ phase, quotes, ranks, channels }: MarketSnapshot, view: View): void {
    this.#instruments.phase(phase);
    this.#updateScreen((market) => {
      this.#screen.setRanks(view.ranks, ranks, market);
      for (const [channel, payload] of payloadsIn(channels)) this.#screen.setChannel(channel, payload, market);
    });
    this.#takeQuotes(quotes, 0);
  }

  #takeQuotes(flat: readonly number[], from: number): void {
    const table = this.#market?.table;
    if (!table) return;
    this.#feed.traffic.countQuotes(Math.floor((flat.length - from) / QUOTE_STRIDE));
    for (let at = from; at < flat.length; at += QUOTE_STRIDE) this.#charts.tick(flat[at] ?? -1, flat, at);
    if (table.apply(flat, from) > 0) this.#pacer.request();
  }

  #takeChannel(channel: Channel, payload: ChannelPayload<Channel>): void {
    this.#updateScreen((market) => {
      if (this.#screen.setChannel(channel, payload, market)) this.#feed.requestSnapshot();
    });
  }

  /** Updates the screen state and schedules a frame. */
  #updateScreen(take: (market: ListedMarket) => void): void {
    if (this.#market) take(this.#market);
    this.#pacer.request();
  }

  #sort(): void {
    if (this.#market && this.#screen.reorder(this.#market)) this.#pacer.request();
  }
}
