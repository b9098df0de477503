/** The socket protocol: client and server events with their payloads. Each connection has one view and gets one batch per interval. */
import * as z from "zod/mini";
import { ChannelPayloads, ChannelRequests } from "#contract/channel.ts";
import type { Channel, ChannelPayload } from "#contract/channel.ts";
import { SessionPhase } from "#contract/instrument.ts";
import type { Fact } from "#contract/fact.ts";
import type { SessionEnd } from "#contract/restriction.ts";
import { MAX_WATCHED, RankView } from "#contract/quote.ts";

/** Path of the socket, on the page's own origin. */
export const SOCKET_PATH = "/api/vue/socket";

/** Batch intervals a view can choose, in milliseconds: detail, list, data saver. */
export const BATCH_INTERVALS_MS = [100, 250, 1000] as const;
/** Interval at which ranking membership and market-wide channels are pushed. */
export const RANKING_INTERVAL_MS = 1000;
/** The server sends something at least this often, so that silence means a broken connection. */
export const HEARTBEAT_MS = 500;

/** How many of a ranking's top instruments are watched with it, so that a short list needs no second request. */
export const WATCHED_RANKS = 30;

/** Everything a client shows right now; replaces the previous view. `all` requests every row in every interval, for benchmarks and wide tables. */
export const View = z.object({
  rows: z.array(z.int().check(z.minimum(0))).check(z.maxLength(MAX_WATCHED)),
  /** Live rankings. Only the first `WATCHED_RANKS` instruments of each are watched too; others must be listed in `rows`. */
  ranks: z.array(RankView).check(z.maxLength(8)),
  channels: ChannelRequests,
  beatMs: z.union([z.literal(100), z.literal(250), z.literal(1000)]),
  all: z.boolean(),
});
export type View = z.infer<typeof View>;

/** The current state of everything a view names. */
export const MarketSnapshot = z.object({
  /** Epoch milliseconds. */
  at: z.int(),
  phase: SessionPhase,
  /** Flat QUOTE_FIELDS. */
  quotes: z.array(z.int()),
  /** Rows of each requested ranking, in request order. */
  ranks: z.array(z.array(z.int())),
  channels: ChannelPayloads,
});
export type MarketSnapshot = z.infer<typeof MarketSnapshot>;

/** The acknowledgement of a view. The next batch is numbered `n + 1`. */
export interface ViewSnapshot extends MarketSnapshot {
  n: number;
}

/** `[n, at, ...quotes]`: n counts this connection's batches without gaps; a batch without quotes is a heartbeat. */
export type QuoteBatch = number[];

/** From client to server. */
export interface ClientEvents {
  view: (view: View, answer: (snapshot: ViewSnapshot | { refused: string }) => void) => void;
}

/** From server to client. */
export interface ServerEvents {
  quotes: (batch: QuoteBatch) => void;
  ranks: (ranks: number[][]) => void;
  /** A new value of a requested channel. */
  channel: <Name extends Channel>(channel: Name, payload: ChannelPayload<Name>) => void;
  phase: (phase: SessionPhase, endsAt: number | null) => void;
  /**
   * The id of the instrument table: it changes with new reference data, and when a new issue is appended. A new trading day with other
   * reference prices keeps the table.
   */
  universe: (universe: string) => void;
  fact: (fact: Fact) => void;
  /** The session is over, and why: the socket's equivalent of HTTP 401. The server disconnects afterwards. */
  expired: (why: SessionEnd) => void;
}

/** The handshake's credentials: the same two values as the call headers. */
export const Handshake = z.object({ token: z.string(), account: z.string() });
export type Handshake = z.infer<typeof Handshake>;
