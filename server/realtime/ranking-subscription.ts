/** Live rankings, computed once for all viewers of the same ranking. */
import type { RankView } from "#contract/quote.ts";
import type { Venue } from "#server/venue/venue.ts";

/** A ranking that somebody views; `rows` best first. */
export interface RankingSubscription {
  readonly key: string;
  readonly view: RankView;
  rows: number[];
}

interface RankingViewer {
  readonly rankings: readonly RankingSubscription[];
}

const same = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((row, at) => row === b[at]);

/** The rankings with at least one viewer. */
export class RankingSubscriptions<Viewer extends RankingViewer> {
  private readonly rankings = new Map<string, RankingSubscription & { viewers: Set<Viewer> }>();
  private readonly venue: Pick<Venue, "rank">;

  constructor(venue: Pick<Venue, "rank">) {
    this.venue = venue;
  }

  /** Subscribes a viewer to a ranking, creating it if necessary. */
  open(view: RankView, viewer: Viewer): RankingSubscription {
    const key = JSON.stringify([view.by, view.board, view.category, view.size]);
    const ranking = this.rankings.get(key) ?? { key, view, rows: this.rank(view), viewers: new Set<Viewer>() };
    this.rankings.set(key, ranking);
    ranking.viewers.add(viewer);
    return ranking;
  }

  /** Unsubscribes a viewer and drops rankings without viewers. */
  leave(viewer: Viewer): void {
    for (const { key } of viewer.rankings) {
      const viewers = this.rankings.get(key)?.viewers;
      viewers?.delete(viewer);
      if (viewers?.size === 0) this.rankings.delete(key);
    }
  }

  /** Recomputes all rankings. @returns the viewers whose rankings changed */
  refresh(): Set<Viewer> {
    const touched = new Set<Viewer>();
    for (const ranking of this.rankings.values()) {
      const rows = this.rank(ranking.view);
      if (same(rows, ranking.rows)) continue;
      ranking.rows = rows;
      for (const viewer of ranking.viewers) touched.add(viewer);
    }
    return touched;
  }

  private rank(view: RankView): number[] {
    return this.venue.rank(view);
  }
}
