/** The HTTP server with its sockets: its time limits and connection limits, the port it listens on, and its graceful end. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { capConnections, refusePipelining } from "#server/api/http/connections.ts";
import type { ServerConfig } from "#server/config.ts";
import type { Limits } from "#server/kernel/limits.ts";
import { createSocket } from "#server/realtime/socket-server.ts";
import type { SocketOptions, SocketServer } from "#server/realtime/socket-server.ts";

/** Longer than clients and proxies keep idle connections; otherwise we could close one just as its next call is sent, and lose the call. */
const KEEP_ALIVE_MS = 75 * SECOND_MS;
/** A connection without traffic for this long while a reply is being sent has no reader and is closed. */
const IDLE_MS = 60 * SECOND_MS;
/** Time for running calls to finish at shutdown. */
const GRACE_MS = 3 * SECOND_MS;
/** How often connections that have become idle are closed meanwhile. */
const IDLE_CHECK_MS = 50;

/** Thrown when another process uses the port. */
export class PortInUse extends Error {
  constructor(port: number) {
    super(`Port ${port} is in use. Stop the other server first, or set PORT to another one.`);
    this.name = "PortInUse";
  }
}

/** Listens as configured. @throws PortInUse */
export async function listen(server: Server, config: ServerConfig): Promise<AddressInfo> {
  await new Promise<void>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) => fail(error.code === "EADDRINUSE" ? new PortInUse(config.port) : error));
    server.listen(config.port, config.host, done);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server is not listening on a TCP port");
  return address;
}

/**
 * Closes the server gracefully: calls are answered, and their connections end with the answer, or as soon as they are idle. After the grace
 * period the remaining ones are closed by force.
 */
export async function closeGracefully(server: Server, socketServer: SocketServer): Promise<void> {
  server.prependListener("request", (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const force = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await socketServer.stop();
  clearTimeout(force);
  clearInterval(idle);
}

/** Makes the HTTP server of an application, with its time limits; it does not listen yet. */
export function makeServer(app: { fetch: Parameters<typeof createAdaptorServer>[0]["fetch"] }, limits: Limits): Server {
  const serverOptions = {
    requestTimeout: limits.requestMs,
    headersTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.requestMs / 4,
  };
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.setTimeout(IDLE_MS);
  return server;
}

/** Attaches the socket server, and limits connections. Call it after all other listeners are registered. */
export function attachSockets(
  options: SocketOptions &
    Required<Pick<SocketOptions, "limits" | "addressOf" | "security">> & {
      /** On a leader: whether a request comes from a follower, whose connections are not counted. */
      isForwarded?: (request: IncomingMessage) => boolean;
    },
): SocketServer {
  const { server, limits, addressOf, security, isForwarded } = options;
  const socketServer = createSocket(options);
  refusePipelining(server);
  const refused = (address: string): void => security("connectionRefused", { address, reason: "address" });
  capConnections(server, limits.connectionsPerAddress, { addressOf, isForwarded, refused });
  return socketServer;
}
