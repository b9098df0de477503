/** Tests an order command's effects: stored before it is sent, queried when unknown, sent again only under the same requestId. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { MAX_UNITS } from "#contract/order.ts";
import { RequestId } from "#contract/kernel/id.ts";
import type { Body } from "#contract/endpoints.ts";
import en from "#locales/en.json";
import { giveUp, withRequestEffects } from "#src/actors/request-effects.ts";
import type { RequestEffectOptions } from "#src/actors/request-effects.ts";
import { pendingCommands, newRequestId } from "#src/gateway/pending-commands.ts";
import { write } from "#src/gateway/storage.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";
import { accepted, broken, broker, resetBroker, received, mock, refused } from "#tests/src/gateway/broker.ts";

const typed = { code: "2330", direction: "rise", pricing: "limit", price: 10_000_000, lots: 1 };
const idsOf = (name: string): string[] =>
  received.filter((one) => one.name === name).map(({ body }) => (body as Body<"askOutcome">).requestId);

function placing(options: RequestEffectOptions<"placeOrder"> = {}) {
  const actor = createActor(
    withRequestEffects("placeOrder", () => options),
    { input: { reviews: false } },
  ).start();
  return actor;
}

beforeAll(async () => {
  await i18next.init({ lng: "en", resources: { en: { translation: en } } });
  broker.listen({ onUnhandledRequest: "error" });
});
afterAll(() => broker.close());
beforeEach(() => {
  resetBroker();
  write("tokend", "secret");
  write("account", "KS1");
});
afterEach(() => vi.useRealTimers());

test("a requestId is a UUID, also where the browser has no randomUUID", () => {
  const own = newRequestId();
  vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes.fill(255) });
  const made = newRequestId();
  vi.unstubAllGlobals();
  expect(RequestId.safeParse(own).success).toBe(true);
  expect(made).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
  expect(RequestId.safeParse(made).success).toBe(true);
});

describe("an order", () => {
  test("is stored before it is sent and deleted once answered", async () => {
    let storedMeanwhile = 0;
    mock("placeOrder", async (body) => {
      storedMeanwhile = (await pendingCommands("KS1")).length;
      return accepted(orderOf({ requestId: body.requestId }));
    });
    const got: string[] = [];
    const actor = placing({ onAccepted: (order) => void got.push(order.orderNo) });
    actor.send({ type: "SUBMIT", values: typed });
    actor.send({ type: "SUBMIT", values: typed });
    await waitFor(actor, (snapshot) => snapshot.matches("accepted"));
    expect(storedMeanwhile).toBe(1);
    expect(await pendingCommands("KS1")).toEqual([]);
    expect(idsOf("placeOrder")).toHaveLength(1);
    expect(got).toHaveLength(1);
  });

  test("is not sent when the schema rejects it", async () => {
    const actor = placing();
    actor.send({ type: "SUBMIT", values: { ...typed, lots: MAX_UNITS + 1 } });
    await waitFor(actor, (snapshot) => snapshot.context.problems.length > 0);
    expect(actor.getSnapshot().context.problems).toEqual([{ field: "lots", code: "TRD_LOTS_MAX", params: { n: MAX_UNITS } }]);
    expect(received).toEqual([]);
  });

  test("shows a refusal at its field and is deleted", async () => {
    mock("placeOrder", () => refused("FUND_AVAILABLE_INSUFFICIENT", { field: "lots" }));
    const actor = placing({ fields: ["lots"] });
    actor.send({ type: "SUBMIT", values: typed });
    await waitFor(actor, (snapshot) => snapshot.matches("refused"));
    expect(actor.getSnapshot().context.refusal).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT", field: "lots" });
    expect(await pendingCommands("KS1")).toEqual([]);
  });

  test("is queried and found when its answer was lost", async () => {
    mock("placeOrder", () => broken.line());
    mock("askOutcome", (body) => accepted({ known: true, order: orderOf({ requestId: body.requestId }), answer: null }));
    const actor = placing();
    actor.send({ type: "SUBMIT", values: typed });
    await waitFor(actor, (snapshot) => snapshot.matches("unknown"));
    expect(await pendingCommands("KS1")).toHaveLength(1);
    actor.send({ type: "ASK_NOW" });
    await waitFor(actor, (snapshot) => snapshot.matches("accepted"));
    expect(idsOf("askOutcome")).toEqual(idsOf("placeOrder"));
    expect(await pendingCommands("KS1")).toEqual([]);
  });

  test("on many returns its original answer when queried", async () => {
    const outcome = { orders: [orderOf()], refused: [] };
    mock("closeOrders", () => broken.line());
    mock("askOutcome", () => accepted({ known: true, order: null, answer: outcome }));
    const got: unknown[] = [];
    const actor = createActor(
      withRequestEffects("closeOrders", () => ({ onAccepted: (done) => void got.push(done) })),
      { input: { reviews: false } },
    ).start();
    actor.send({ type: "SUBMIT", values: { code: null } });
    await waitFor(actor, (snapshot) => snapshot.matches("unknown"));
    actor.send({ type: "ASK_NOW" });
    await waitFor(actor, (snapshot) => snapshot.matches("accepted"));
    expect(got).toEqual([outcome]);
  });

  test("on many counts as arrived and is not sent again when only its answer is lost for good", async () => {
    mock("closeOrders", () => broken.line());
    mock("askOutcome", () => accepted({ known: true, order: null, answer: null }));
    const calls: string[] = [];
    const actor = createActor(
      withRequestEffects("closeOrders", () => ({
        onAccepted: () => void calls.push("accepted"),
        onArrived: () => void calls.push("arrived"),
      })),
      { input: { reviews: false } },
    ).start();
    actor.send({ type: "SUBMIT", values: { code: null } });
    await waitFor(actor, (snapshot) => snapshot.matches("unknown"));
    expect(await pendingCommands("KS1")).toHaveLength(1);
    actor.send({ type: "ASK_NOW" });
    await waitFor(actor, (snapshot) => snapshot.matches("accepted"));
    expect(calls).toEqual(["arrived"]);
    expect(actor.getSnapshot().context.answer).toBeNull();
    expect(idsOf("closeOrders")).toHaveLength(1);
    expect(await pendingCommands("KS1")).toEqual([]);
  });

  test("that never arrived is sent again only on request, under the same requestId", async () => {
    mock("placeOrder", () => broken.line());
    mock("askOutcome", () => accepted({ known: false, order: null, answer: null }));
    const actor = placing();
    actor.send({ type: "SUBMIT", values: typed });
    await waitFor(actor, (snapshot) => snapshot.matches("unknown"));
    actor.send({ type: "ASK_NOW" });
    await waitFor(actor, (snapshot) => snapshot.matches("notReceived"));
    expect(idsOf("placeOrder")).toHaveLength(1);
    mock("placeOrder", (body) => accepted(orderOf({ requestId: body.requestId })));
    actor.send({ type: "SEND_AGAIN" });
    await waitFor(actor, (snapshot) => snapshot.matches("accepted"));
    const ids = idsOf("placeOrder");
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test("that never arrived is abandoned for good: it stays stored until the server has confirmed", async () => {
    mock("placeOrder", () => broken.line());
    mock("askOutcome", () => accepted({ known: false, order: null, answer: null }));
    const actor = placing();
    actor.send({ type: "SUBMIT", values: typed });
    await waitFor(actor, (snapshot) => snapshot.matches("unknown"));
    actor.send({ type: "ASK_NOW" });
    await waitFor(actor, (snapshot) => snapshot.matches("notReceived"));
    const requestId = actor.getSnapshot().context.requestId ?? "";
    mock("askOutcome", () => broken.line());
    expect(await giveUp(requestId)).toBeNull();
    expect(await pendingCommands("KS1")).toMatchObject([{ requestId, givenUp: true }]);
    mock("askOutcome", () => accepted({ known: false, order: null, answer: null }));
    expect(await giveUp(requestId)).toBeNull();
    expect(received.at(-1)).toMatchObject({ name: "askOutcome", body: { requestId, giveUp: true } });
    expect(await pendingCommands("KS1")).toEqual([]);
    // If it had arrived after all, its order is returned.
    const order = orderOf({ requestId });
    mock("askOutcome", () => accepted({ known: true, order, answer: null }));
    expect(await giveUp(requestId)).toEqual(order);
  });

  test("left behind by an earlier page is resumed only for its own member", async () => {
    mock("placeOrder", () => broken.line());
    const actor = placing();
    actor.send({ type: "SUBMIT", values: typed });
    await waitFor(actor, (snapshot) => snapshot.matches("unknown"));
    expect(await pendingCommands("KS2")).toEqual([]);
    const [stored] = await pendingCommands("KS1");
    mock("askOutcome", () => accepted({ known: true, order: orderOf(), answer: null }));
    const resumed = createActor(
      withRequestEffects("placeOrder", () => ({})),
      { input: { reviews: false, unresolved: { requestId: stored?.requestId ?? "", body: stored?.body } } },
    ).start();
    await waitFor(resumed, (snapshot) => snapshot.matches("accepted"));
    expect(idsOf("askOutcome")).toEqual([stored?.requestId]);
    actor.stop();
  });
});
