/** Tests odd-lot orders over HTTP: the ticket's default of one share is accepted at any price. */
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

/** Places an odd-lot order at the last price. */
async function buy(code: string, lots: number) {
  const row = server.venue.instrument(code)?.row ?? -1;
  const { last, reference } = server.venue.quote(row);
  const price = last || reference;
  const body = { requestId: randomUUID(), code, direction: "rise", pricing: "limit", price, lots, market: "odd" } as const;
  return { price, reply: await server.call("placeOrder", body, me) };
}

describe("an odd-lot order", () => {
  it.each(["2317", "0050"])("of one share of %s, the ticket's default, is accepted", async (code) => {
    const { price, reply } = await buy(code, lotsOf(FIRST_DRAFT) ?? 0);
    // The price of a share and the minimum commission of odd lots.
    expect(reply).toMatchObject({ status: 1, data: { status: "pending", market: "odd", lots: 1, heldCents: price / 100 + 100 } });
  });
});
