/** The socket protocol: client and server events with their payloads. Each connection has one view and gets one batch per beat. */
import * as z from "zod/mini";
import type { SessionPhase } from "#contract/instrument.ts";
import type { Fact } from "#contract/fact.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import { MAX_WATCHED, RankView } from "#contract/quote.ts";
import type { Depth } from "#contract/quote.ts";

/** Path of the socket, on the page's own origin. */
export const SOCKET_PATH = "/api/vue/socket";

/** Batch intervals a view can choose, in milliseconds: detail, list, data saver. */
export const BEATS_MS = [100, 250, 1000] as const;
/** Interval at which ranking membership, sector heat and index contribution are pushed. */
export const RANK_BEAT_MS = 1000;
/** The server sends something at least this often, so that silence means a broken connection. */
export const HEARTBEAT_MS = 500;

/** How many of a ranking's top instruments are watched with it, so that a short list needs no second request. */
export const WATCHED_RANKS = 30;

/** Everything a client shows right now; replaces the previous view. `all` requests every row on every beat, for benchmarks and wide tables. */
export const View = z.object({
  rows: z.array(z.int().check(z.minimum(0))).check(z.maxLength(MAX_WATCHED)),
  /** Live rankings. Only the first `WATCHED_RANKS` instruments of each are watched too; others must be listed in `rows`. */
  ranks: z.array(RankView).check(z.maxLength(8)),
  /** The row to send five-level depth for, or null. */
  depth: z.nullable(z.int().check(z.minimum(0))),
  /** The row to send individual trades for, or null. */
  tape: z.nullable(z.int().check(z.minimum(0))),
  /** The row of the index to send breadth and leaders for, or null. */
  index: z.nullable(z.int().check(z.minimum(0))),
  /** Whether to send sector heat. */
  heat: z.boolean(),
  beatMs: z.union([z.literal(100), z.literal(250), z.literal(1000)]),
  all: z.boolean(),
});
export type View = z.infer<typeof View>;

/** The acknowledgement of a view: the current state of everything it names. The next batch is numbered `n + 1`. */
export interface ViewSnapshot {
  n: number;
  at: number;
  phase: SessionPhase;
  quotes: number[];
  /** Rows of each requested ranking, in request order. */
  ranks: number[][];
  depth: Depth | null;
  /** The newest trades of `tape`, flat TAPE_FIELDS, oldest first; null when no tape is watched. */
  tape: number[] | null;
  index: Contribution | null;
  /** Flat HEAT_FIELDS; null when heat is not watched. */
  heat: number[] | null;
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
  depth: (depth: Depth) => void;
  /** New trades of one row, flat TAPE_FIELDS, oldest first. */
  tape: (row: number, trades: number[]) => void;
  index: (index: Contribution) => void;
  heat: (heat: number[]) => void;
  phase: (phase: SessionPhase, endsAt: number | null) => void;
  /** The instrument table changed. A new trading day with other reference prices keeps the table; new reference data does not. */
  universe: (universe: string) => void;
  fact: (fact: Fact) => void;
  /** The session is over: the socket's equivalent of HTTP 401. The server disconnects afterwards. */
  expired: () => void;
}

/** The handshake's credentials: the same two values as the call headers. */
export const Handshake = z.object({ token: z.string(), account: z.string() });
export type Handshake = z.infer<typeof Handshake>;
