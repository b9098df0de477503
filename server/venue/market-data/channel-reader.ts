/** Reads the channels of a view: one reader per requested channel, made from the table of publishers. */
import type { Channel, ChannelPayload, ChannelPayloads, ChannelRequest, ChannelRequests } from "#contract/channel.ts";
import type { Venue } from "#server/venue/venue.ts";
import { readBlockMarket } from "./block-market.ts";
import { readNewTrades } from "./new-trades.ts";

interface Publisher<Name extends Channel> {
  /** `row`: due with the next batch after the requested row changed. `second`: due once a second if the value changed. */
  due: "row" | "second";
  /** Starts reading for one request. Each call returns the newest value; null when there is nothing to send. */
  open(venue: Venue, request: ChannelRequest<Name>): () => ChannelPayload<Name> | null;
}

/** One row per streamed noun. */
const PUBLISHERS: { readonly [Name in Channel]: Publisher<Name> } = {
  depth: { due: "row", open: (venue, row) => () => venue.depth(row) },
  tape: { due: "row", open: readNewTrades },
  contribution: { due: "second", open: (venue, row) => () => venue.contribution(row) },
  heat: { due: "second", open: (venue) => () => venue.heat() },
  blocks: { due: "second", open: (venue) => () => readBlockMarket(venue, Date.now()) },
};

/** Reads one requested channel. */
export interface ChannelReader {
  readonly channel: Channel;
  /** Identifies the request, so that viewers of the same one can share a value. */
  readonly key: string;
  /** The row whose changes make the channel due; null: due once a second. */
  readonly row: number | null;
  readonly read: () => unknown;
}

function openReader<Name extends Channel>(venue: Venue, channel: Name, request: ChannelRequest<Name>): ChannelReader {
  const { due, open }: Publisher<Name> = PUBLISHERS[channel];
  const row = due === "row" && typeof request === "number" ? request : null;
  return { channel, key: `${channel} ${JSON.stringify(request)}`, row, read: open(venue, request) };
}

/** Opens a reader for every requested channel. */
export function openReaders(venue: Venue, requests: ChannelRequests): ChannelReader[] {
  const requested = Object.entries(requests) as [Channel, ChannelRequest<Channel> | undefined][];
  return requested.flatMap(([channel, request]) => (request === undefined ? [] : [openReader(venue, channel, request)]));
}

/** Reads every channel once; those without a value are left out. */
export function readChannels(readers: readonly ChannelReader[]): ChannelPayloads {
  const payloads = readers.map(({ channel, read }) => [channel, read()] as const);
  return Object.fromEntries(payloads.filter(([, payload]) => payload !== null));
}
