/** Server process of the HTTP benchmark: our layers over a handler that does nothing, and bare Hono with the same answer, on two ports. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { pino } from "pino";
import { endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Account } from "#contract/kernel/id.ts";
import { createHttp } from "#server/api/http.ts";
import type { Caller, Handlers } from "#server/api/handler.ts";
import { accepted } from "#server/api/http/reply.ts";
import { LIMITS } from "#server/kernel/limits.ts";

/** As long as the answer to an order. */
const ANSWER = {
  groups: [{ id: "01J0000000000000000000000", name: "觀察名單", codes: Array.from({ length: 40 }, (_, n) => String(2_301 + n)) }],
};
const caller: Caller = { memberId: 1, account: "A1" as Account, sessionHash: "hash" };

const handlers: Partial<Handlers> = { addWatch: async () => ANSWER as never };
const sessions = { find: async () => caller, holds: () => true, whyEnded: async () => "ACC_SESSION_EXPIRED" as const };
const MANY = { points: 1_000_000_000, seconds: 1 };
const limits = { ...LIMITS, readsPerMember: MANY, readsPerAddress: MANY, readsAtOnce: 1_000 };
const ours = createHttp({
  handlers: handlers as Handlers,
  sessions,
  limits,
  clientDir: join(import.meta.dirname, "none"),
  log: pino({ level: "error" }),
});

const bare = new Hono();
bare.post(BASE_PATH + endpoints.addWatch.path, async (c) => {
  JSON.parse(await c.req.text());
  return c.body(JSON.stringify(accepted("addWatch", ANSWER)), 200, { "content-type": "application/json; charset=utf-8" });
});

async function serve(app: Hono | typeof ours): Promise<number> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000 });
});
process.on("disconnect", () => process.exit());
process.send?.({ ours: await serve(ours), bare: await serve(bare) });
