/** Proof of the view: what is asked for, how often it is said, and what a gap brings. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { View, ViewSnapshot } from "#contract/kernel/push.ts";
import { SubscriptionKeeper, viewOf } from "#workers/connection/subscription.ts";

const nothing = { rows: [], ranks: [], depth: null, tape: null, index: null, heat: false, all: false };
const shown = { ...nothing, rows: [1, 2, 2], slow: false, saving: false, hidden: false };
const snapshot = (n: number): ViewSnapshot => ({
  n,
  at: 1,
  phase: "open",
  quotes: [],
  ranks: [],
  depth: null,
  tape: null,
  index: null,
  heat: null,
});

describe("what is asked for", () => {
  it("is each row once, at the beat of a detail screen", () => {
    expect(viewOf(shown)).toEqual({ ...nothing, rows: [1, 2], beatMs: 100 });
  });
  it("slows down for lists and slow devices, but not for a list with a book", () => {
    const rows = Array.from({ length: 300 }, (_, row) => row);
    expect(viewOf({ ...shown, rows })).toMatchObject({ beatMs: 250 });
    expect(viewOf({ ...shown, rows }).rows).toHaveLength(200);
    expect(viewOf({ ...shown, rows, depth: 3 }).beatMs).toBe(100);
    expect(viewOf({ ...shown, slow: true }).beatMs).toBe(250);
  });
  it("comes once a second to who saves data", () => {
    expect(viewOf({ ...shown, depth: 3, tape: 3, saving: true })).toMatchObject({ depth: 3, tape: 3, beatMs: 1000 });
  });
  it("is nothing but a sign of life on a hidden page", () => {
    expect(viewOf({ ...shown, depth: 3, tape: 3, index: 1, heat: true, hidden: true })).toEqual({ ...nothing, beatMs: 1000 });
  });
});

describe("saying it", () => {
  let rows: number[] = [1];
  let said: View[] = [];
  let answer: (view: View) => Promise<ViewSnapshot> = async () => snapshot(0);
  const taken = vi.fn();
  const make = (): SubscriptionKeeper => new SubscriptionKeeper(() => viewOf({ ...shown, rows }), taken);
  const send = (view: View): Promise<ViewSnapshot> => {
    said.push(view);
    return answer(view);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    rows = [1];
    said = [];
    answer = async () => snapshot(0);
    taken.mockClear();
  });
  afterEach(() => void vi.useRealTimers());

  it("happens at once when the line opens, and once for many changes", async () => {
    const keeper = make();
    keeper.changed();
    keeper.line(send);
    await vi.advanceTimersByTimeAsync(0);
    expect(said).toHaveLength(1);
    for (const next of [[2], [2, 3], [2, 3, 4]]) {
      rows = next;
      keeper.changed();
    }
    await vi.advanceTimersByTimeAsync(49);
    expect(said).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(said.map((view) => view.rows)).toEqual([[1], [2, 3, 4]]);
    expect(taken).toHaveBeenCalledTimes(2);
  });

  it("says nothing twice in a row", async () => {
    const keeper = make();
    keeper.line(send);
    await vi.advanceTimersByTimeAsync(0);
    keeper.changed();
    await vi.advanceTimersByTimeAsync(100);
    expect(said).toHaveLength(1);
  });

  it("asks for a snapshot after a gap, once, and follows its number", async () => {
    const keeper = make();
    answer = async () => snapshot(10);
    keeper.line(send);
    await vi.advanceTimersByTimeAsync(0);
    expect([11, 12, 13].map((n) => keeper.arrived(n))).toEqual([true, true, true]);
    answer = async () => snapshot(17);
    expect([15, 16, 17].map((n) => keeper.arrived(n))).toEqual([false, true, true]);
    await vi.advanceTimersByTimeAsync(60);
    expect(said).toHaveLength(2);
    expect(keeper.arrived(18)).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(said).toHaveLength(2);
  });

  it("waits for the answer before it says the next, and says it again when none comes", async () => {
    const keeper = make();
    let refuse: () => void = () => undefined;
    answer = () => new Promise((_, reject) => (refuse = () => reject(new Error("late"))));
    keeper.line(send);
    rows = [2];
    keeper.changed();
    await vi.advanceTimersByTimeAsync(200);
    expect(said).toHaveLength(1);
    answer = async () => snapshot(3);
    refuse();
    await vi.advanceTimersByTimeAsync(60);
    expect(said.at(-1)?.rows).toEqual([2]);
    expect(taken).toHaveBeenCalledTimes(1);
  });

  it("forgets an answer of a line that is gone", async () => {
    const keeper = make();
    let give: () => void = () => undefined;
    answer = () => new Promise((done) => (give = () => done(snapshot(3))));
    keeper.line(send);
    keeper.line(null);
    give();
    await vi.advanceTimersByTimeAsync(60);
    expect(taken).not.toHaveBeenCalled();
  });
});
