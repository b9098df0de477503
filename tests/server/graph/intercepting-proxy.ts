/** An intercepting proxy between a device and a broker: a function decides whether each call is held, dropped or forwarded. */
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";

/** A reply of the broker. */
export interface RawReply {
  status: number;
  text: string;
}

/** An intercepted call. */
export interface InterceptedCall {
  name: EndpointName;
  body: Record<string, unknown>;
  /** Forwards it to the broker, or to another one with another session. */
  forward(to?: { url: string; token: string; account: string }): Promise<RawReply>;
}

/** Handles a call: returns its reply, or null to break the connection. */
export type CallHandler = (call: InterceptedCall) => Promise<RawReply | null>;

export interface InterceptingProxy {
  url: string;
  close(): Promise<void>;
}

const names = new Map(Object.entries(endpoints).map(([name, { path }]) => [BASE_PATH + path, name as EndpointName]));

async function read(from: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of from) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

/** Opens the proxy in front of a broker. */
export async function openInterceptingProxy(broker: string, handle: CallHandler): Promise<InterceptingProxy> {
  const server = createServer((from, to) => {
    void (async () => {
      const text = await read(from);
      const { token = "", account = "" } = from.headers as Record<string, string>;
      const forward: InterceptedCall["forward"] = async (other) => {
        const headers = { "content-type": "application/json", token: other?.token ?? token, account: other?.account ?? account };
        const answer = await fetch(`${other?.url ?? broker}${from.url}`, { method: "POST", headers, body: text });
        return { status: answer.status, text: await answer.text() };
      };
      const name = names.get(from.url ?? "");
      const replied = name ? await handle({ name, body: JSON.parse(text) as Record<string, unknown>, forward }) : await forward();
      if (replied === null) from.socket.destroy();
      else to.writeHead(replied.status, { "content-type": "application/json" }).end(replied.text);
    })().catch(() => from.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
