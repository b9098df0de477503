/** One connection's side of the stream: what it watches, what it has not seen yet, and how the next batch is numbered. */
import { WATCHED_RANKS } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";
import type { Depth } from "#contract/quote.ts";
import { TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Broadcast } from "./broadcast.ts";
import type { RankingSubscription } from "./ranking-subscription.ts";

/** The way out of one connection. Nothing is queued behind a slow one: what it cannot take now waits as its newest value. */
export interface Sink {
  /** Whether the last thing written has left for the network. */
  writable(): boolean;
  /** Write one batch whose numbers are already joined by commas. */
  quotes(numbers: string): void;
  ranks(ranks: number[][]): void;
  depth(depth: Depth): void;
  tape(row: number, trades: number[]): void;
  /** Write an event with its value, which is JSON already. */
  tell(event: Broadcast["event"], json: string): void;
}

/** Where a viewer finds the newest values. */
export interface Table {
  /** A row's quote as the wire's numbers joined by commas. */
  text(row: number): string;
  depth(row: number): Depth;
  /** A row's newest trades numbered above `after`, flat TAPE_FIELDS, oldest first; old ones are forgotten. */
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
  boards: RankingSubscription[] = [];
  /** Rows whose quotes it wants: those it named and the first ones of its rankings. */
  watched: ReadonlySet<number> = new Set();
  /** Rows that changed since it last heard of them. */
  readonly pending = new Set<number>();
  depthPending = false;
  ranksPending = false;
  tapePending = false;
  /** What is told once a second and changed since it last heard of it. */
  readonly bulletinsPending = new Set<Broadcast>();
  private named: readonly number[] = [];
  /** The newest trade it has heard of; 0 for none. */
  private heardTrade = { n: 0, at: 0 };
  private heardAt = 0;

  constructor(sink: Sink) {
    this.sink = sink;
  }

  /** Replace what it shows; whatever was pending is answered by the snapshot that follows. */
  show(view: View, boards: RankingSubscription[], now: number): void {
    this.named = view.rows;
    this.beatMs = view.beatMs;
    this.all = view.all;
    this.depthRow = view.depth;
    this.tapeRow = view.tape;
    this.boards = boards;
    this.rewatch();
    this.pending.clear();
    this.depthPending = false;
    this.ranksPending = false;
    this.tapePending = false;
    this.bulletinsPending.clear();
    this.heardTrade = { n: 0, at: 0 };
    this.heardAt = now;
  }

  /** Work out anew which rows it watches. Returns the rows that came in; their quotes are still to be sent. */
  rewatch(): number[] {
    const watched = new Set(this.named);
    for (const board of this.boards) for (const row of board.rows.slice(0, WATCHED_RANKS)) watched.add(row);
    const fresh = [...watched].filter((row) => !this.watched.has(row));
    this.watched = watched;
    return fresh;
  }

  /** Take note that a row changed, if this viewer cares. */
  changed(row: number): void {
    if (this.all || this.watched.has(row)) this.pending.add(row);
    if (row === this.depthRow) this.depthPending = true;
    if (row === this.tapeRow) this.tapePending = true;
  }

  /** The trades of its tape that it has not heard of yet; from now on it has. Trades are counted anew each day. */
  newTrades(table: Table): number[] {
    if (this.tapeRow === null) return [];
    const { n, at } = this.heardTrade;
    // Asked for with the last one it knows: whether that still is the same trade tells if the day is.
    let trades = table.tape(this.tapeRow, Math.max(0, n - 1));
    const first = tradeAt(trades, 0);
    if (n > 0 && first.n === n && first.at === at) trades = trades.slice(TAPE_STRIDE);
    else if (n > 0 && first.n <= n) trades = table.tape(this.tapeRow, 0);
    if (trades.length > 0) this.heardTrade = tradeAt(trades, trades.length - TAPE_STRIDE);
    return trades;
  }

  /**
   * Say what is new, or a sign of life when nothing was said for so long that silence would grow past `heartbeatMs`
   * before the next turn comes.
   */
  turn(table: Table, now: number, nextTurnMs: number, heartbeatMs: number): void {
    if (!this.sink.writable()) return;
    if (this.pending.size > 0 || now - this.heardAt + nextTurnMs > heartbeatMs) this.flush(table, now);
    if (this.ranksPending) {
      this.ranksPending = false;
      this.sink.ranks(this.boards.map((board) => board.rows));
    }
    if (this.depthPending && this.depthRow !== null) {
      this.depthPending = false;
      this.sink.depth(table.depth(this.depthRow));
    }
    if (this.tapePending && this.tapeRow !== null) {
      this.tapePending = false;
      const trades = this.newTrades(table);
      if (trades.length > 0) this.sink.tape(this.tapeRow, trades);
    }
    for (const { event, text } of this.bulletinsPending) this.sink.tell(event, text);
    this.bulletinsPending.clear();
  }

  private flush(table: Table, now: number): void {
    this.n += 1;
    this.heardAt = now;
    let numbers = `${this.n},${now}`;
    for (const row of this.pending) numbers += `,${table.text(row)}`;
    this.pending.clear();
    this.sink.quotes(numbers);
  }
}
