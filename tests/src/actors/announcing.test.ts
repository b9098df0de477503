/** Announcements in the client: one toast for a burst, one line that grows with the fills of an order, tones and vibration by choice, badges. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { USUAL_PREFERENCES } from "#contract/usual-preference.ts";
import type { Preferences } from "#contract/preference.ts";
import type { Fact } from "#contract/fact.ts";
import { announce } from "#src/actors/announcing.ts";
import * as notification from "#src/gateway/notification.ts";
import * as sound from "#src/gateway/sound.ts";
import { toasts$ } from "#src/gateway/toasts.ts";
import type { ToastMessage } from "#src/gateway/toasts.ts";
import { changedCount$ } from "#src/streams/order-changes.ts";
import { preferences } from "#src/streams/preferences.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { until } from "#tests/support/until.ts";

let worker: FakeWorker;
let stop = (): void => undefined;
let shown: ToastMessage[] = [];
let n = 0;

/** A fact of a fill of so many lots, with the rest left. */
function fill(orderNo: string, lots: number, left: number, over: object = {}): Fact {
  n += 1;
  const order = orderOf({ orderNo, lots: 9, filledLots: 9 - left, closingLots: 0 });
  const fills = [{ side: "open", lots, price: 1_000_000 }];
  return { n, at: n, type: left > 0 ? "order.partlyFilled" : "order.filled", order, fills, money: {}, ...over } as unknown as Fact;
}
const forced = (orderNo: string): Fact =>
  fill(orderNo, 1, 0, { type: "order.closed", fills: [{ side: "close", lots: 1, price: 1_000_000 }], closeCause: "liquidation" });
const arrive = (...facts: Fact[]): void => worker.emit({ kind: "facts", facts } as never);
const texts = (): string[] => shown.map(({ text }) => text);

async function begin(over: Partial<Preferences> = {}): Promise<void> {
  mock("readPreferences", () => accepted({ ...USUAL_PREFERENCES, ...over }));
  stop = announce();
  await until(() => preferences.now().value !== null);
}

setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
  toasts$.subscribe((message) => shown.push(message));
});
beforeEach(() => (shown = []));
afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A device that vibrates, whose page was or was not touched since it opened. */
function onPhone({ touched }: { touched: boolean }) {
  const vibrate = vi.fn(() => true);
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { vibrate, userActivation: { hasBeenActive: touched } }));
  return vibrate;
}

describe("a fill", () => {
  it("is a polite toast with side, lots and price, and vibrates unless that is switched off", async () => {
    const vibrate = onPhone({ touched: true });
    await begin();
    arrive(fill("K100000000001", 2, 0));
    await until(() => shown.length === 1);
    expect(shown[0]).toMatchObject({ text: "2330: Buy filled, 2 lots at 100.00", tone: "success", urgent: false });
    expect(vibrate).toHaveBeenCalledTimes(1);
  });

  it("does not vibrate on a page that was not touched yet, which browsers refuse", async () => {
    const vibrate = onPhone({ touched: false });
    await begin();
    arrive(fill("K100000000001", 2, 0));
    await until(() => shown.length === 1);
    expect(vibrate).not.toHaveBeenCalled();
  });

  it("level by level is one line, also when the next ones come while it is shown", async () => {
    await begin();
    arrive(fill("K100000000001", 1, 8), fill("K100000000001", 2, 6));
    await until(() => shown.length === 1);
    arrive(fill("K100000000001", 1, 5));
    await until(() => shown.length === 2);
    expect(texts()).toEqual([
      "2330: Buy partly filled, 3 lots at 100.00, 6 lots still open",
      "2330: Buy partly filled, 4 lots at 100.00, 5 lots still open",
    ]);
    expect(shown[0]?.key).toBe(shown[1]?.key);
  });

  it("sounds only by choice", async () => {
    const tone = vi.spyOn(sound, "playTone").mockResolvedValue();
    await begin();
    arrive(fill("K100000000001", 1, 0));
    await until(() => shown.length === 1);
    expect(tone).not.toHaveBeenCalled();
    preferences.change((known) => ({ ...known, sound: true, vibrate: false }));
    const vibrate = onPhone({ touched: true });
    arrive(fill("K100000000002", 1, 0), forced("K100000000003"));
    await until(() => shown.length === 3);
    expect(tone.mock.calls).toEqual([["urgent"]]);
    expect(vibrate).not.toHaveBeenCalled();
  });
});

describe("fifty facts after a reconnect", () => {
  it("are one line, and forced closes among them interrupt", async () => {
    await begin();
    const many = Array.from({ length: 50 }, (_, at) => fill(`K1000000000${10 + at}`, 1, 0));
    arrive(...many, forced("K100000000099"));
    await until(() => shown.length === 2);
    expect(shown.map(({ text, urgent }) => [text, urgent])).toEqual([
      ["50 updates on your orders", false],
      ["Forced close of 2330: Sell, 1 lot at 100.00", true],
    ]);
  });

  it("count as changed orders until the member looks, each order once", async () => {
    await begin();
    let count = 0;
    const watching = changedCount$.subscribe((now) => (count = now));
    arrive(fill("K100000000001", 1, 8), fill("K100000000001", 1, 7), fill("K100000000002", 1, 0));
    await until(() => count === 2);
    stop();
    expect(count).toBe(0);
    watching.unsubscribe();
  });
});

describe("while the page is hidden", () => {
  it("a notification takes the toast's place, if the member allows them", async () => {
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    const notified = vi.spyOn(notification, "showNotification").mockResolvedValue();
    await begin({ notify: true });
    arrive(fill("K100000000001", 2, 0));
    await until(() => notified.mock.calls.length === 1);
    const route = "/trade/positionDetail?orderNo=K100000000001";
    expect(notified).toHaveBeenCalledWith("2330: Buy filled, 2 lots at 100.00", "Order K100000000001", {
      route,
      tag: "K100000000001 buy fill",
    });
    expect(shown).toEqual([]);
    preferences.change((known) => ({ ...known, notify: false }));
    arrive(fill("K100000000002", 2, 0));
    await new Promise((later) => setTimeout(later, 400));
    expect(notified).toHaveBeenCalledTimes(1);
  });
});
