/** The commands of the order benchmark: each member buys, protects the position, rests a limit order, cancels it and sells. */
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import type { Agent } from "node:http";
import { endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";

/** A member's session, as request headers. */
export interface Caller {
  token: string;
  account: string;
}

/** A stock and the lowest price it may trade at today, in ten-thousandths. */
export interface BenchStock {
  code: string;
  limitDown: number;
}

type CommandName = "placeOrder" | "setConditions" | "cancelOrder" | "closeOrder";

interface Reply {
  status: number;
  code?: string;
  data: { orderNo: string } | null;
}

/** Sends commands to one server and counts the answers. */
export class CommandClient {
  readonly #agent: Agent;
  readonly #port: number;
  /** Milliseconds each command took. */
  times: number[] = [];
  /** Number of refusals by code. */
  refused = new Map<string, number>();

  constructor(agent: Agent, port: number) {
    this.#agent = agent;
    this.#port = port;
  }

  /** Forgets what was counted so far. */
  reset(): void {
    this.times = [];
    this.refused = new Map();
  }

  /** @returns the number of the order the command was about; null when it was refused */
  async send(caller: Caller, name: CommandName, body: object): Promise<string | null> {
    const from = performance.now();
    const reply = await this.#post(caller, BASE_PATH + endpoints[name].path, JSON.stringify({ requestId: randomUUID(), ...body }));
    this.times.push(performance.now() - from);
    if (reply.status === 1) return reply.data?.orderNo ?? "";
    const code = reply.code ?? "unknown";
    this.refused.set(`${name} ${code}`, (this.refused.get(`${name} ${code}`) ?? 0) + 1);
    return null;
  }

  #post(caller: Caller, path: string, body: string): Promise<Reply> {
    const headers = { ...caller, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    return new Promise((done, fail) => {
      const asked = request({ agent: this.#agent, port: this.#port, method: "POST", path, headers }, (reply) => {
        const parts: Buffer[] = [];
        reply.on("data", (part: Buffer) => void parts.push(part));
        reply.on("end", () => done(JSON.parse(String(Buffer.concat(parts))) as Reply));
      });
      asked.on("error", fail);
      asked.end(body);
    });
  }
}

/** One member's round of five commands on one stock. */
export async function tradeOnce(client: CommandClient, caller: Caller, { code, limitDown }: BenchStock): Promise<void> {
  const ticket = { code, direction: "rise", lots: 1 };
  const held = await client.send(caller, "placeOrder", { ...ticket, pricing: "market", price: null });
  const resting = await client.send(caller, "placeOrder", { ...ticket, pricing: "limit", price: limitDown });
  if (held !== null) await client.send(caller, "setConditions", { orderNo: held, exits: [{ kind: "stop", price: limitDown }] });
  if (resting !== null) await client.send(caller, "cancelOrder", { orderNo: resting });
  if (held !== null) await client.send(caller, "closeOrder", { orderNo: held, pricing: "market", price: null, lots: 1 });
}
