/** The stream state of one connection: what it watches, what is pending, and the batch number. */
import type { Channel } from "#contract/channel.ts";
import type { View } from "#contract/kernel/push.ts";
import type { ChannelReader } from "#server/venue/market-data/channel-reader.ts";
import { watchedRows } from "#server/venue/market-data/view-snapshot.ts";
import type { Broadcast } from "./broadcast.ts";
import type { RankingSubscription } from "./ranking-subscription.ts";

/** The output of one connection. Nothing is queued for a slow one: pending rows are sent later with their newest values. */
export interface Sink {
  /** Whether the last write was flushed to the network. */
  writable(): boolean;
  /** Writes one batch of numbers, already joined by commas. */
  quotes(numbers: string): void;
  ranks(ranks: number[][]): void;
  /** Writes a channel's value as JSON. */
  channel(channel: Channel, json: string): void;
}

/** Source of the newest quotes. */
export interface QuoteCache {
  /** A row's quote as wire numbers joined by commas. */
  text(row: number): string;
}

/** What a viewer receives besides the rows named in its view. */
export interface Subscriptions {
  rankings: RankingSubscription[];
  /** Readers of the requested channels; those without a row are broadcast. */
  readers: ChannelReader[];
}

export class Viewer {
  readonly sink: Sink;
  /** Number of the last batch written. */
  n = 0;
  beatMs: View["beatMs"] = 250;
  all = false;
  rankings: RankingSubscription[] = [];
  readers: readonly ChannelReader[] = [];
  /** Rows whose quotes are sent: those named in the view and the first rows of its rankings. */
  watched: ReadonlySet<number> = new Set();
  /** Rows that changed since they were last sent. */
  readonly pending = new Set<number>();
  ranksPending = false;
  /** Readers whose row changed since they were last sent. */
  readonly readersPending = new Set<ChannelReader>();
  /** Broadcasts that changed since they were last sent. */
  readonly broadcastsPending = new Set<Broadcast>();
  private named: readonly number[] = [];
  private sentAt = 0;

  constructor(sink: Sink) {
    this.sink = sink;
  }

  /** Replaces the view; pending changes are covered by the snapshot that follows. */
  show(view: View, { rankings, readers }: Subscriptions, now: number): void {
    this.named = view.rows;
    this.beatMs = view.beatMs;
    this.all = view.all;
    this.rankings = rankings;
    this.readers = readers;
    this.rewatch();
    this.pending.clear();
    this.ranksPending = false;
    this.readersPending.clear();
    this.broadcastsPending.clear();
    this.sentAt = now;
  }

  /** Recomputes the watched rows. @returns the added rows, whose quotes are still to be sent */
  rewatch(): number[] {
    const watched = watchedRows(
      this.named,
      this.rankings.map((ranking) => ranking.rows),
    );
    const fresh = [...watched].filter((row) => !this.watched.has(row));
    this.watched = watched;
    return fresh;
  }

  /** Marks a changed row as pending if it is watched. */
  changed(row: number): void {
    if (this.all || this.watched.has(row)) this.pending.add(row);
    for (const reader of this.readers) if (reader.row === row) this.readersPending.add(reader);
  }

  /**
   * Sends what is pending, or a heartbeat when otherwise more than `heartbeatMs` would pass since the last batch before the next call
   * (`nextSendMs` from now).
   */
  send(quoteCache: QuoteCache, now: number, nextSendMs: number, heartbeatMs: number): void {
    if (!this.sink.writable()) return;
    if (this.pending.size > 0 || now - this.sentAt + nextSendMs > heartbeatMs) this.flush(quoteCache, now);
    if (this.ranksPending) {
      this.ranksPending = false;
      this.sink.ranks(this.rankings.map((ranking) => ranking.rows));
    }
    for (const { channel, read } of this.readersPending) {
      const payload = read();
      if (payload !== null) this.sink.channel(channel, JSON.stringify(payload));
    }
    this.readersPending.clear();
    for (const { channel, text } of this.broadcastsPending) this.sink.channel(channel, text);
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
