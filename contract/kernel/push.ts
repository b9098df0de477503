/** The socket: what the client says and what the server pushes, with their shapes. One view per connection, one batch per beat. */
import * as z from "zod/mini";
import type { SessionPhase } from "#contract/instrument.ts";
import type { Fact } from "#contract/fact.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import { MAX_WATCHED, RankView } from "#contract/quote.ts";
import type { Depth } from "#contract/quote.ts";

/** Where the socket lives on the page's own origin. */
export const SOCKET_PATH = "/api/vue/socket";

/** How often a view wants its batch, in milliseconds: detail, list, data saver. */
export const BEATS_MS = [100, 250, 1000] as const;
/** How often ranking membership, heat and contribution are pushed. */
export const RANK_BEAT_MS = 1000;
/** The server says something at least this often, so that silence means trouble. */
export const HEARTBEAT_MS = 500;

/** How many of a ranking's first instruments are watched with it, so that a short list needs no second question. */
export const WATCHED_RANKS = 30;

/** Everything a client shows right now; it replaces the view before. `all` is for benches and wide tables: every row, every beat. */
export const View = z.object({
  rows: z.array(z.int().check(z.minimum(0))).check(z.maxLength(MAX_WATCHED)),
  /** Live rankings; only the first `WATCHED_RANKS` instruments of each are watched too, the others when `rows` names them. */
  ranks: z.array(RankView).check(z.maxLength(8)),
  /** The row whose five levels are wanted, or null. */
  depth: z.nullable(z.int().check(z.minimum(0))),
  /** The row whose trades are wanted one by one, or null. */
  tape: z.nullable(z.int().check(z.minimum(0))),
  /** The index whose breadth and leaders are wanted, as its row, or null. */
  index: z.nullable(z.int().check(z.minimum(0))),
  /** Whether the categories' heat is wanted. */
  heat: z.boolean(),
  beatMs: z.union([z.literal(100), z.literal(250), z.literal(1000)]),
  all: z.boolean(),
});
export type View = z.infer<typeof View>;

/** The acknowledgement of a view: the newest of everything it names. `n` is the number the next batch follows. */
export interface ViewSnapshot {
  n: number;
  at: number;
  phase: SessionPhase;
  quotes: number[];
  /** Rows of each asked ranking, in the order asked. */
  ranks: number[][];
  depth: Depth | null;
  /** The newest trades of `tape`, flat TAPE_FIELDS, oldest first; null when none is watched. */
  tape: number[] | null;
  index: Contribution | null;
  /** Flat HEAT_FIELDS; null when it is not watched. */
  heat: number[] | null;
}

/** `[n, at, ...quotes]`: n counts batches of this connection without gaps; an empty batch is a heartbeat. */
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
  /** The instrument table changed (a new trading day with other references keeps the table; a new universe does not). */
  universe: (universe: string) => void;
  fact: (fact: Fact) => void;
  /** The session is over: the socket's word for HTTP 401; the server disconnects after it. */
  expired: () => void;
}

/** What the client sends in the handshake: the same two words as the call headers. */
export const Handshake = z.object({ token: z.string(), account: z.string() });
export type Handshake = z.infer<typeof Handshake>;
