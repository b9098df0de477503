/** The channels the page watches: their requests, and the updates that changed since the last frame. */
import type { Channel, ChannelPayload, ChannelRequests } from "#contract/channel.ts";
import type { Units } from "#workers/short-number.ts";
import type { ChannelPart, InstrumentIndex } from "./channel-part.ts";
import { watchBlocks } from "./block-offer.ts";
import { watchContribution } from "./contribution.ts";
import { watchDepth } from "./depth.ts";
import { watchHeat } from "./sector-heat.ts";
import { watchTape } from "./tape.ts";

/** One row per streamed noun: opens the part of a key. */
const PARTS = {
  depth: watchDepth,
  tape: watchTape,
  contribution: watchContribution,
  heat: watchHeat,
  blocks: watchBlocks,
} satisfies { [Name in Channel]: (key: string) => ChannelPart<Name, unknown> };

/** What the page receives of a channel. */
export type ChannelUpdate<Name extends Channel> = NonNullable<ReturnType<ReturnType<(typeof PARTS)[Name]>["publish"]>>;
/** The updates of one frame. */
export type ChannelUpdates = { [Name in Channel]: [channel: Name, key: string, update: ChannelUpdate<Name>] }[Channel][];
/** The watched key of each channel: a code, or empty where a channel has a single value. */
export type ChannelKeys = { [Name in Channel]?: string };

interface Watched {
  key: string;
  part: ChannelPart<Channel, unknown>;
}

export class ChannelStore {
  #watched = new Map<Channel, Watched>();

  /** Replaces the watched keys; a channel whose key stays keeps its state. */
  watch(keys: ChannelKeys): void {
    const before = this.#watched;
    this.#watched = new Map();
    for (const [channel, key] of Object.entries(keys) as [Channel, string][]) {
      const known = before.get(channel);
      this.#watched.set(channel, known?.key === key ? known : { key, part: PARTS[channel](key) });
    }
  }

  /** The channels for the view. */
  requests(instruments: InstrumentIndex): ChannelRequests {
    const requests: [Channel, unknown][] = [];
    for (const [channel, { part }] of this.#watched) requests.push([channel, part.subscribe(instruments)]);
    return Object.fromEntries(requests.filter(([, request]) => request !== null));
  }

  /** Takes a payload. Returns whether earlier ones are missing. */
  apply(channel: Channel, payload: ChannelPayload<Channel>, instruments: InstrumentIndex, units: Units): boolean {
    return this.#watched.get(channel)?.part.apply(payload, instruments, units) ?? false;
  }

  /** The updates that changed since the last call. */
  collect(): ChannelUpdates {
    const updates: ChannelUpdates = [];
    for (const [channel, { key, part }] of this.#watched) {
      const update = part.publish();
      if (update !== null) updates.push([channel, key, update] as ChannelUpdates[number]);
    }
    return updates;
  }

  /** Clears all data at the end of the session; the keys stay watched. */
  clear(): void {
    for (const [channel, { key }] of this.#watched) this.#watched.set(channel, { key, part: PARTS[channel](key) });
  }
}
