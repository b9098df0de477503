/** Tests an alert end to end on a real server: set over HTTP, evaluated against the live market, pushed to its member only. */
import { randomUUID } from "node:crypto";
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import type { Fact } from "#contract/fact.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";

let server: TestServer;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = await startTestServer({ commandsPerSecond: 100_000, venue: { seed: 1, rate: 2_000, hours: "always" } });
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await server.stop();
});

/** Collects the facts that a member's socket receives. */
async function listen(auth: Headers): Promise<Fact[]> {
  const socket = io(server.url, { path: SOCKET_PATH, transports: ["websocket"], auth });
  sockets.push(socket);
  const facts: Fact[] = [];
  socket.on("fact", (fact: Fact) => facts.push(fact));
  await new Promise<void>((done, fail) => {
    socket.on("connect", done);
    socket.on("connect_error", fail);
  });
  return facts;
}

it("is pushed once, with its message, to every socket of its member and to nobody else", async () => {
  const me = await server.enter("verified");
  const other = await server.enter("unverified");
  const [mine, here, theirs] = [await listen(me), await listen(me), await listen(other)];
  const ids: string[] = [];
  await expect
    .poll(
      async () => {
        // One lot above the traded volume: quick in an active instrument, slow at a price limit, so several are tried.
        const hot = await server.call(
          "readView",
          { rows: [], ranks: [{ by: "turnover", board: "listed", category: null, size: 10 }], channels: {} },
          me,
        );
        const quotes = hot.status === 1 ? hot.data.quotes : [];
        for (let at = 0; at < quotes.length && ids.length < 20; at += QUOTE_STRIDE) {
          const { row, volume } = quoteAt(quotes, at);
          const id = RequestId.parse(randomUUID());
          const code = server.venue.instruments[row]?.code ?? "";
          const reply = await server.call("setAlert", { id, code, kind: "volume", level: volume + 1 }, me);
          if (reply.status === 1) ids.push(id);
        }
        return mine.length;
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBeGreaterThanOrEqual(3);
  for (const id of ids) await server.call("withdrawAlert", { id }, me);
  const missed = await server.call("factsSince", { after: 0 }, me);
  await expect.poll(() => mine.length).toBe(missed.status === 1 ? missed.data.newest : -1);
  const fired = mine.flatMap((fact) => (fact.type === "alert.fired" ? fact : []));
  expect(new Set(fired.map(({ alert }) => alert.id)).size).toBe(mine.length);
  expect(ids).toEqual(expect.arrayContaining(fired.map(({ alert }) => alert.id)));
  expect(mine.map(({ n }) => n)).toEqual(mine.map((_, at) => at + 1));
  expect(fired.map(({ unread }) => unread)).toEqual(mine.map((_, at) => at + 2));
  await expect.poll(() => here).toEqual(mine);
  expect(theirs).toEqual([]);
  const inbox = await server.call("listMessages", { cursor: null }, me);
  expect(inbox.status === 1 && inbox.data.items.slice(0, fired.length)).toEqual(fired.map(({ message }) => message).toReversed());
  expect(await server.call("factsSince", { after: 0 }, me)).toMatchObject({ status: 1, data: { facts: mine, newest: mine.length } });
  const foreign = await server.call("readMessage", { id: fired[0]?.message.id ?? "" }, other);
  expect(foreign).toMatchObject({ status: 0, code: "GEN_NOT_FOUND" });
  expect(await server.call("withdrawAlert", { id: fired[0]?.alert.id ?? "" }, other)).toMatchObject({ status: 0, code: "GEN_NOT_FOUND" });
});
