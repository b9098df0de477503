/** Channels read once a second for all viewers of the same request, such as sector heat. */
import type { ChannelReader } from "#server/venue/market-data/channel-reader.ts";

/** A value sent at most once a second when it changed; serialised once for all viewers. */
export interface Broadcast extends Pick<ChannelReader, "channel" | "read"> {
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
  private readonly known = new Map<string, Broadcast>();

  /** Subscribes a viewer to the channels that are due once a second. */
  open(readers: readonly ChannelReader[], viewer: Viewer): void {
    for (const { channel, key, row, read } of readers) {
      if (row !== null) continue;
      const broadcast = this.known.get(key) ?? { channel, read, text: JSON.stringify(read()), viewers: new Set() };
      this.known.set(key, broadcast);
      broadcast.viewers.add(viewer);
    }
  }

  /** Unsubscribes a viewer and drops broadcasts without viewers. */
  leave(viewer: Viewer): void {
    for (const [key, broadcast] of this.known) {
      broadcast.viewers.delete(viewer);
      if (broadcast.viewers.size === 0) this.known.delete(key);
    }
  }

  /** Reads every broadcast and marks the changed ones as pending for their viewers. */
  refresh(): void {
    for (const broadcast of this.known.values()) {
      const value = broadcast.read();
      const text = JSON.stringify(value);
      if (text === broadcast.text) continue;
      broadcast.text = text;
      if (value !== null) for (const viewer of broadcast.viewers) viewer.broadcastsPending.add(broadcast);
    }
  }
}
