/** Fan-out: from the venue's changes to one small batch per viewer and beat, with the work shared between viewers. */
import { BEATS_MS, HEARTBEAT_MS, RANK_BEAT_MS } from "#contract/kernel/push.ts";
import type { View, ViewSnapshot } from "#contract/kernel/push.ts";
import { QUOTE_FIELDS, pushQuote } from "#contract/quote.ts";
import { MAX_TRADES } from "#contract/tape.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Broadcasts } from "./broadcast.ts";
import { RankingSubscriptions } from "./ranking-subscription.ts";
import { DispatchSlot } from "./dispatch-slot.ts";
import { Viewer } from "./viewer.ts";
import type { Sink, Table } from "./viewer.ts";

/** The clock everything hangs on: viewers of one beat are spread over its ticks, so that they do not all speak at once. */
const TICK_MS = 50;
/** Timers come late under load; heartbeats aim this much earlier. */
const HEARTBEAT_SLACK_MS = 50;
/** However slow its beat, a viewer has a turn at least this often. */
const LONGEST_TURN_MS = 250;

type Beat = View["beatMs"];

export interface FanOut {
  /** A new connection; it hears nothing before its first view. */
  join(sink: Sink): Viewer;
  /** Replace what a viewer shows. Throws a RangeError when it names a row the venue does not have. */
  show(viewer: Viewer, view: View): ViewSnapshot;
  leave(viewer: Viewer): void;
  stop(): void;
}

/** The newest quote of each row as wire text, written once however many viewers watch it. */
function openTable(venue: Venue): Table & { note(rows: readonly number[]): void } {
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

/** Start fanning a venue out. `now` is the clock of the batches' times. */
export function createFanOut(venue: Venue, now: () => number = Date.now): FanOut {
  const table = openTable(venue);
  const boards = new RankingSubscriptions(venue);
  const bulletins = new Broadcasts(venue);
  const beats = new Map<Beat, DispatchSlot[]>(BEATS_MS.map((beatMs) => [beatMs, slotsOf(beatMs)]));
  const slots = [...beats.values()].flat();
  const homes = new Map<Viewer, DispatchSlot>();
  let tick = 0;

  const turns = (slot: DispatchSlot, at: number, nextTurnMs: number): void => {
    // A venue that has stopped must be heard to be silent: a heartbeat says that prices live, not that a socket does.
    const heartbeatMs = venue.fresh(at) ? HEARTBEAT_MS - HEARTBEAT_SLACK_MS : Infinity;
    for (const viewer of slot.viewers) viewer.turn(table, at, nextTurnMs, heartbeatMs);
  };

  const rerank = (): void => {
    for (const viewer of boards.refresh()) {
      const home = homes.get(viewer);
      home?.leave(viewer);
      for (const row of viewer.rewatch()) viewer.pending.add(row);
      viewer.ranksPending = true;
      home?.join(viewer);
    }
  };

  const beat = (): void => {
    const at = now();
    tick += 1;
    if (tick % (RANK_BEAT_MS / TICK_MS) === 0) {
      rerank();
      bulletins.refresh();
    }
    for (const [beatMs, ring] of beats) {
      const due = ring[tick % ring.length];
      if (!due || due.viewers.size === 0) continue;
      due.deliver();
      turns(due, at, Math.min(beatMs, LONGEST_TURN_MS));
    }
    beatBetween(at);
  };

  /** Slow beats are slower than the heartbeat: between them their viewers hear that we live. */
  const beatBetween = (at: number): void => {
    for (const [beatMs, ring] of beats) {
      const step = LONGEST_TURN_MS / TICK_MS;
      if (beatMs <= LONGEST_TURN_MS) continue;
      for (let ahead = step; ahead < ring.length; ahead += step) {
        const slot = ring[(tick + ahead) % ring.length];
        if (slot) turns(slot, at, LONGEST_TURN_MS);
      }
    }
  };

  const emptiest = (beatMs: Beat): DispatchSlot => {
    const ring = beats.get(beatMs) ?? [];
    const [first = new DispatchSlot(), ...others] = ring;
    return others.reduce((least, slot) => (slot.viewers.size < least.viewers.size ? slot : least), first);
  };

  const settle = (viewer: Viewer): void => {
    homes.get(viewer)?.leave(viewer);
    homes.delete(viewer);
    boards.leave(viewer);
    bulletins.leave(viewer);
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
      ranks: viewer.boards.map((board) => board.rows),
      depth: viewer.depthRow === null ? null : venue.depth(viewer.depthRow),
      tape: viewer.tapeRow === null ? null : viewer.newTrades(table),
      index: index === null ? null : venue.contribution(index),
      heat: heat ? venue.heat() : null,
    };
  };

  const unlisten = venue.onChange((rows) => {
    table.note(rows);
    for (const slot of slots) if (slot.viewers.size > 0) slot.note(rows);
  });
  const timer = setInterval(beat, TICK_MS);

  return {
    join: (sink) => new Viewer(sink),
    show(viewer, view) {
      const unknown = [...view.rows, view.depth ?? 0, view.tape ?? 0, view.index ?? 0].find((row) => row >= venue.instruments.length);
      if (unknown !== undefined) throw new RangeError(`the venue has no row ${unknown}`);
      settle(viewer);
      viewer.show(
        view,
        view.ranks.map((rank) => boards.open(rank, viewer)),
        now(),
      );
      bulletins.open(view, viewer);
      const home = emptiest(view.beatMs);
      homes.set(viewer, home);
      home.join(viewer);
      return snapshot(viewer, view);
    },
    leave: settle,
    stop() {
      clearInterval(timer);
      unlisten();
    },
  };
}
