/** The market as the worker keeps it: one session's lines, its table, what is on screen, and everything computed from them. */
import type { CandlePeriod } from "#contract/candle.ts";
import type { Fact } from "#contract/fact.ts";
import type { SessionPhase } from "#contract/instrument.ts";
import type { QuoteBatch, RankView, View, ViewSnapshot } from "#contract/kernel/push.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import type { Depth } from "#contract/quote.ts";
import { Beat } from "./beat.ts";
import { CALLED, callServer, failedBecause } from "./call.ts";
import type { Called } from "./call.ts";
import { ChartBook, readBarsFrom } from "./chart.ts";
import { FactLog } from "./fact.ts";
import { Poller, pollView } from "./polling.ts";
import type { Polled } from "./polling.ts";
import { ProfitBook } from "./profit.ts";
import { Pulse } from "./pulse.ts";
import type { ConnectOptions, FromWorker, InstrumentTable, LineEvent, MarketDoor, ToWorker } from "./protocol.ts";
import { AT, HIGH, LAST, LOW, OPEN, QuoteTable, TURNOVER, VOLUME } from "./quote-table.ts";
import { Screen } from "./screen.ts";
import type { Market } from "./screen.ts";
import { SearchIndex } from "./search.ts";
import { unitsOf } from "./short-number.ts";
import { openSocket } from "./transport.ts";
import type { Line, OpenLine } from "./transport.ts";
import { ViewKeeper, viewOf } from "./view.ts";

const RETRY_MS = 1_000;

const NO_PATHS = Object.fromEntries(CALLED.map((name) => [name, ""])) as Record<Called, string>;
const NOBODY: ConnectOptions = { origin: "", token: "", account: "", paths: NO_PATHS, language: "en", slow: false };

/** Everything of one session; a new sign-in gets a new one, so that nothing of the last member can leak into it. */
export class MarketSession implements Omit<MarketDoor, "open"> {
  readonly #send: (message: FromWorker) => void;
  readonly #openLine: OpenLine;
  readonly #now: () => number;
  #options: ConnectOptions = NOBODY;
  /** Counts sessions: an answer that belongs to an earlier one is nobody's. */
  #session = 0;
  #connected = false;
  #visible = true;
  #line: Line | null = null;
  #brokenSince = false;
  readonly #pulse: Pulse;
  #listed: InstrumentTable | null = null;
  #market: Market | null = null;
  #index: SearchIndex | null = null;
  /** The rankings of the view the server answered last: pushed rows come in their order. */
  #ranksAsked: readonly RankView[] = [];
  readonly #profits = new ProfitBook();
  readonly #charts: ChartBook;
  readonly #screen: Screen;
  readonly #facts: FactLog;
  readonly #views: ViewKeeper;
  readonly #poller: Poller;
  readonly #beat: Beat;

  /** `send` hands a message to the page. */
  constructor(send: (message: FromWorker) => void, openLine: OpenLine = openSocket, now: () => number = Date.now) {
    this.#send = send;
    this.#openLine = openLine;
    this.#now = now;
    this.#charts = new ChartBook(
      readBarsFrom(() => this.#options),
      (message) => this.#send(message),
    );
    this.#screen = new Screen(this.#charts, this.#profits);
    this.#pulse = new Pulse(
      (event) => this.#say(event),
      () => this.#line?.reopen(),
      now,
    );
    this.#beat = new Beat(() => this.#sendFrame(), now);
    this.#views = new ViewKeeper(
      () => this.#view(),
      (snapshot, view) => this.#takeSnapshot(snapshot, view),
    );
    this.#facts = new FactLog(
      (after) => callServer(this.#options, "factsSince", { after }),
      (facts) => this.#send({ kind: "facts", facts }),
    );
    this.#poller = new Poller(
      (view) => pollView(this.#options, view, (row) => this.#market?.instruments[row]?.code ?? ""),
      () => this.#view(),
      {
        polled: (polled, view) => this.#takePoll(polled, view),
        failed: () => this.#say("POLL_FAILED"),
        expired: () => this.#expire(),
      },
    );
  }

  connect(options: ConnectOptions): void {
    this.disconnect();
    this.#options = options;
    this.#connected = true;
    this.#screen.units = unitsOf(options.language);
    void this.#list(this.#session);
    this.#line = this.#openLine(() => this.#options, {
      opened: () => this.#opened(),
      closed: () => this.#closed(),
      quotes: (batch) => this.#takeBatch(batch),
      ranks: (ranks) => this.#takeRanks(this.#ranksAsked, ranks),
      depth: (depth) => this.#takeDepth(depth),
      phase: (phase, endsAt) => this.#takePhase(phase, endsAt),
      universe: (universe) => this.#takeUniverse(universe),
      fact: (fact: Fact) => this.#facts.pushed(fact),
      expired: () => this.#expire(),
    });
    this.#pulse.start();
  }

  setCredentials(token: string, account: string): void {
    this.#options = { ...this.#options, token, account };
  }

  disconnect(): void {
    this.#session++;
    this.#connected = false;
    this.#line?.close();
    this.#line = null;
    this.#brokenSince = false;
    this.#pulse.stop();
    this.#views.line(null);
    this.#poller.switch(false);
    this.#facts.reset();
    this.#charts.clear();
    this.#profits.setPositions([]);
    this.#screen.forget();
    this.#listed = null;
    this.#market = null;
    this.#index = null;
  }

  setVisible(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#views.changed();
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

  openChart(code: string, period: CandlePeriod): number {
    const chart = this.#charts.open(code, period);
    this.#screenChanged();
    return chart;
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
        if (this.#beat.acked()) this.#views.changed();
        return;
      case "cells":
        this.#screen.board.unmount(message.unmount);
        this.#screen.board.mount(message.mount);
        this.#screenChanged();
        return;
      case "watching":
        this.#screen.watch(message.watching);
        this.#screenChanged();
        return;
      case "polling":
        this.#poller.switch(message.on && this.#connected);
        return;
    }
  }

  #screenChanged(): void {
    this.#views.changed();
    this.#beat.want(true);
  }

  #view(): View | null {
    const market = this.#market;
    if (!market) return null;
    const { watching } = this.#screen;
    const view = viewOf({
      rows: this.#screen.rows(market),
      ranks: watching.ranks.map(({ rank }) => rank),
      depth: watching.depth === null ? null : (market.byCode.get(watching.depth)?.row ?? null),
      slow: this.#options.slow || this.#beat.slow,
      hidden: !this.#visible,
      all: this.#options.all === true,
    });
    this.#beat.everyMs = view.beatMs;
    return view;
  }

  #sendFrame(): boolean {
    const frame = this.#market && this.#screen.frame(this.#market);
    if (frame) this.#send(frame);
    return frame !== null;
  }

  /** Fetch the table until it comes; then the view can name its rows. */
  async #list(session: number): Promise<void> {
    while (session === this.#session) {
      try {
        const table = await callServer(this.#options, "listInstruments", {});
        if (session === this.#session) this.#takeTable(table);
        return;
      } catch (error) {
        if (session !== this.#session) return;
        if (failedBecause(error, "expired")) return this.#expire();
      }
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }

  #takeTable(listed: InstrumentTable): void {
    const { instruments } = listed;
    const byCode = new Map(instruments.map((instrument) => [String(instrument.code), instrument]));
    this.#listed = listed;
    this.#market = { table: new QuoteTable(instruments.length), instruments, byCode };
    this.#index = new SearchIndex(instruments);
    this.#profits.use(this.#market.table, (code) => byCode.get(code));
    this.#screen.renew();
    this.#send({ kind: "instruments", table: listed });
    this.#views.again();
    this.#beat.want(true);
  }

  #opened(): void {
    const line = this.#line;
    this.#pulse.opened();
    this.#views.line(line && ((view) => line.view(view)));
    this.#catchUp();
    if (this.#brokenSince) this.#charts.reload();
    this.#brokenSince = false;
  }

  #closed(): void {
    this.#brokenSince = true;
    this.#views.line(null);
    this.#pulse.closed();
  }

  #catchUp(): void {
    this.#facts.catchUp().catch((error: unknown) => {
      if (failedBecause(error, "expired")) this.#expire();
    });
  }

  #expire(): void {
    if (!this.#connected) return;
    this.disconnect();
    this.#send({ kind: "expired" });
  }

  #takeBatch(batch: QuoteBatch): void {
    this.#views.arrived(batch[0] ?? 0);
    this.#pulse.heard(batch[1] ?? 0);
    this.#takeQuotes(batch, 2);
  }

  #takeSnapshot(snapshot: ViewSnapshot, view: View): void {
    this.#ranksAsked = view.ranks;
    this.#pulse.heard(snapshot.at);
    this.#takePhase(snapshot.phase, this.#listed?.venue.phaseEndsAt ?? null);
    this.#takeRanks(view.ranks, snapshot.ranks);
    if (snapshot.depth) this.#takeDepth(snapshot.depth);
    this.#takeQuotes(snapshot.quotes, 0);
  }

  #takePoll(polled: Polled, view: View): void {
    this.#say("POLLED");
    this.#takePhase(polled.phase, this.#listed?.venue.phaseEndsAt ?? null);
    this.#takeRanks(view.ranks, polled.ranks);
    if (polled.depth) this.#takeDepth(polled.depth);
    this.#takeQuotes(polled.quotes, 0);
    this.#catchUp();
  }

  #takeQuotes(flat: readonly number[], from: number): void {
    const market = this.#market;
    if (!market || market.table.apply(flat, from) === 0) return;
    const { table, byCode } = market;
    for (const code of this.#charts.codes()) {
      const row = byCode.get(code)?.row ?? -1;
      if (!table.isMarked(row)) continue;
      const read = (field: number): number => table.get(row, field);
      this.#charts.tick(code, { at: read(AT), last: read(LAST), open: read(OPEN), high: read(HIGH), low: read(LOW), volume: read(VOLUME) });
    }
    this.#beat.want();
  }

  #takeRanks(asked: readonly RankView[], rows: readonly (readonly number[])[]): void {
    if (this.#market) this.#screen.ranked(asked, rows, this.#market);
    this.#beat.want();
  }

  #takeDepth(depth: Depth): void {
    if (this.#market) this.#screen.deepened(depth, this.#market);
    this.#beat.want();
  }

  #takePhase(phase: SessionPhase, endsAt: number | null): void {
    const venue = this.#listed?.venue;
    if (!this.#listed || !venue || (venue.phase === phase && venue.phaseEndsAt === endsAt)) return;
    this.#listed = { ...this.#listed, venue: { ...venue, phase, phaseEndsAt: endsAt as EpochMs | null } };
    this.#send({ kind: "venue", venue: this.#listed.venue });
  }

  #takeUniverse(universe: string): void {
    if (this.#listed && this.#listed.venue.universe !== universe) void this.#list(this.#session);
  }

  #say(event: LineEvent): void {
    this.#send({ kind: "line", event, at: this.#now() });
  }
}
