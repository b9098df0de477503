/** The connection to the server: socket and polling fallback, the subscribed view, and recovery of what was missed. */
import type { Fact } from "#contract/fact.ts";
import type { MarketSnapshot, QuoteBatch, ServerEvents, View, ViewSnapshot } from "#contract/kernel/push.ts";
import type { RankView } from "#contract/quote.ts";
import { callServer, failedBecause, NOBODY } from "./http-client.ts";
import { FactLog } from "./fact-log.ts";
import { Poller, POLL_TIMEOUT_MS } from "./polling.ts";
import type { Polled } from "./polling.ts";
import type { ConnectionEvent, Credentials } from "#workers/protocol.ts";
import { Heartbeat } from "./heartbeat.ts";
import { TrafficMeter } from "./traffic.ts";
import type { Connection, OpenConnection } from "./transport.ts";
import { SubscriptionKeeper } from "./subscription.ts";

/** Receives everything the feed delivers. */
export interface FeedListener extends Pick<ServerEvents, "channel" | "phase" | "universe"> {
  /** The current state of everything in a view. */
  state(state: MarketSnapshot, view: View): void;
  /** Changed quotes: those from offset `from` in a flat batch. */
  quotes(flat: readonly number[], from: number): void;
  /** Rows of the requested rankings, in request order. */
  ranks(asked: readonly RankView[], rows: readonly (readonly number[])[]): void;
  facts(facts: Fact[]): void;
  connection(event: ConnectionEvent): void;
  /** The connection was interrupted and is open again: updates in between are missing. */
  missed(): void;
  /** The session is over. */
  expired(): void;
}

export class Feed {
  readonly #openConnection: OpenConnection;
  readonly #listener: FeedListener;
  readonly #now: () => number;
  readonly #traffic = new TrafficMeter();
  readonly #heartbeat: Heartbeat;
  readonly #subscription: SubscriptionKeeper;
  readonly #poller: Poller;
  readonly #facts: FactLog;
  #credentials: Credentials = NOBODY;
  #connection: Connection | null = null;
  #broken = false;
  /** The rankings of the view acknowledged last: pushed rows arrive in their order. */
  #ranksRequested: readonly RankView[] = [];

  /** `view` returns the wanted view; null: not known yet. */
  constructor(openConnection: OpenConnection, now: () => number, view: () => View | null, listener: FeedListener) {
    this.#openConnection = openConnection;
    this.#now = now;
    this.#listener = listener;
    this.#heartbeat = new Heartbeat(
      (event) => listener.connection(event),
      () => this.#connection?.reopen(),
      now,
    );
    this.#subscription = new SubscriptionKeeper(view, (snapshot, of) => this.#takeSnapshot(snapshot, of));
    this.#facts = new FactLog(
      (after) => callServer(this.caller, "factsSince", { after }),
      (facts) => listener.facts(facts),
    );
    this.#poller = new Poller((of) => callServer(this.caller, "readView", of, POLL_TIMEOUT_MS), view, {
      polled: (polled, of) => this.#takePoll(polled, of),
      failed: () => listener.connection("POLL_FAILED"),
      expired: () => listener.expired(),
    });
  }

  /** The credentials for calls, with a byte counter attached. */
  get caller(): Credentials {
    return { ...this.#credentials, received: (bytes) => this.#traffic.countMessage(bytes) };
  }

  /** Traffic since the feed was opened. */
  get traffic(): TrafficMeter {
    return this.#traffic;
  }

  open(credentials: Credentials): void {
    const listener = this.#listener;
    this.#credentials = credentials;
    this.#traffic.reset(this.#now());
    this.#connection = this.#openConnection(() => this.#credentials, {
      received: (bytes) => this.#traffic.countMessage(bytes),
      opened: () => this.#opened(),
      closed: () => this.#closed(),
      quotes: (batch) => this.#takeBatch(batch),
      ranks: (rows) => listener.ranks(this.#ranksRequested, rows),
      channel: (channel, payload) => listener.channel(channel, payload),
      phase: (phase, endsAt) => listener.phase(phase, endsAt),
      universe: (universe) => listener.universe(universe),
      fact: (fact) => this.#facts.pushed(fact),
      expired: () => listener.expired(),
    });
    this.#heartbeat.start();
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
    this.#broken = false;
    this.#heartbeat.stop();
    this.#subscription.onConnection(null);
    this.#poller.setOn(false);
    this.#facts.reset();
  }

  /** A renewed session: the next call and the next handshake use it. */
  setCredentials(token: string, account: string): void {
    this.#credentials = { ...this.#credentials, token, account };
  }

  /** The wanted view may have changed. */
  viewChanged(): void {
    this.#subscription.changed();
  }

  /** Requests a snapshot of everything, because something is missing. */
  requestSnapshot(): void {
    this.#subscription.requestSnapshot();
  }

  poll(on: boolean): void {
    this.#poller.setOn(on && this.#connection !== null);
  }

  #opened(): void {
    const connection = this.#connection;
    this.#heartbeat.opened();
    this.#subscription.onConnection(connection && ((view) => connection.view(view)));
    this.#catchUp();
    if (this.#broken) this.#listener.missed();
    this.#broken = false;
  }

  #closed(): void {
    this.#broken = true;
    this.#subscription.onConnection(null);
    this.#heartbeat.closed();
  }

  #catchUp(): void {
    this.#facts.catchUp().catch((error: unknown) => {
      if (failedBecause(error, "expired")) this.#listener.expired();
    });
  }

  #takeBatch(batch: QuoteBatch): void {
    this.#subscription.arrived(batch[0] ?? 0);
    this.#heartbeat.onSignal(batch[1] ?? 0);
    this.#listener.quotes(batch, 2);
  }

  #takeSnapshot(snapshot: ViewSnapshot, view: View): void {
    this.#ranksRequested = view.ranks;
    this.#heartbeat.onSignal(snapshot.at);
    this.#listener.state(snapshot, view);
  }

  #takePoll(polled: Polled, view: View): void {
    this.#listener.connection("POLLED");
    this.#listener.universe(polled.universe);
    this.#listener.state(polled, view);
    this.#catchUp();
  }
}
