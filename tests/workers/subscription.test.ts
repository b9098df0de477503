/** Tests the subscribed view: its content, how often it is sent, and recovery after a gap. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { View, ViewSnapshot } from "#contract/kernel/push.ts";
import { SubscriptionKeeper, viewOf } from "#workers/connection/subscription.ts";

const nothing = { rows: [], ranks: [], channels: {}, all: false };
const shown = { ...nothing, rows: [1, 2, 2], slow: false, saving: false, hidden: false };
const snapshot = (n: number): ViewSnapshot => ({
  n,
  at: 1,
  phase: "open",
  quotes: [],
  ranks: [],
  channels: {},
});

describe("viewOf", () => {
  it("contains each row once, at the interval of a detail screen", () => {
    expect(viewOf(shown)).toEqual({ ...nothing, rows: [1, 2], beatMs: 100 });
  });
  it("slows down for lists and slow devices, but not for a list with depth", () => {
    const rows = Array.from({ length: 300 }, (_, row) => row);
    expect(viewOf({ ...shown, rows })).toMatchObject({ beatMs: 250 });
    expect(viewOf({ ...shown, rows }).rows).toHaveLength(200);
    expect(viewOf({ ...shown, rows, channels: { depth: 3 } }).beatMs).toBe(100);
    expect(viewOf({ ...shown, slow: true }).beatMs).toBe(250);
  });
  it("uses one second with data saver on", () => {
    expect(viewOf({ ...shown, channels: { depth: 3, tape: 3 }, saving: true })).toMatchObject({
      channels: { depth: 3, tape: 3 },
      beatMs: 1000,
    });
  });
  it("only requests heartbeats on a hidden page", () => {
    expect(viewOf({ ...shown, channels: { depth: 3, tape: 3, contribution: 1, heat: true }, hidden: true })).toEqual({
      ...nothing,
      beatMs: 1000,
    });
  });
});

describe("SubscriptionKeeper", () => {
  let rows: number[] = [1];
  let sent: View[] = [];
  let answer: (view: View) => Promise<ViewSnapshot> = async () => snapshot(0);
  const onSnapshot = vi.fn();
  const makeKeeper = (): SubscriptionKeeper => new SubscriptionKeeper(() => viewOf({ ...shown, rows }), onSnapshot);
  const send = (view: View): Promise<ViewSnapshot> => {
    sent.push(view);
    return answer(view);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    rows = [1];
    sent = [];
    answer = async () => snapshot(0);
    onSnapshot.mockClear();
  });
  afterEach(() => void vi.useRealTimers());

  it("sends at once when connected, and once for many changes", async () => {
    const keeper = makeKeeper();
    keeper.changed();
    keeper.onConnection(send);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(1);
    for (const next of [[2], [2, 3], [2, 3, 4]]) {
      rows = next;
      keeper.changed();
    }
    await vi.advanceTimersByTimeAsync(49);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(sent.map((view) => view.rows)).toEqual([[1], [2, 3, 4]]);
    expect(onSnapshot).toHaveBeenCalledTimes(2);
  });

  it("does not send the same view twice in a row", async () => {
    const keeper = makeKeeper();
    keeper.onConnection(send);
    await vi.advanceTimersByTimeAsync(0);
    keeper.changed();
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toHaveLength(1);
  });

  it("requests one snapshot after a gap and continues from its number", async () => {
    const keeper = makeKeeper();
    answer = async () => snapshot(10);
    keeper.onConnection(send);
    await vi.advanceTimersByTimeAsync(0);
    expect([11, 12, 13].map((n) => keeper.arrived(n))).toEqual([true, true, true]);
    answer = async () => snapshot(17);
    expect([15, 16, 17].map((n) => keeper.arrived(n))).toEqual([false, true, true]);
    await vi.advanceTimersByTimeAsync(60);
    expect(sent).toHaveLength(2);
    expect(keeper.arrived(18)).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(sent).toHaveLength(2);
  });

  it("waits for the acknowledgement before sending the next view, and resends when none arrives", async () => {
    const keeper = makeKeeper();
    let refuse: () => void = () => undefined;
    answer = () => new Promise((_, reject) => (refuse = () => reject(new Error("late"))));
    keeper.onConnection(send);
    rows = [2];
    keeper.changed();
    await vi.advanceTimersByTimeAsync(200);
    expect(sent).toHaveLength(1);
    answer = async () => snapshot(3);
    refuse();
    await vi.advanceTimersByTimeAsync(60);
    expect(sent.at(-1)?.rows).toEqual([2]);
    expect(onSnapshot).toHaveBeenCalledTimes(1);
  });

  it("drops the acknowledgement of a closed connection", async () => {
    const keeper = makeKeeper();
    let give: () => void = () => undefined;
    answer = () => new Promise((done) => (give = () => done(snapshot(3))));
    keeper.onConnection(send);
    keeper.onConnection(null);
    give();
    await vi.advanceTimersByTimeAsync(60);
    expect(onSnapshot).not.toHaveBeenCalled();
  });
});
