/** Tests the outbox of push notifications: bursts, the limit per minute, the bound of what waits, and members without a subscription. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Fact } from "#contract/fact.ts";
import { MAX_PUSH_SUBSCRIPTIONS } from "#contract/push-subscription.ts";
import type { PushPayload } from "#contract/push-subscription.ts";
import type { Deliver, DeliveryOutcome } from "#server/push/delivery.ts";
import { PUSH_LIMITS, PushOutbox } from "#server/push/outbox.ts";
import type { PushLimits } from "#server/push/outbox.ts";
import type { SubscriptionStore } from "#server/push/subscriptions.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";

let sent: PushPayload[] = [];
let forgotten: string[] = [];
let faults: unknown[] = [];
let outcome: DeliveryOutcome = "sent";
let held: (() => void)[] | null = null;
let browsers = 1;

const subscriptions: SubscriptionStore = {
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  removeSession: () => Promise.resolve(),
  forget: (endpoint) => Promise.resolve(void forgotten.push(endpoint)),
  of: (memberId) =>
    Promise.resolve(
      Array.from({ length: browsers }, (_, nth) => ({
        endpoint: `https://push.example/${memberId + nth}`,
        p256dh: "p",
        auth: "a",
        language: "en",
      })),
    ),
  mayHave: (memberId) => memberId === 1 || memberId === 3,
};
const deliver: Deliver = async (_to, payload) => {
  if (held) await new Promise<void>((go) => held?.push(go));
  sent.push(payload);
  return outcome;
};
const open = (limits: Partial<PushLimits> = {}): PushOutbox =>
  new PushOutbox({
    subscriptions,
    deliver,
    instrument: () => undefined,
    now: () => Date.now(),
    report: (error) => faults.push(error),
    limits: { ...PUSH_LIMITS, ...limits },
  });

let n = 0;
function fact(orderNo: string, over: object = {}): Fact {
  n += 1;
  const order = { orderNo, code: "2330", direction: "rise", lots: 9, lotShares: 1000, filledLots: 1, closingLots: 0 };
  const fills = [{ side: "open", lots: 1, price: 1_000_000 }];
  return {
    n,
    at: 1,
    type: "order.partlyFilled",
    order: { ...order, ...over },
    fills,
    money: { availableCents: 123_456_789 },
  } as unknown as Fact;
}
/** Lets timers fire and the promises they start settle. */
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  [sent, forgotten, faults, outcome, held, browsers] = [[], [], [], "sent", null, 1];
  // The dictionary is a file: read before the clock stops.
  const warm = open({ burstMs: 0 });
  warm.add(1, fact("K0"));
  await expect.poll(() => sent.length).toBe(1);
  warm.stop();
  sent = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  expect(faults).toEqual([]);
});

describe("the outbox", () => {
  it("tells the fills of one order within a second as one notification", async () => {
    const outbox = open();
    for (let lots = 0; lots < 5; lots += 1) outbox.add(1, fact("K1", { filledLots: lots + 1 }));
    await pass(999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent.map(({ title }) => title)).toEqual(["2330: Buy partly filled, 5 lots at 100.00, 4 lots still open"]);
    expect(JSON.stringify(sent)).not.toContain("123456789");
  });

  it("costs nothing for members without a subscription, and for facts that tell nothing", async () => {
    const outbox = open();
    outbox.add(2, fact("K1"));
    outbox.add(1, { ...fact("K1"), type: "order.placed", fills: [] } as Fact);
    await pass(5_000);
    expect(sent).toEqual([]);
  });

  it("sends at most so many per minute, and tells the rest together afterwards", async () => {
    const outbox = open({ perMinute: 3 });
    for (let at = 0; at < 10; at += 1) {
      outbox.add(1, fact(`K${at}`));
      await pass(2_000);
    }
    expect(sent).toHaveLength(3);
    await pass(MINUTE_MS);
    expect(sent.slice(3).map(({ title, tag }) => [title, tag])).toEqual([["7 updates on your orders", "many"]]);
  });

  it("keeps a bounded number waiting for a push service that does not answer, and drops the oldest", async () => {
    const outbox = open({ burstMs: 1, perMinute: 1_000, atOnce: 1, waiting: 3 });
    held = [];
    for (let at = 0; at < 6; at += 1) {
      outbox.add(1, fact(`K${at}`));
      await pass(10);
    }
    const [first] = held;
    held = null;
    first?.();
    await pass(10);
    expect(sent.map(({ tag }) => tag.split(" ")[0])).toEqual(["K0", "K3", "K4", "K5"]);
  });

  it("lets a member with a slow push service wait alone", async () => {
    const outbox = open({ burstMs: 1, perMinute: 1_000, atOnce: 3, memberAtOnce: 2, memberWaiting: 2 });
    held = [];
    for (let at = 0; at < 6; at += 1) {
      outbox.add(1, fact(`K${at}`));
      await pass(10);
    }
    expect(held).toHaveLength(2);
    const slow = held;
    held = null;
    outbox.add(3, fact("K9"));
    await pass(10);
    expect(sent.map(({ tag }) => tag.split(" ")[0])).toEqual(["K9"]);
    for (const go of slow) go();
    await pass(10);
    expect(sent.map(({ tag }) => tag.split(" ")[0])).toEqual(["K9", "K0", "K1", "K4", "K5"]);
  });

  it("tells a burst to every browser of a member who has as many as a member may have", async () => {
    browsers = MAX_PUSH_SUBSCRIPTIONS;
    const outbox = open();
    for (const orderNo of ["K1", "K2", "K3"]) outbox.add(1, fact(orderNo));
    await pass(1_050);
    expect(sent).toHaveLength(3 * MAX_PUSH_SUBSCRIPTIONS);
  });

  it("does not try again for who signed out meanwhile", async () => {
    const outbox = open({ retryMs: [100] });
    outcome = "later";
    outbox.add(1, fact("K1"));
    await pass(1_050);
    browsers = 0;
    await pass(10_000);
    expect(sent).toHaveLength(1);
  });

  it("removes a subscription that is gone, and gives up after the last attempt", async () => {
    const outbox = open({ retryMs: [100, 200] });
    outcome = "later";
    outbox.add(1, fact("K1"));
    await pass(10 * MINUTE_MS);
    expect([sent.length, forgotten]).toEqual([3, []]);
    outcome = "gone";
    outbox.add(1, fact("K2"));
    await pass(2_000);
    expect([sent.length, forgotten]).toEqual([4, ["https://push.example/1"]]);
  });

  it("sends nothing after it is stopped", async () => {
    const outbox = open();
    outbox.add(1, fact("K1"));
    outbox.stop();
    outbox.add(1, fact("K2"));
    await pass(10_000);
    expect(sent).toEqual([]);
  });

  it("names no amounts of a margin call", async () => {
    const outbox = open();
    const call = { callNo: "C1", requiredCents: 7_654_300, dueAt: 0 };
    outbox.add(1, { n: 1, at: 1, type: "margin.called", account: {}, message: { call } } as unknown as Fact);
    await pass(1_000);
    expect(sent).toEqual([{ title: "Margin call", text: "", route: "/home/margin", tag: "C1", urgent: true }]);
  });
});
