/** Values computed once a second for all viewers that watch them: sector heat and index contribution. */
import type { View } from "#contract/kernel/push.ts";
import type { Venue } from "#server/venue/venue.ts";

/** A value sent at most once a second when it changed; serialised once for all viewers. */
export interface Broadcast {
  readonly event: "heat" | "index";
  readonly read: () => unknown;
  /** The newest value as JSON. */
  text: string;
  readonly viewers: Set<Viewer>;
}

/** A receiver of broadcasts. */
interface Viewer {
  /** Broadcasts that changed since they were last sent. */
  readonly broadcastsPending: Set<Broadcast>;
}

/** The broadcasts with at least one viewer. */
export class Broadcasts {
  private readonly venue: Pick<Venue, "heat" | "contribution">;
  private readonly known = new Map<string, Broadcast>();

  constructor(venue: Pick<Venue, "heat" | "contribution">) {
    this.venue = venue;
  }

  /** Subscribes a viewer to what its view asks for; a row that is not an index never produces an event. */
  open({ heat, index }: View, viewer: Viewer): void {
    const { venue } = this;
    if (heat) this.watch("heat", "heat", () => venue.heat(), viewer);
    if (index !== null) this.watch(`index ${index}`, "index", () => venue.contribution(index), viewer);
  }

  /** Unsubscribes a viewer and drops broadcasts without viewers. */
  leave(viewer: Viewer): void {
    for (const [key, broadcast] of this.known) {
      broadcast.viewers.delete(viewer);
      if (broadcast.viewers.size === 0) this.known.delete(key);
    }
  }

  /** Recomputes every broadcast and marks the changed ones as pending for their viewers. */
  refresh(): void {
    for (const broadcast of this.known.values()) {
      const text = JSON.stringify(broadcast.read());
      if (text === broadcast.text) continue;
      broadcast.text = text;
      for (const viewer of broadcast.viewers) viewer.broadcastsPending.add(broadcast);
    }
  }

  private watch(key: string, event: Broadcast["event"], read: () => unknown, viewer: Viewer): void {
    const broadcast = this.known.get(key) ?? { event, read, text: JSON.stringify(read()), viewers: new Set() };
    this.known.set(key, broadcast);
    broadcast.viewers.add(viewer);
  }
}
