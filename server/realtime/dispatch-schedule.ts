/** The schedule of batches: viewers of one interval are spread over its ticks, so that they are not all served at once. */
import { BATCH_INTERVALS_MS } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";
import { DispatchSlot } from "./dispatch-slot.ts";
import type { Viewer } from "./viewer.ts";

/** The base timer. */
export const TICK_MS = 50;
/** Viewers are visited at least this often, however long their interval: long intervals exceed the heartbeat. */
const MAX_SEND_INTERVAL_MS = 250;

type Interval = View["beatMs"];
/** Serves the viewers of a slot; the next time is `nextSendMs` from now. */
export type Serve = (slot: DispatchSlot, nextSendMs: number) => void;

const slotsOf = (intervalMs: Interval): DispatchSlot[] => Array.from({ length: intervalMs / TICK_MS }, () => new DispatchSlot());

export class DispatchSchedule {
  /** Per interval, one slot for each of its ticks. */
  readonly #rings = new Map<Interval, DispatchSlot[]>(BATCH_INTERVALS_MS.map((intervalMs) => [intervalMs, slotsOf(intervalMs)]));
  readonly #slots = [...this.#rings.values()].flat();
  readonly #slotOf = new Map<Viewer, DispatchSlot>();

  /** Adds a viewer to the emptiest slot of its interval. */
  join(viewer: Viewer): void {
    const [first = new DispatchSlot(), ...others] = this.#rings.get(viewer.beatMs) ?? [];
    const slot = others.reduce((least, each) => (each.viewers.size < least.viewers.size ? each : least), first);
    this.#slotOf.set(viewer, slot);
    slot.join(viewer);
  }

  leave(viewer: Viewer): void {
    this.#slotOf.get(viewer)?.leave(viewer);
    this.#slotOf.delete(viewer);
  }

  /** Changes which rows a viewer watches; it keeps its slot. */
  rewatch(viewer: Viewer, change: () => void): void {
    const slot = this.#slotOf.get(viewer);
    slot?.leave(viewer);
    change();
    slot?.join(viewer);
  }

  /** Marks changed rows for the viewers that watch them. */
  note(rows: readonly number[]): void {
    for (const slot of this.#slots) if (slot.viewers.size > 0) slot.note(rows);
  }

  /** Serves the slots that are due at a tick with their changes, then those of long intervals with heartbeats. */
  serve(tick: number, serve: Serve): void {
    for (const [intervalMs, ring] of this.#rings) {
      const due = ring[tick % ring.length];
      if (!due || due.viewers.size === 0) continue;
      due.deliver();
      serve(due, Math.min(intervalMs, MAX_SEND_INTERVAL_MS));
    }
    for (const [intervalMs, ring] of this.#rings) if (intervalMs > MAX_SEND_INTERVAL_MS) serveBetween(ring, tick, serve);
  }
}

function serveBetween(ring: readonly DispatchSlot[], tick: number, serve: Serve): void {
  const step = MAX_SEND_INTERVAL_MS / TICK_MS;
  for (let ahead = step; ahead < ring.length; ahead += step) {
    const slot = ring[(tick + ahead) % ring.length];
    if (slot) serve(slot, MAX_SEND_INTERVAL_MS);
  }
}
