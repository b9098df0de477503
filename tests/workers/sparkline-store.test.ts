/** Tests sparklines: paths, one call for all rows that are due, nothing read again within a minute, off screen, paused or signed out. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Code } from "#contract/kernel/id.ts";
import type { Sparkline } from "#contract/sparkline.ts";
import type { SparklineUpdate } from "#workers/protocol.ts";
import { pathOf, SPARKLINE_HEIGHT, SPARKLINE_WIDTH, SparklineStore } from "#workers/table/sparkline-store.ts";

describe("the path of a sparkline", () => {
  const points = (path: string): number[][] =>
    path
      .slice(1)
      .split("L")
      .map((point) => point.split(" ").map(Number));

  it("spans its frame, the highest price at the top", () => {
    expect(points(pathOf([10, 30, 20]))).toEqual([
      [1, SPARKLINE_HEIGHT - 1],
      [SPARKLINE_WIDTH / 2, 1],
      [SPARKLINE_WIDTH - 1, SPARKLINE_HEIGHT / 2],
    ]);
  });

  it("is in the middle when the price did not move, and empty without prices", () => {
    expect(points(pathOf([5, 5])).map(([, y]) => y)).toEqual([SPARKLINE_HEIGHT / 2, SPARKLINE_HEIGHT / 2]);
    expect(pathOf([])).toBe("");
  });
});

describe("sparklines on screen", () => {
  let calls: string[][] = [];
  let sent: SparklineUpdate[] = [];
  let fails = false;
  let held: Promise<void> | null = null;
  let store: SparklineStore;

  beforeEach(() => {
    vi.useFakeTimers();
    [calls, sent, fails, held] = [[], [], false, null];
    store = new SparklineStore({
      read: async (codes) => {
        calls.push(codes);
        await held;
        if (fails) throw new Error("unreachable");
        return codes.filter((code) => code !== "none").map((code): Sparkline => ({ code: code as Code, prices: [100, 110] }));
      },
      reference: (code) => (code === "down" ? 120 : 105),
      send: (updates) => sent.push(...updates),
      now: () => Date.now(),
    });
  });
  afterEach(() => {
    store.clear();
    vi.useRealTimers();
  });

  it("are read in one call, once they settle, and coloured against the reference", async () => {
    store.show(["a", "passing"], []);
    store.show(["down", "none"], ["passing"]);
    await vi.advanceTimersByTimeAsync(250);
    expect(calls).toEqual([["a", "down", "none"]]);
    expect(sent.map(([code, path, tone]) => [code, path === "" ? "" : "path", tone])).toEqual([
      ["a", "path", "up"],
      ["down", "path", "down"],
      ["none", "", "flat"],
    ]);
  });

  it("are shown at once when they come back, and read again after a minute while on screen", async () => {
    store.show(["a"], []);
    await vi.advanceTimersByTimeAsync(250);
    store.show([], ["a"]);
    store.show(["a"], []);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(calls).toHaveLength(2);
    store.show([], ["a"]);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(calls).toHaveLength(2);
  });

  it("are read in parts of at most forty, one call at a time", async () => {
    store.show(
      Array.from({ length: 90 }, (_, nth) => `c${nth}`),
      [],
    );
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls.map(({ length }) => length)).toEqual([40, 40, 10]);
  });

  it("are not read while paused, and a failed call waits a minute", async () => {
    store.pause(true);
    store.show(["a"], []);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls).toEqual([]);
    fails = true;
    store.pause(false);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(calls).toHaveLength(1);
    fails = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls).toHaveLength(2);
    expect(sent).toHaveLength(1);
  });

  it("of a previous session are dropped", async () => {
    store.show(["a"], []);
    vi.advanceTimersByTime(200);
    store.clear();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toEqual([]);
  });

  it("of a new session are read although those of the previous one are still awaited", async () => {
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    held = promise;
    store.show(["a"], []);
    await vi.advanceTimersByTimeAsync(250);
    store.clear();
    held = null;
    store.show(["b"], []);
    await vi.advanceTimersByTimeAsync(1_000);
    answer();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls).toEqual([["a"], ["b"]]);
    expect(sent.map(([code]) => code)).toEqual(["b"]);
  });
});
