/** A stream for each channel: the updates of a key, watched while subscribed. */
import type { Observable } from "rxjs";
import type { Channel } from "#contract/channel.ts";
import { onFramePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watchChannel } from "./subscriptions.ts";
import type { ChannelUpdate } from "./worker.ts";

const latest = new Map<Channel, LatestByKey<unknown>>();

onFramePart("channels", (updates) => {
  for (const [channel, key, update] of updates) latest.get(channel)?.publish(key, update);
});

/**
 * Opens a channel once for the whole page. @returns its stream by key: a code, or empty where it has a single value. Only one key is
 * watched at a time: the one subscribed last
 */
export function channel<Name extends Channel>(name: Name): (key: string) => Observable<ChannelUpdate<Name>> {
  const updates = new LatestByKey<ChannelUpdate<Name>>();
  latest.set(name, updates as LatestByKey<unknown>);
  return (key) => updates.of(key, () => watchChannel(name, key));
}
