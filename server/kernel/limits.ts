/** Resource limits per client: sockets, unsent bytes, reads and request time. */
import { SECOND_MS } from "#contract/kernel/time.ts";

/** `points` per window of `seconds`, which starts with the first one. */
export interface Rate {
  points: number;
  seconds: number;
}

export interface Limits {
  /** Open sockets. A tab has one; a silently broken one is noticed after 45 seconds. */
  socketsPerSession: number;
  socketsPerMember: number;
  /** Includes sockets before authentication. An office may share one address. */
  socketsPerAddress: number;
  /** Connections of an address, sockets among them; idle ones count. A browser keeps up to six besides its socket. */
  connectionsPerAddress: number;
  /** Unsent bytes per socket. The reply to an `all` view is at most a quarter of a megabyte. */
  unsentBytes: number;
  /** Packets per socket and second; a normal client sends a view per scroll and a pong per ping. */
  packetsPerSecond: number;
  /** Calls that are not commands; commands are limited by the sequencer. */
  readsPerMember: Rate;
  readsPerAddress: Rate;
  /** Calls with an invalid token: each costs a database lookup. */
  unknownTokensPerAddress: Rate;
  /** Reads of one member running at once (a browser opens six connections), and how many more may queue. */
  readsAtOnce: number;
  readsWaiting: number;
  /** Uploads of one member, of which one runs, and of all members: each keeps its body in memory until it has arrived. */
  uploadsWaiting: number;
  uploadsAtOnce: number;
  /** A request that has not arrived completely after this time is aborted. */
  requestMs: number;
}

export const LIMITS: Limits = {
  socketsPerSession: 8,
  socketsPerMember: 24,
  socketsPerAddress: 200,
  connectionsPerAddress: 600,
  unsentBytes: 1024 * 1024,
  packetsPerSecond: 200,
  readsPerMember: { points: 300, seconds: 5 },
  readsPerAddress: { points: 1_000, seconds: 5 },
  unknownTokensPerAddress: { points: 300, seconds: 10 },
  readsAtOnce: 6,
  readsWaiting: 64,
  uploadsWaiting: 2,
  uploadsAtOnce: 12,
  requestMs: 20 * SECOND_MS,
};
