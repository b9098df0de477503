/** How much of the server one client may use: sockets, unsent bytes, reads, bodies and the time they take. */
import { SECOND_MS } from "#contract/kernel/time.ts";

/** So many points in so many seconds, counted from the first. */
export interface Rate {
  points: number;
  seconds: number;
}

export interface Limits {
  /** Sockets open at once. A tab has one; one that broke off silently is noticed after three quarters of a minute. */
  socketsPerSession: number;
  socketsPerMember: number;
  /** Counts those that have not said who they are, too. An office shares an address. */
  socketsPerAddress: number;
  /** Connections of an address, sockets among them; idle ones count. A browser keeps up to six besides its socket. */
  connectionsPerAddress: number;
  /** What may wait for one socket's reader. The answer to a view of everything is a quarter of a megabyte at most. */
  unsentBytes: number;
  /** Packets of one socket in a second; an honest one sends a view for each scroll and an answer to each ping. */
  packetsPerSecond: number;
  /** Calls that are not commands; commands have a rate limit of their own. */
  readsPerMember: Rate;
  readsPerAddress: Rate;
  /** Calls with a token that opens no session: each is a look into the database. */
  strangersPerAddress: Rate;
  /** Reads of one member worked on at once (a browser opens six connections), and how many more may wait. */
  readsAtOnce: number;
  readsWaiting: number;
  /** A request that has not arrived whole after this long is given up. */
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
  strangersPerAddress: { points: 300, seconds: 10 },
  readsAtOnce: 6,
  readsWaiting: 64,
  requestMs: 20 * SECOND_MS,
};
