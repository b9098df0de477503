/** Forwards calls from a follower to the leader, with the client's address, token and cookies; the leader trusts a key that only servers know. */
import { timingSafeEqual } from "node:crypto";
import { Agent, request as ask } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Endpoint } from "#contract/kernel/endpoint.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import { AddressCount } from "#server/kernel/address-limit.ts";
import type { AddressOf, OverTls } from "./address.ts";
import { BODY_LIMIT_BYTES, readText } from "./body.ts";

const KEY = "x-kuroshio-key";
const CLIENT = "x-kuroshio-client";
const TLS = "x-kuroshio-tls";

/** Longer than a client waits: what takes longer has nobody who wants it. */
const TIMEOUT_MS = 12 * SECOND_MS;
/** Shorter than the leader keeps an idle connection, which could end just as a call is sent. */
const IDLE_MS = 30 * SECOND_MS;
/** Connections to the leader, for members' calls. */
const CONNECTIONS = 128;
/** For each connection so many further calls may wait; any more are refused at once. */
const WAITING = 4;
/** Connections of uploads, which are sent on as they come in: slow ones keep only one another waiting. */
const UPLOADS = 8;
/** Connections of calls without a session, apart: the brake on sign-ins holds them for seconds. */
const STRANGERS = 64;
/** The part of the connections of a lane for which calls of one address may be under way or wait. An office may share one. */
const SHARE = 1 / 2;

/** Headers of one connection, not of the call; and those of other origins, which each server sets for its own. */
const OF_CONNECTION = /^(?:connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|access-control-.*|content-length)$/;

/** The leader as a follower knows it. */
export interface LeaderAddress {
  url: string;
  key: string;
}

/**
 * Answers a call with the leader's answer; null when there is none, and the outcome is not known. `refuse` gives the refusal of a call that
 * is not to be sent on: it takes none of the places of others.
 */
export type Forward = (
  c: Context<{ Bindings: Partial<HttpBindings> }>,
  endpoint: Pick<Endpoint, "limitBytes" | "access">,
  refuse: () => Promise<Response | null>,
) => Promise<Response | null>;

interface ForwardDeps {
  /** The leader; null while there is none. */
  leader: () => LeaderAddress | null;
  addressOf: AddressOf;
  overTls: OverTls;
  /** Told of every forwarded call. */
  observe?: ((isAnswered: boolean) => void) | undefined;
  /** Told when a call that was for the leader came back to a follower: where the leader is said to be. */
  cameBack?: ((url: string) => void) | undefined;
}

const same = (given: unknown, key: string): boolean => {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(key)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export interface TrustedFollowers {
  addressOf: AddressOf;
  overTls: OverTls;
  /** Whether a request comes from a follower. */
  isForwarded: (request: Pick<IncomingMessage, "headers">) => boolean;
}

/** On the leader: finds the client behind a follower that forwards its call. */
export function trustFollowers(key: string, addressOf: AddressOf, overTls: OverTls): TrustedFollowers {
  const isForwarded: TrustedFollowers["isForwarded"] = ({ headers }) => headers[KEY] !== undefined && same(headers[KEY], key);
  return {
    addressOf: (request) => (isForwarded(request) ? String(request.headers[CLIENT]) : addressOf(request)),
    overTls: (request) => (isForwarded(request) ? request.headers[TLS] === "1" : overTls(request)),
    isForwarded,
  };
}

function responseOf(answer: IncomingMessage, body: Buffer): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value === undefined || OF_CONNECTION.test(name)) continue;
    for (const each of [value].flat()) headers.append(name, each);
  }
  return new Response(new Uint8Array(body), { status: answer.statusCode ?? 502, headers });
}

interface Sent {
  incoming: IncomingMessage;
  /** The client's. */
  address: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Null for an upload, which is sent on as it comes in. */
  body: string | null;
}

/** Connections to one leader. Once they are destroyed no other is opened, which each request that waits for one would cause. */
class LeaderAgent extends Agent {
  #isOver = false;

  override createConnection(...[options, done]: Parameters<Agent["createConnection"]>): ReturnType<Agent["createConnection"]> {
    if (!this.#isOver) return super.createConnection(options, done);
    done?.(new Error("this leader is asked no more"), new Socket());
    return null;
  }

  override destroy(): void {
    this.#isOver = true;
    super.destroy();
  }
}

type GiveUp = (why: Error) => void;

/** Connections for some calls, and those of these that are under way or wait. */
class Lane {
  readonly #agent: Agent;
  readonly #most: number;
  readonly #calls = new Set<GiveUp>();
  readonly #ofAddress: AddressCount;

  constructor(connections: number) {
    this.#agent = new LeaderAgent({ keepAlive: true, maxSockets: connections, timeout: IDLE_MS });
    this.#most = connections * (1 + WAITING);
    this.#ofAddress = new AddressCount(connections * SHARE);
  }

  /** Sends a call; null when the leader does not answer, or when there are too many, of all clients or of this one's address. */
  async send(to: LeaderAddress, sent: Sent): Promise<Response | null> {
    const key = addressKey(sent.address);
    if (this.#calls.size >= this.#most || !this.#ofAddress.hasRoom(key)) return null;
    const begun = (giveUp: GiveUp) => {
      this.#calls.add(giveUp);
      this.#ofAddress.add(key, 1);
      return () => {
        this.#calls.delete(giveUp);
        this.#ofAddress.add(key, -1);
      };
    };
    return send(this.#agent, to, sent, begun).catch(() => null);
  }

  /** Gives up all calls. */
  close(): void {
    for (const giveUp of this.#calls) giveUp(new Error("this leader is asked no more"));
    this.#agent.destroy();
  }
}

/** The lanes to the leader that has a key. Those to one that hangs would keep calls to the next one waiting. */
class Lanes {
  readonly key: string;
  readonly members = new Lane(CONNECTIONS);
  readonly strangers = new Lane(STRANGERS);
  readonly uploads = new Lane(UPLOADS);

  constructor(key: string) {
    this.key = key;
  }

  close(): void {
    for (const lane of [this.members, this.strangers, this.uploads]) lane.close();
  }
}

/** Sends a request on to the leader. `begun` is given how to give it up; what it returns is called once nothing of it is kept. */
function send(
  agent: Agent,
  { url }: LeaderAddress,
  { incoming, path, headers, body }: Sent,
  begun: (giveUp: GiveUp) => () => void,
): Promise<Response> {
  return new Promise((done, fail) => {
    const target = new URL(url);
    // Of the request's own target only the path is taken: it may name another host, which must never see the key.
    target.pathname = path;
    const outgoing = ask(target, { agent, method: "POST", headers, timeout: TIMEOUT_MS }, (answer) => {
      buffer(answer)
        .then((content) => done(responseOf(answer, content)))
        .catch(fail);
    });
    const giveUp: GiveUp = (why) => {
      clearTimeout(timer);
      // A request that waits for a connection fails only when it gets one.
      fail(why);
      outgoing.destroy(why);
    };
    const ended = begun(giveUp);
    const timeOut = (): void => giveUp(new Error("the leader did not answer in time"));
    // The time limit of the request itself begins with its connection.
    const timer = setTimeout(timeOut, TIMEOUT_MS);
    outgoing.on("timeout", timeOut);
    outgoing.on("error", fail);
    outgoing.on("close", () => {
      clearTimeout(timer);
      ended();
    });
    if (body === null) outgoing.on("socket", () => clearTimeout(timer));
    if (body !== null) return void outgoing.end(body);
    // A client that goes away in the middle of its request has sent none.
    incoming.on("close", () => incoming.complete || outgoing.destroy(new Error("the client has gone")));
    incoming.pipe(outgoing);
  });
}

export interface Forwarding {
  forward: Forward;
  /** Gives up the calls to a leader that leads no more; to be called whenever another one may. */
  check(): void;
  /** Gives up all calls, and ends the connections. */
  close(): void;
}

/** Opens the way to the leader. */
export function openForward({ leader, addressOf, overTls, observe, cameBack }: ForwardDeps): Forwarding {
  let lanes: Lanes | null = null;
  const close = (): void => {
    lanes?.close();
    lanes = null;
  };
  const check = (): void => {
    if (lanes && lanes.key !== leader()?.key) close();
  };
  const lanesTo = ({ key }: LeaderAddress): Lanes => {
    check();
    return (lanes ??= new Lanes(key));
  };
  const forward: Forward = async (c, { limitBytes, access }, refuse) => {
    const incoming = c.env?.incoming;
    const known = leader();
    if (!incoming || !known) return null;
    // Forwarded to a server that leads no more: the other one finds the new leader itself.
    if (incoming.headers[KEY] !== undefined) {
      // With the key of this leader: its address leads here.
      if (same(incoming.headers[KEY], known.key)) cameBack?.(known.url);
      return null;
    }
    const refusal = await refuse();
    if (refusal) return refusal;
    const isUpload = limitBytes !== undefined;
    // A body is read before it takes one of the connections, or a few clients that send slowly would keep all others waiting. The leader
    // refuses an empty one as it refuses one that is too long.
    const body = isUpload ? null : ((await readText(c, BODY_LIMIT_BYTES)) ?? "");
    // Another one may lead by now.
    const at = leader();
    if (!at) return null;
    const kept = Object.entries(incoming.headers).filter(([name]) => !OF_CONNECTION.test(name) || (isUpload && name === "content-length"));
    const address = addressOf(incoming);
    const own = { [KEY]: at.key, [CLIENT]: address, [TLS]: overTls(incoming) ? "1" : "0" };
    const headers = { ...Object.fromEntries(kept), ...own };
    const lane = lanesTo(at)[isUpload ? "uploads" : access === "open" ? "strangers" : "members"];
    const answer = await lane.send(at, { incoming, address, path: c.req.path, headers, body });
    observe?.(answer !== null && answer.status !== 503);
    return answer;
  };
  return { forward, check, close };
}
