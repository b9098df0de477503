/** Live rankings, worked out once for everyone who watches the same one. */
import type { RankView } from "#contract/quote.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Viewer } from "./viewer.ts";

/** One ranking and who watches it; `rows` best first. */
export interface RankingSubscription {
  readonly key: string;
  readonly view: RankView;
  rows: number[];
  readonly viewers: Set<Viewer>;
}

const same = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((row, at) => row === b[at]);

/** The rankings somebody watches. */
export class RankingSubscriptions {
  private readonly boards = new Map<string, RankingSubscription>();
  private readonly venue: Pick<Venue, "rank">;

  constructor(venue: Pick<Venue, "rank">) {
    this.venue = venue;
  }

  /** The board of a ranking, made when nobody watched it yet. */
  open(view: RankView, viewer: Viewer): RankingSubscription {
    const key = JSON.stringify([view.by, view.board, view.category, view.size]);
    const board = this.boards.get(key) ?? { key, view, rows: this.rank(view), viewers: new Set() };
    this.boards.set(key, board);
    board.viewers.add(viewer);
    return board;
  }

  /** A viewer looks elsewhere; boards nobody watches are forgotten. */
  leave(viewer: Viewer): void {
    for (const board of viewer.boards) {
      board.viewers.delete(viewer);
      if (board.viewers.size === 0) this.boards.delete(board.key);
    }
  }

  /** Rank again. Returns the viewers whose rankings changed. */
  refresh(): Set<Viewer> {
    const touched = new Set<Viewer>();
    for (const board of this.boards.values()) {
      const rows = this.rank(board.view);
      if (same(rows, board.rows)) continue;
      board.rows = rows;
      for (const viewer of board.viewers) touched.add(viewer);
    }
    return touched;
  }

  private rank(view: RankView): number[] {
    return this.venue.rank(view);
  }
}
