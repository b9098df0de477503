/** Tests the frame pacer: not too often, never far ahead of the screen, and a slow screen is detected. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FramePacer } from "#workers/table/frame-pacer.ts";

/** Main-thread time of a frame that a screen shows with ease. */
const CHEAP_MS = 5;

describe("FramePacer", () => {
  let now = 0;
  let sent: number[] = [];
  let acksRequested: boolean[] = [];
  const elapse = async (ms: number): Promise<void> => {
    now += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const makePacer = (): FramePacer => {
    const pacer = new FramePacer(
      (asks) => {
        acksRequested.push(asks);
        return sent.push(now) > 0;
      },
      () => now,
    );
    pacer.everyMs = 100;
    return pacer;
  };
  /** Times between frames of a screen that acknowledges each asked one at once, with a cost; something changes every 10 ms. */
  const gaps = async (pacer: FramePacer, costMs: number, forMs: number): Promise<number[]> => {
    const from = sent.length;
    for (let at = 0, seen = acksRequested.length; at < forMs; at += 10) {
      pacer.request();
      if (acksRequested.length > seen && acksRequested.at(-1) === true) pacer.acked(costMs);
      seen = acksRequested.length;
      await elapse(10);
    }
    return sent.slice(from + 1).map((ms, at) => ms - (sent[from + at] ?? 0));
  };

  beforeEach(() => {
    vi.useFakeTimers();
    now = 0;
    sent = [];
    acksRequested = [];
  });
  afterEach(() => void vi.useRealTimers());

  it("sends the first frame at once and the next after the interval", async () => {
    const pacer = makePacer();
    pacer.request();
    pacer.acked(CHEAP_MS);
    await elapse(10);
    pacer.request();
    pacer.request();
    expect(sent).toEqual([0]);
    await elapse(100);
    expect(sent).toHaveLength(2);
  });

  it("keeps the interval when something changes all the time", async () => {
    const between = (await gaps(makePacer(), CHEAP_MS, 2_000)).toSorted((one, other) => one - other);
    // A change after 0.8 of the interval is sent at once.
    expect(between[0]).toBeGreaterThanOrEqual(80);
    expect(between.at(-1)).toBeLessThanOrEqual(100);
  });

  it("requests an acknowledgement every fifth frame and sends nothing more until it arrives", async () => {
    const pacer = makePacer();
    const frames = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) {
        pacer.request();
        await elapse(100);
      }
    };
    await frames(5);
    expect(acksRequested).toEqual([false, false, false, false, true]);
    pacer.acked(CHEAP_MS);
    await frames(10);
    expect(acksRequested.slice(5)).toEqual([false, false, false, false, true]);
  });

  it("requests every acknowledgement from a late screen, so that it is never more than one frame behind", async () => {
    const pacer = makePacer();
    for (let at = 0; at < 5; at++) {
      pacer.request();
      await elapse(100);
    }
    await elapse(500);
    pacer.acked(CHEAP_MS);
    for (let at = 0; at < 10; at++) {
      pacer.request();
      await elapse(100);
    }
    expect(acksRequested.slice(5)).toEqual([true]);
  });

  it("sends immediate requests without waiting for the interval", async () => {
    const pacer = makePacer();
    pacer.request();
    pacer.acked(CHEAP_MS);
    await elapse(5);
    pacer.request(true);
    await elapse(1);
    expect(sent).toHaveLength(2);
  });

  it("marks a screen slow after five late frames and fast again after five punctual ones", async () => {
    const pacer = makePacer();
    const answer = async (ms: number): Promise<boolean> => {
      do {
        await elapse(300);
        pacer.request();
      } while (acksRequested.at(-1) !== true);
      now += ms;
      return pacer.acked(CHEAP_MS);
    };
    const judged: boolean[] = [];
    for (let at = 0; at < 5; at++) judged.push(await answer(250));
    expect(judged).toEqual([false, false, false, false, true]);
    expect(pacer.slow).toBe(true);
    for (let at = 0; at < 4; at++) await answer(5);
    expect(pacer.slow).toBe(true);
    expect([await answer(5), pacer.slow]).toEqual([true, false]);
  });

  it("leaves four fifths of the main thread to a screen with costly frames, and returns to the interval with cheap ones", async () => {
    const pacer = makePacer();
    const costly = await gaps(pacer, 60, 10_000);
    for (const gap of costly.slice(-5)) {
      // A change after 0.8 of the interval is sent at once.
      expect(gap).toBeGreaterThanOrEqual(240);
      expect(gap).toBeLessThanOrEqual(310);
    }
    expect(pacer.slow).toBe(false);
    const cheap = await gaps(pacer, CHEAP_MS, 5_000);
    expect(Math.max(...cheap.slice(-5))).toBeLessThanOrEqual(100);
  });

  it("sends at least two frames a second however costly they are", async () => {
    const pacer = makePacer();
    const costly = await gaps(pacer, 2_000, 10_000);
    for (const gap of costly.slice(-5)) {
      expect(gap).toBeGreaterThanOrEqual(400);
      expect(gap).toBeLessThanOrEqual(510);
    }
  });

  it("does not slow down for one costly frame among cheap ones", async () => {
    const pacer = makePacer();
    await gaps(pacer, CHEAP_MS, 3_000);
    await gaps(pacer, 60, 500);
    const after = await gaps(pacer, CHEAP_MS, 3_000);
    expect(Math.max(...after.slice(5))).toBeLessThanOrEqual(100);
  });
});
