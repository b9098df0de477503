/** The exhaustive handler type of all endpoints, and the caller passed to each handler. */
import type { Answer, Body, EndpointName, Endpoints } from "#contract/endpoints.ts";
import type { AnyServed } from "#contract/served-by.ts";
import type { Account } from "#contract/kernel/id.ts";

/** The signed-in member behind a call. */
export interface Caller {
  memberId: number;
  account: Account;
  /** SHA-256 of the session token in hex, the session's primary key. */
  sessionHash: string;
  /** A demo member used by many visitors at once: limits apply per session, not per member. */
  shared?: boolean;
}

/** The device cookie of the caller, see `device-cookie.ts`. */
export interface DeviceMemory {
  read(): string | null;
  write(value: string): void;
}

/** Where a call comes from. */
export interface Origin {
  address: string;
  /** The user agent. */
  agent?: string | null;
  /** The origin of the page that calls: this server's own or a native app's, else null. */
  origin?: string | null;
  device?: DeviceMemory;
}

/** The call's origin and, for endpoints with `member` access, its caller. */
export type CallOf<Name extends EndpointName> = Origin &
  (Endpoints[Name]["access"] extends "member" ? { caller: Caller } : { caller: null });

export type Handler<Name extends EndpointName> = (call: CallOf<Name>, body: Body<Name>) => Promise<Answer<Name>>;

/** One handler per endpoint; a missing one is a compile error. */
export type Handlers = { [Name in EndpointName]: Handler<Name> };

/** What a follower answers itself; it forwards the rest. */
export type FollowerHandlers = Pick<Handlers, AnyServed>;
