/** The stream state of one connection: what it watches, what is pending, and the batch number. */
import { WATCHED_RANKS } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";
import type { Depth } from "#contract/quote.ts";
import { TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Broadcast } from "./broadcast.ts";
import type { RankingSubscription } from "./ranking-subscription.ts";

/** The output of one connection. Nothing is queued for a slow one: pending rows are sent later with their newest values. */
export interface Sink {
  /** Whether the last write was flushed to the network. */
  writable(): boolean;
  /** Writes one batch of numbers, already joined by commas. */
  quotes(numbers: string): void;
  ranks(ranks: number[][]): void;
  depth(depth: Depth): void;
  tape(row: number, trades: number[]): void;
  /** Writes a broadcast with its serialised value. */
  broadcast(event: Broadcast["event"], json: string): void;
}

/** Source of the newest values. */
export interface QuoteCache {
  /** A row's quote as wire numbers joined by commas. */
  text(row: number): string;
  depth(row: number): Depth;
  /** A row's trades numbered above `after` as flat TAPE_FIELDS, oldest first; only the newest are kept. */
  tape(row: number, after: number): number[];
}

export class Viewer {
  readonly sink: Sink;
  /** Number of the last batch written. */
  n = 0;
  beatMs: View["beatMs"] = 250;
  all = false;
  depthRow: number | null = null;
  tapeRow: number | null = null;
  rankings: RankingSubscription[] = [];
  /** Rows whose quotes are sent: those named in the view and the first rows of its rankings. */
  watched: ReadonlySet<number> = new Set();
  /** Rows that changed since they were last sent. */
  readonly pending = new Set<number>();
  depthPending = false;
  ranksPending = false;
  tapePending = false;
  /** Broadcasts that changed since they were last sent. */
  readonly broadcastsPending = new Set<Broadcast>();
  private named: readonly number[] = [];
  /** The newest trade sent; n 0 for none. */
  private lastTrade = { n: 0, at: 0 };
  private sentAt = 0;

  constructor(sink: Sink) {
    this.sink = sink;
  }

  /** Replaces the view; pending changes are covered by the snapshot that follows. */
  show(view: View, rankings: RankingSubscription[], now: number): void {
    this.named = view.rows;
    this.beatMs = view.beatMs;
    this.all = view.all;
    this.depthRow = view.depth;
    this.tapeRow = view.tape;
    this.rankings = rankings;
    this.rewatch();
    this.pending.clear();
    this.depthPending = false;
    this.ranksPending = false;
    this.tapePending = false;
    this.broadcastsPending.clear();
    this.lastTrade = { n: 0, at: 0 };
    this.sentAt = now;
  }

  /** Recomputes the watched rows. @returns the added rows, whose quotes are still to be sent */
  rewatch(): number[] {
    const watched = new Set(this.named);
    for (const ranking of this.rankings) for (const row of ranking.rows.slice(0, WATCHED_RANKS)) watched.add(row);
    const fresh = [...watched].filter((row) => !this.watched.has(row));
    this.watched = watched;
    return fresh;
  }

  /** Marks a changed row as pending if it is watched. */
  changed(row: number): void {
    if (this.all || this.watched.has(row)) this.pending.add(row);
    if (row === this.depthRow) this.depthPending = true;
    if (row === this.tapeRow) this.tapePending = true;
  }

  /** Returns the tape's trades not sent yet and marks them as sent. Trade numbers restart each day. */
  newTrades(quoteCache: QuoteCache): number[] {
    if (this.tapeRow === null) return [];
    const { n, at } = this.lastTrade;
    // Includes the last sent trade: if it is still the same one, it is still the same day.
    let trades = quoteCache.tape(this.tapeRow, Math.max(0, n - 1));
    const first = tradeAt(trades, 0);
    if (n > 0 && first.n === n && first.at === at) trades = trades.slice(TAPE_STRIDE);
    else if (n > 0 && first.n <= n) trades = quoteCache.tape(this.tapeRow, 0);
    if (trades.length > 0) this.lastTrade = tradeAt(trades, trades.length - TAPE_STRIDE);
    return trades;
  }

  /**
   * Sends what is pending, or a heartbeat when otherwise more than `heartbeatMs` would pass since the last batch before the next turn
   * (`nextTurnMs` from now).
   */
  turn(quoteCache: QuoteCache, now: number, nextTurnMs: number, heartbeatMs: number): void {
    if (!this.sink.writable()) return;
    if (this.pending.size > 0 || now - this.sentAt + nextTurnMs > heartbeatMs) this.flush(quoteCache, now);
    if (this.ranksPending) {
      this.ranksPending = false;
      this.sink.ranks(this.rankings.map((ranking) => ranking.rows));
    }
    if (this.depthPending && this.depthRow !== null) {
      this.depthPending = false;
      this.sink.depth(quoteCache.depth(this.depthRow));
    }
    if (this.tapePending && this.tapeRow !== null) {
      this.tapePending = false;
      const trades = this.newTrades(quoteCache);
      if (trades.length > 0) this.sink.tape(this.tapeRow, trades);
    }
    for (const { event, text } of this.broadcastsPending) this.sink.broadcast(event, text);
    this.broadcastsPending.clear();
  }

  private flush(quoteCache: QuoteCache, now: number): void {
    this.n += 1;
    this.sentAt = now;
    let numbers = `${this.n},${now}`;
    for (const row of this.pending) numbers += `,${quoteCache.text(row)}`;
    this.pending.clear();
    this.sink.quotes(numbers);
  }
}
