/** One connection's side of the stream: what it watches, what it has not seen yet, and how the next batch is numbered. */
import type { View } from "#contract/kernel/push.ts";
import type { Depth } from "#contract/quote.ts";
import type { RankBoard } from "./rank-board.ts";

/** The way out of one connection. Nothing is queued behind a slow one: what it cannot take now waits as its newest value. */
export interface Outlet {
  /** Whether the last thing written has left for the network. */
  writable(): boolean;
  /** Write one batch whose numbers are already joined by commas. */
  quotes(numbers: string): void;
  ranks(ranks: number[][]): void;
  depth(depth: Depth): void;
}

/** Where a viewer finds the newest values. */
export interface Table {
  /** A row's quote as the wire's numbers joined by commas. */
  text(row: number): string;
  depth(row: number): Depth;
}

export class Viewer {
  readonly outlet: Outlet;
  /** Number of the last batch written. */
  n = 0;
  beatMs: View["beatMs"] = 250;
  all = false;
  depthRow: number | null = null;
  boards: RankBoard[] = [];
  /** Rows whose quotes it wants: those it named and those its rankings hold. */
  watched: ReadonlySet<number> = new Set();
  /** Rows that changed since it last heard of them. */
  readonly pending = new Set<number>();
  depthPending = false;
  ranksPending = false;
  private named: readonly number[] = [];
  private heardAt = 0;

  constructor(outlet: Outlet) {
    this.outlet = outlet;
  }

  /** Replace what it shows; whatever was pending is answered by the snapshot that follows. */
  show(view: View, boards: RankBoard[], now: number): void {
    this.named = view.rows;
    this.beatMs = view.beatMs;
    this.all = view.all;
    this.depthRow = view.depth;
    this.boards = boards;
    this.rewatch();
    this.pending.clear();
    this.depthPending = false;
    this.ranksPending = false;
    this.heardAt = now;
  }

  /** Work out anew which rows it watches. Returns the rows that came in; their quotes are still to be sent. */
  rewatch(): number[] {
    const watched = new Set(this.named);
    for (const board of this.boards) for (const row of board.rows) watched.add(row);
    const fresh = [...watched].filter((row) => !this.watched.has(row));
    this.watched = watched;
    return fresh;
  }

  /** Take note that a row changed, if this viewer cares. */
  changed(row: number): void {
    if (this.all || this.watched.has(row)) this.pending.add(row);
    if (row === this.depthRow) this.depthPending = true;
  }

  /**
   * Say what is new, or a sign of life when nothing was said for so long that silence would grow past `heartbeatMs`
   * before the next turn comes.
   */
  turn(table: Table, now: number, nextTurnMs: number, heartbeatMs: number): void {
    if (!this.outlet.writable()) return;
    if (this.pending.size > 0 || now - this.heardAt + nextTurnMs > heartbeatMs) this.flush(table, now);
    if (this.ranksPending) {
      this.ranksPending = false;
      this.outlet.ranks(this.boards.map((board) => board.rows));
    }
    if (this.depthPending && this.depthRow !== null) {
      this.depthPending = false;
      this.outlet.depth(table.depth(this.depthRow));
    }
  }

  private flush(table: Table, now: number): void {
    this.n += 1;
    this.heardAt = now;
    let numbers = `${this.n},${now}`;
    for (const row of this.pending) numbers += `,${table.text(row)}`;
    this.pending.clear();
    this.outlet.quotes(numbers);
  }
}
