/** What is worked out once a second for everyone who watches the same thing: the categories' heat, and what moves an index. */
import type { View } from "#contract/kernel/push.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Viewer } from "./viewer.ts";

/** One thing told once a second when it changed; its text is written once, however many viewers watch it. */
export interface Broadcast {
  readonly event: "heat" | "index";
  readonly read: () => unknown;
  /** The newest value as JSON. */
  text: string;
  readonly viewers: Set<Viewer>;
}

/** The bulletins somebody watches. */
export class Broadcasts {
  private readonly venue: Pick<Venue, "heat" | "contribution">;
  private readonly known = new Map<string, Broadcast>();

  constructor(venue: Pick<Venue, "heat" | "contribution">) {
    this.venue = venue;
  }

  /** A viewer wants what its view asks for; an index that is none is never told. */
  open({ heat, index }: View, viewer: Viewer): void {
    const { venue } = this;
    if (heat) this.watch("heat", "heat", () => venue.heat(), viewer);
    if (index !== null) this.watch(`index ${index}`, "index", () => venue.contribution(index), viewer);
  }

  /** A viewer looks elsewhere; what nobody watches is forgotten. */
  leave(viewer: Viewer): void {
    for (const [key, bulletin] of this.known) {
      bulletin.viewers.delete(viewer);
      if (bulletin.viewers.size === 0) this.known.delete(key);
    }
  }

  /** Work everything out again; who watches what changed is to hear of it. */
  refresh(): void {
    for (const bulletin of this.known.values()) {
      const text = JSON.stringify(bulletin.read());
      if (text === bulletin.text) continue;
      bulletin.text = text;
      for (const viewer of bulletin.viewers) viewer.bulletinsPending.add(bulletin);
    }
  }

  private watch(key: string, event: Broadcast["event"], read: () => unknown, viewer: Viewer): void {
    const bulletin = this.known.get(key) ?? { event, read, text: JSON.stringify(read()), viewers: new Set() };
    this.known.set(key, bulletin);
    bulletin.viewers.add(viewer);
  }
}
