/** What every handler is made of: the exhaustive handler type and the member behind a call. */
import type { Answer, Body, EndpointName, Endpoints } from "#contract/endpoints.ts";
import type { Account } from "#contract/kernel/id.ts";

/** The signed-in member a call came from. */
export interface Caller {
  memberId: number;
  account: Account;
  /** SHA-256 of the session token, hex: the session's key in the database. */
  sessionHash: string;
  /** A demo member that many visitors use at once: limits count its sessions, not the member. */
  shared?: boolean;
}

/** What the caller's device remembers of earlier sign-ins. */
export interface DeviceMemory {
  read(): string | null;
  write(value: string): void;
}

/** Who calls, as far as the endpoint's access lets the handler rely on it, and from where. */
export type CallOf<Name extends EndpointName> = { address: string; device?: DeviceMemory } & (Endpoints[Name]["access"] extends "member"
  ? { caller: Caller }
  : { caller: null });

export type Handler<Name extends EndpointName> = (call: CallOf<Name>, body: Body<Name>) => Promise<Answer<Name>>;

/** Every endpoint has its handler, or the server does not compile. */
export type Handlers = { [Name in EndpointName]: Handler<Name> };
