/** The way to the server: the socket and its polling twin, the view they are told, and what was missed while neither spoke. */
import type { Fact } from "#contract/fact.ts";
import type { QuoteBatch, ServerEvents, View, ViewSnapshot } from "#contract/kernel/push.ts";
import type { RankView } from "#contract/quote.ts";
import { callServer, failedBecause, NOBODY } from "./http-client.ts";
import type { Credentials } from "./http-client.ts";
import { FactLog } from "./fact-log.ts";
import { Poller, pollView } from "./polling.ts";
import type { Polled } from "./polling.ts";
import type { LineEvent } from "#workers/protocol.ts";
import { Heartbeat } from "./heartbeat.ts";
import { TrafficMeter } from "./traffic.ts";
import type { Line, OpenLine } from "./transport.ts";
import { SubscriptionKeeper } from "./subscription.ts";

/** Who hears what comes. */
export interface FeedListener extends Pick<ServerEvents, "depth" | "tape" | "index" | "heat" | "phase" | "universe"> {
  /** The newest of everything a view names. */
  state(state: Polled, view: View): void;
  /** Quotes that changed: those from `from` on in a flat batch. */
  quotes(flat: readonly number[], from: number): void;
  /** Rows of the rankings that were asked for, in their order. */
  ranks(asked: readonly RankView[], rows: readonly (readonly number[])[]): void;
  facts(facts: Fact[]): void;
  line(event: LineEvent): void;
  /** The line was broken and is open again: what was told meanwhile is missing. */
  missed(): void;
  /** The session is over. */
  expired(): void;
}

export class Feed {
  readonly #openLine: OpenLine;
  readonly #hearer: FeedListener;
  readonly #now: () => number;
  readonly #traffic = new TrafficMeter();
  readonly #pulse: Heartbeat;
  readonly #views: SubscriptionKeeper;
  readonly #poller: Poller;
  readonly #facts: FactLog;
  #credentials: Credentials = NOBODY;
  #line: Line | null = null;
  #broken = false;
  /** The rankings of the view the server answered last: pushed rows come in their order. */
  #ranksAsked: readonly RankView[] = [];

  /** `view` says what is wanted now (null: not known yet); `codeOf` names a row for the polling twin. */
  constructor(openLine: OpenLine, now: () => number, view: () => View | null, codeOf: (row: number) => string, hearer: FeedListener) {
    this.#openLine = openLine;
    this.#now = now;
    this.#hearer = hearer;
    this.#pulse = new Heartbeat(
      (event) => hearer.line(event),
      () => this.#line?.reopen(),
      now,
    );
    this.#views = new SubscriptionKeeper(view, (snapshot, of) => this.#takeSnapshot(snapshot, of));
    this.#facts = new FactLog(
      (after) => callServer(this.caller, "factsSince", { after }),
      (facts) => hearer.facts(facts),
    );
    this.#poller = new Poller((of) => pollView(this.caller, of, codeOf), view, {
      polled: (polled, of) => this.#takePoll(polled, of),
      failed: () => hearer.line("POLL_FAILED"),
      expired: () => hearer.expired(),
    });
  }

  /** Who calls the server, with every answer counted. */
  get caller(): Credentials {
    return { ...this.#credentials, received: (bytes) => this.#traffic.heard(bytes) };
  }

  /** What came since the feed was opened. */
  get traffic(): TrafficMeter {
    return this.#traffic;
  }

  open(credentials: Credentials): void {
    const hearer = this.#hearer;
    this.#credentials = credentials;
    this.#traffic.reset(this.#now());
    this.#line = this.#openLine(() => this.#credentials, {
      received: (bytes) => this.#traffic.heard(bytes),
      opened: () => this.#opened(),
      closed: () => this.#closed(),
      quotes: (batch) => this.#takeBatch(batch),
      ranks: (rows) => hearer.ranks(this.#ranksAsked, rows),
      depth: (depth) => hearer.depth(depth),
      tape: (row, trades) => hearer.tape(row, trades),
      index: (index) => hearer.index(index),
      heat: (heat) => hearer.heat(heat),
      phase: (phase, endsAt) => hearer.phase(phase, endsAt),
      universe: (universe) => hearer.universe(universe),
      fact: (fact) => this.#facts.pushed(fact),
      expired: () => hearer.expired(),
    });
    this.#pulse.start();
  }

  close(): void {
    this.#line?.close();
    this.#line = null;
    this.#broken = false;
    this.#pulse.stop();
    this.#views.line(null);
    this.#poller.switch(false);
    this.#facts.reset();
  }

  /** A renewed session: the next call and the next handshake use it. */
  renew(token: string, account: string): void {
    this.#credentials = { ...this.#credentials, token, account };
  }

  /** What is wanted may have changed. */
  wish(): void {
    this.#views.changed();
  }

  /** Something is missing: ask for the newest of everything. */
  askAgain(): void {
    this.#views.again();
  }

  poll(on: boolean): void {
    this.#poller.switch(on && this.#line !== null);
  }

  #opened(): void {
    const line = this.#line;
    this.#pulse.opened();
    this.#views.line(line && ((view) => line.view(view)));
    this.#catchUp();
    if (this.#broken) this.#hearer.missed();
    this.#broken = false;
  }

  #closed(): void {
    this.#broken = true;
    this.#views.line(null);
    this.#pulse.closed();
  }

  #catchUp(): void {
    this.#facts.catchUp().catch((error: unknown) => {
      if (failedBecause(error, "expired")) this.#hearer.expired();
    });
  }

  #takeBatch(batch: QuoteBatch): void {
    this.#views.arrived(batch[0] ?? 0);
    this.#pulse.heard(batch[1] ?? 0);
    this.#hearer.quotes(batch, 2);
  }

  #takeSnapshot(snapshot: ViewSnapshot, view: View): void {
    this.#ranksAsked = view.ranks;
    this.#pulse.heard(snapshot.at);
    this.#hearer.state(snapshot, view);
  }

  #takePoll(polled: Polled, view: View): void {
    this.#hearer.line("POLLED");
    this.#hearer.state(polled, view);
    this.#catchUp();
  }
}
