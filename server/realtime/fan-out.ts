/** Fan-out: serve the venue's changes into one small batch per viewer and interval, sharing the work between viewers. */
import { HEARTBEAT_MS, RANKING_INTERVAL_MS } from "#contract/kernel/push.ts";
import type { View, ViewSnapshot } from "#contract/kernel/push.ts";
import { QUOTE_FIELDS } from "#contract/quote.ts";
import { openReaders } from "#server/venue/market-data/channel-reader.ts";
import { readSnapshot, unknownRow } from "#server/venue/market-data/view-snapshot.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Broadcasts } from "./broadcast.ts";
import { RankingSubscriptions } from "./ranking-subscription.ts";
import { DispatchSchedule, TICK_MS } from "./dispatch-schedule.ts";
import { Viewer } from "./viewer.ts";
import type { QuoteCache, Sink } from "./viewer.ts";

/** Timers run late under load; heartbeats are sent this much earlier. */
const HEARTBEAT_SLACK_MS = 50;

export interface FanOut {
  /** Adds a connection; it receives nothing before its first view. */
  join(sink: Sink): Viewer;
  /** Replaces a viewer's view and returns the snapshot. @throws RangeError when it names a row the venue does not have */
  show(viewer: Viewer, view: View): ViewSnapshot;
  leave(viewer: Viewer): void;
  stop(): void;
}

/** Cache of each row's newest quote as wire text, serialised once for all viewers. */
function openQuoteCache(venue: Venue): QuoteCache & { note(rows: readonly number[]): void } {
  const texts: (string | undefined)[] = [];
  return {
    note(rows) {
      for (const row of rows) texts[row] = undefined;
    },
    text(row) {
      const known = texts[row];
      if (known !== undefined) return known;
      const quote = venue.publicQuote(row);
      return (texts[row] = QUOTE_FIELDS.map((field) => quote[field]).join());
    },
  };
}

/** Starts the fan-out of a venue. `now` is the clock of the batch timestamps. */
export function createFanOut(venue: Venue, now: () => number = Date.now): FanOut {
  const quoteCache = openQuoteCache(venue);
  const rankings = new RankingSubscriptions<Viewer>(venue);
  const broadcasts = new Broadcasts();
  const schedule = new DispatchSchedule();
  let tick = 0;

  const rerank = (): void => {
    for (const viewer of rankings.refresh()) {
      schedule.rewatch(viewer, () => {
        for (const row of viewer.rewatch()) viewer.pending.add(row);
        viewer.ranksPending = true;
      });
    }
  };

  const onTick = (): void => {
    const at = now();
    tick += 1;
    if (tick % (RANKING_INTERVAL_MS / TICK_MS) === 0) {
      rerank();
      broadcasts.refresh();
    }
    // No heartbeats while prices are stale: a heartbeat means that prices are live, not only the socket.
    const heartbeatMs = venue.fresh(at) ? HEARTBEAT_MS - HEARTBEAT_SLACK_MS : Infinity;
    schedule.serve(tick, ({ viewers }, nextSendMs) => {
      for (const viewer of viewers) viewer.send(quoteCache, at, nextSendMs, heartbeatMs);
    });
  };

  const leave = (viewer: Viewer): void => {
    schedule.leave(viewer);
    rankings.leave(viewer);
    broadcasts.leave(viewer);
  };

  const unsubscribe = venue.onChange((rows) => {
    quoteCache.note(rows);
    schedule.note(rows);
  });
  const timer = setInterval(onTick, TICK_MS);

  return {
    join(sink) {
      venue.watched();
      return new Viewer(sink);
    },
    show(viewer, view) {
      const unknown = unknownRow(venue, view);
      if (unknown !== undefined) throw new RangeError(`the venue has no row ${unknown}`);
      leave(viewer);
      const at = now();
      const readers = openReaders(venue, view.channels);
      viewer.show(view, { rankings: view.ranks.map((rank) => rankings.open(rank, viewer)), readers }, at);
      broadcasts.open(readers, viewer);
      schedule.join(viewer);
      const rows = viewer.all ? venue.instruments.keys() : viewer.watched;
      const ranks = viewer.rankings.map((ranking) => ranking.rows);
      return { n: viewer.n, ...readSnapshot(venue, at, { rows, ranks, readers }) };
    },
    leave,
    stop() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
