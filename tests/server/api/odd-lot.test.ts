/** Buying single shares over HTTP: the ticket's default of one share is an order like any other, whatever the share costs. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FIRST_DRAFT, lotsOf } from "#src/screens/ticket/draft.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";

let server: TestServer;
let me: Headers;
beforeAll(async () => {
  server = await startTestServer();
  me = await server.enter();
});
afterAll(() => server.stop());

/** Place an odd-lot order at what the instrument last cost. */
async function buy(code: string, lots: number) {
  const row = server.venue.instrument(code)?.row ?? -1;
  const { last, reference } = server.venue.quote(row);
  const price = last || reference;
  const body = { requestId: randomUUID(), code, direction: "rise", pricing: "limit", price, lots, market: "odd" } as const;
  return { price, reply: await server.call("placeOrder", body, me) };
}

describe("an odd-lot order", () => {
  it.each(["2317", "0050"])("of the ticket's default, one share of %s, is accepted", async (code) => {
    const { price, reply } = await buy(code, lotsOf(FIRST_DRAFT) ?? 0);
    // A share and the least commission of single shares.
    expect(reply).toMatchObject({ status: 1, data: { status: "pending", market: "odd", lots: 1, heldCents: price / 100 + 100 } });
  });
});
