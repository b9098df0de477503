/** Test double of the Fugle market data service: its stream and its REST replies, with faults on demand. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

export interface FugleService {
  /** Base addresses of the stream and of the REST service. */
  stream: string;
  rest: string;
  key: string;
  /** Connections so far, and the requests of each in order: `auth`, `trades 2330,2317`, `ping`. */
  connections: string[][];
  /** Requested paths with their queries. */
  calls: string[];
  /** REST replies by path without the query; a missing one gives 404. */
  answers: Map<string, unknown>;
  /** Sends a message to all authenticated connections. */
  send(message: object | string): void;
  /** Terminates every connection; `refusing` closes new ones before they are authenticated. */
  cut(): void;
  refusing: boolean;
  /** Ignores all messages. */
  ignoring: boolean;
  /** The service's clock minus ours, in milliseconds. */
  skewMs: number;
  stop(): Promise<void>;
}

type ClientMessage = { event: string; data?: { apikey?: string; channel?: string; symbols?: string[] } };

/** Starts the service on a free port. */
export async function openFugle(): Promise<FugleService> {
  const authenticated = new Set<WebSocket>();
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://fugle.test");
    const path = pathname.replace("/rest", "");
    service.calls.push(path + search);
    const answer = service.answers.get(path);
    if (request.headers["x-api-key"] !== service.key) response.writeHead(401).end('{"statusCode":401,"message":"Unauthorized"}');
    else if (answer === undefined) response.writeHead(404).end('{"statusCode":404,"message":"Resource Not Found"}');
    else response.end(JSON.stringify(answer));
  });
  const sockets = new WebSocketServer({ server });
  const answer = (socket: WebSocket, log: string[], { event, data = {} }: ClientMessage): void => {
    const reply = (message: object): void => socket.send(JSON.stringify(message));
    if (event === "auth") {
      log.push("auth");
      if (data.apikey === service.key) authenticated.add(socket);
      if (data.apikey === service.key) reply({ event: "authenticated", data: { message: "Authenticated successfully" } });
      else reply({ event: "error", data: { code: 1000, message: "Invalid authentication credentials" } });
    } else if (event === "subscribe") {
      const { channel = "", symbols = [] } = data;
      log.push(`${channel} ${symbols.join()}`);
      reply({ event: "subscribed", data: symbols.map((symbol) => ({ id: `${channel}-${symbol}`, channel, symbol })) });
    } else if (event === "ping") {
      log.push("ping");
      reply({ event: "pong", data: { time: (Date.now() + service.skewMs) * 1000, state: "" } });
    }
  };
  sockets.on("connection", (socket) => {
    const log: string[] = [];
    service.connections.push(log);
    if (service.refusing) return socket.close();
    socket.on("message", (text: Buffer) => {
      if (!service.ignoring) answer(socket, log, JSON.parse(text.toString()) as ClientMessage);
    });
    socket.on("close", () => authenticated.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const service: FugleService = {
    stream: `ws://127.0.0.1:${port}/marketdata`,
    rest: `http://127.0.0.1:${port}/rest`,
    key: "good-key",
    connections: [],
    calls: [],
    answers: new Map(),
    send(message) {
      const text = typeof message === "string" ? message : JSON.stringify(message);
      for (const socket of authenticated) socket.send(text);
    },
    cut() {
      for (const socket of sockets.clients) socket.terminate();
    },
    refusing: false,
    ignoring: false,
    skewMs: 0,
    stop: () =>
      new Promise((done) => {
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return service;
}
