/** Fan-out: serve the venue's changes into one small batch per viewer and interval, sharing the work between viewers. */
import { BEATS_MS, HEARTBEAT_MS, RANK_BEAT_MS } from "#contract/kernel/push.ts";
import type { View, ViewSnapshot } from "#contract/kernel/push.ts";
import { QUOTE_FIELDS, pushQuote } from "#contract/quote.ts";
import { MAX_TRADES } from "#contract/tape.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Broadcasts } from "./broadcast.ts";
import { RankingSubscriptions } from "./ranking-subscription.ts";
import { DispatchSlot } from "./dispatch-slot.ts";
import { Viewer } from "./viewer.ts";
import type { Sink, QuoteCache } from "./viewer.ts";

/** The base timer: viewers of one interval are spread over its ticks, so that they are not all served at once. */
const TICK_MS = 50;
/** Timers run late under load; heartbeats are sent this much earlier. */
const HEARTBEAT_SLACK_MS = 50;
/** Viewers are visited at least this often, however long their interval. */
const MAX_TURN_MS = 250;

type Beat = View["beatMs"];

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
      const quote = venue.quote(row);
      return (texts[row] = QUOTE_FIELDS.map((field) => quote[field]).join());
    },
    depth: (row) => venue.depth(row),
    tape: (row, after) => venue.tape(row, after, MAX_TRADES),
  };
}

const slotsOf = (beatMs: Beat): DispatchSlot[] => Array.from({ length: beatMs / TICK_MS }, () => new DispatchSlot());

/** Starts the fan-out of a venue. `now` is the clock of the batch timestamps. */
export function createFanOut(venue: Venue, now: () => number = Date.now): FanOut {
  const quoteCache = openQuoteCache(venue);
  const rankings = new RankingSubscriptions<Viewer>(venue);
  const broadcasts = new Broadcasts(venue);
  const beats = new Map<Beat, DispatchSlot[]>(BEATS_MS.map((beatMs) => [beatMs, slotsOf(beatMs)]));
  const slots = [...beats.values()].flat();
  const slotOf = new Map<Viewer, DispatchSlot>();
  let tick = 0;

  const serve = (slot: DispatchSlot, at: number, nextTurnMs: number): void => {
    // No heartbeats while prices are stale: a heartbeat means that prices are live, not only the socket.
    const heartbeatMs = venue.fresh(at) ? HEARTBEAT_MS - HEARTBEAT_SLACK_MS : Infinity;
    for (const viewer of slot.viewers) viewer.turn(quoteCache, at, nextTurnMs, heartbeatMs);
  };

  const rerank = (): void => {
    for (const viewer of rankings.refresh()) {
      const slot = slotOf.get(viewer);
      slot?.leave(viewer);
      for (const row of viewer.rewatch()) viewer.pending.add(row);
      viewer.ranksPending = true;
      slot?.join(viewer);
    }
  };

  const onTick = (): void => {
    const at = now();
    tick += 1;
    if (tick % (RANK_BEAT_MS / TICK_MS) === 0) {
      rerank();
      broadcasts.refresh();
    }
    for (const [beatMs, ring] of beats) {
      const due = ring[tick % ring.length];
      if (!due || due.viewers.size === 0) continue;
      due.deliver();
      serve(due, at, Math.min(beatMs, MAX_TURN_MS));
    }
    serveBetween(at);
  };

  /** Long intervals exceed the heartbeat: their viewers get heartbeats in between. */
  const serveBetween = (at: number): void => {
    for (const [beatMs, ring] of beats) {
      const step = MAX_TURN_MS / TICK_MS;
      if (beatMs <= MAX_TURN_MS) continue;
      for (let ahead = step; ahead < ring.length; ahead += step) {
        const slot = ring[(tick + ahead) % ring.length];
        if (slot) serve(slot, at, MAX_TURN_MS);
      }
    }
  };

  const emptiest = (beatMs: Beat): DispatchSlot => {
    const ring = beats.get(beatMs) ?? [];
    const [first = new DispatchSlot(), ...others] = ring;
    return others.reduce((least, slot) => (slot.viewers.size < least.viewers.size ? slot : least), first);
  };

  const remove = (viewer: Viewer): void => {
    slotOf.get(viewer)?.leave(viewer);
    slotOf.delete(viewer);
    rankings.leave(viewer);
    broadcasts.leave(viewer);
  };

  const snapshot = (viewer: Viewer, { index, heat }: View): ViewSnapshot => {
    const at = now();
    const quotes: number[] = [];
    const rows = viewer.all ? venue.instruments.keys() : viewer.watched;
    for (const row of rows) pushQuote(quotes, venue.quote(row));
    return {
      n: viewer.n,
      at,
      phase: venue.phase(at),
      quotes,
      ranks: viewer.rankings.map((ranking) => ranking.rows),
      depth: viewer.depthRow === null ? null : venue.depth(viewer.depthRow),
      tape: viewer.tapeRow === null ? null : viewer.newTrades(quoteCache),
      index: index === null ? null : venue.contribution(index),
      heat: heat ? venue.heat() : null,
    };
  };

  const unsubscribe = venue.onChange((rows) => {
    quoteCache.note(rows);
    for (const slot of slots) if (slot.viewers.size > 0) slot.note(rows);
  });
  const timer = setInterval(onTick, TICK_MS);

  return {
    join: (sink) => new Viewer(sink),
    show(viewer, view) {
      const unknown = [...view.rows, view.depth ?? 0, view.tape ?? 0, view.index ?? 0].find((row) => row >= venue.instruments.length);
      if (unknown !== undefined) throw new RangeError(`the venue has no row ${unknown}`);
      remove(viewer);
      viewer.show(
        view,
        view.ranks.map((rank) => rankings.open(rank, viewer)),
        now(),
      );
      broadcasts.open(view, viewer);
      const slot = emptiest(view.beatMs);
      slotOf.set(viewer, slot);
      slot.join(viewer);
      return snapshot(viewer, view);
    },
    leave: remove,
    stop() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
