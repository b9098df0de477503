/**
 * A proxy between client and broker that applies the faults of a story to each command: drop, delay, duplicate, hold back, disconnect,
 * kill.
 */
import { Agent, createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";

/** Faults of one call or its reply. */
export const FAULTS = [
  "none",
  /** The call never arrives, without an error. */
  "dropped",
  /** The connection breaks before the call arrives. */
  "cutBefore",
  /** The call arrives late, but before the client's timeout. */
  "delayed",
  /** The call arrives long after the client's timeout, behind everything the client has sent since. */
  "heldBack",
  /** The call arrives twice at the same time. */
  "doubled",
  /** The call arrives, and again much later. */
  "echoed",
  /** The connection breaks after the execution, before the reply. */
  "cutAfter",
  /** The reply of an executed call is lost. */
  "replyLost",
  /** The reply of an executed call arrives after the client's timeout. */
  "replyLate",
  /** The push arrives before the reply. */
  "pushFirst",
  /** The reply of an executed call is replaced by a gateway's error page. */
  "garbled",
  /** The broker is killed after the execution, before the reply. */
  "killed",
] as const;
export type Fault = (typeof FAULTS)[number];

/** The faults of the first, second … attempt of a command and of the query for its outcome; later attempts have none. */
export interface Plan {
  sends: readonly Fault[];
  asks: readonly Fault[];
}

export interface FaultProxy {
  url: string;
  /** Port of the broker, which changes after a restart. */
  target(port: number): void;
  plan(requestId: string, plan: Plan): void;
  /** Breaks every socket connection. */
  cutLines(): void;
  /** How often each fault occurred. */
  readonly happened: Record<Fault, number>;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  port: number;
  /** Longer than the client's timeout. */
  lateMs: number;
  /** Kills the broker and restarts it. */
  kill: () => Promise<void>;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const SHORT_MS = 150;
const ASK = BASE_PATH + endpoints.askOutcome.path;

async function read(from: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of from) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function requestIdOf(body: Buffer): string | null {
  try {
    const asked: unknown = JSON.parse(String(body));
    return typeof asked === "object" && asked !== null && "requestId" in asked ? String(asked.requestId) : null;
  } catch {
    return null;
  }
}

/** The reply headers that are needed to read the body. */
function kept({ headers }: IncomingMessage): Record<string, string> {
  const wanted = ["content-type", "content-encoding"] as const;
  return Object.fromEntries(wanted.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

/** Opens the proxy in front of a broker. */
export async function layFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  let port = options.port;
  const agent = new Agent({ keepAlive: true });
  const plans = new Map<string, { sends: Fault[]; asks: Fault[] }>();
  const happened = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  const lines = new Set<Duplex>();
  let killing: Promise<void> | null = null;
  let closed = false;

  /** Forwards a call to the broker; null when there was no reply. */
  const forward = (from: IncomingMessage, body: Buffer): Promise<Answer | null> =>
    new Promise((done) => {
      const asked = request({ agent, port, method: from.method, path: from.url, headers: from.headers }, (reply) => {
        read(reply).then(
          (text) => done({ status: reply.statusCode ?? 502, headers: kept(reply), body: text }),
          () => done(null),
        );
      });
      asked.on("error", () => done(null));
      asked.end(body);
    });

  const say = (to: ServerResponse, from: IncomingMessage, answer: Answer | null): void => {
    if (answer === null || to.destroyed) {
      from.socket.destroy();
      return;
    }
    to.writeHead(answer.status, answer.headers).end(answer.body);
  };

  const faultOf = (path: string, body: Buffer): Fault => {
    const id = requestIdOf(body);
    const planned = id === null ? undefined : plans.get(id);
    return (path === ASK ? planned?.asks : planned?.sends)?.shift() ?? "none";
  };

  const kill = (): Promise<void> => (killing ??= options.kill().finally(() => (killing = null)));

  /** Applies a fault to a call. */
  const carry = async (fault: Fault, from: IncomingMessage, to: ServerResponse, body: Buffer): Promise<void> => {
    const cut = (): void => void from.socket.destroy();
    const through = (): Promise<Answer | null> => forward(from, body);
    switch (fault) {
      case "dropped":
        return;
      case "cutBefore":
        return cut();
      case "heldBack":
        await wait(options.lateMs * 1.5);
        await through();
        return;
      case "doubled": {
        const [first] = await Promise.all([through(), through()]);
        return say(to, from, first);
      }
      case "echoed":
        say(to, from, await through());
        await wait(options.lateMs);
        await through();
        return;
      case "cutAfter":
        await through();
        return cut();
      case "replyLost":
        await through();
        return;
      case "replyLate": {
        const answer = await through();
        await wait(options.lateMs);
        return say(to, from, answer);
      }
      case "garbled":
        await through();
        return say(to, from, { status: 502, headers: {}, body: Buffer.from("<html>Bad Gateway</html>") });
      case "killed":
        await through();
        await kill();
        return cut();
      case "delayed":
        await wait(SHORT_MS);
        return say(to, from, await through());
      case "pushFirst": {
        const answer = await through();
        await wait(SHORT_MS);
        return say(to, from, answer);
      }
      case "none":
        return say(to, from, await through());
    }
  };

  const server = createServer((from, to) => {
    void (async () => {
      const body = await read(from);
      const fault = closed ? "none" : faultOf(from.url ?? "", body);
      happened[fault] += 1;
      await carry(fault, from, to, body);
    })().catch(() => from.socket.destroy());
  });
  server.on("upgrade", (from: IncomingMessage, near: Duplex, head: Buffer) => {
    const far: Socket = connect(port, "127.0.0.1", () => {
      const headers = Object.entries(from.headers).map(([name, value]) => `${name}: ${String(value)}`);
      far.write([`${from.method} ${from.url} HTTP/1.1`, ...headers, "", ""].join("\r\n"));
      far.write(head);
      near.pipe(far).pipe(near);
    });
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      lines.add(end);
      end.on("error", () => end.destroy());
      end.on("close", () => {
        lines.delete(end);
        other.destroy();
      });
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    happened,
    target: (next) => {
      port = next;
    },
    plan: (requestId, { sends, asks }) => void plans.set(requestId, { sends: [...sends], asks: [...asks] }),
    cutLines: () => {
      for (const line of lines) line.destroy();
    },
    async close() {
      closed = true;
      for (const line of lines) line.destroy();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((ended) => server.close(ended));
    },
  };
}
