/** Tests the frame pacer: not too often, never far ahead of the screen, and a slow screen is detected. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FramePacer } from "#workers/table/frame-pacer.ts";

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
    pacer.acked();
    await elapse(10);
    pacer.request();
    pacer.request();
    expect(sent).toEqual([0]);
    await elapse(100);
    expect(sent).toHaveLength(2);
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
    pacer.acked();
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
    pacer.acked();
    for (let at = 0; at < 10; at++) {
      pacer.request();
      await elapse(100);
    }
    expect(acksRequested.slice(5)).toEqual([true]);
  });

  it("sends immediate requests without waiting for the interval", async () => {
    const pacer = makePacer();
    pacer.request();
    pacer.acked();
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
      return pacer.acked();
    };
    const judged: boolean[] = [];
    for (let at = 0; at < 5; at++) judged.push(await answer(250));
    expect(judged).toEqual([false, false, false, false, true]);
    expect(pacer.slow).toBe(true);
    for (let at = 0; at < 4; at++) await answer(5);
    expect(pacer.slow).toBe(true);
    expect([await answer(5), pacer.slow]).toEqual([true, false]);
  });
});
