/** Proof of the beat: not too often, never far ahead of the screen, and a late screen is noticed. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FramePacer } from "#workers/table/frame-pacer.ts";

describe("the beat", () => {
  let now = 0;
  let sent: number[] = [];
  let asked: boolean[] = [];
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const make = (): FramePacer => {
    const beat = new FramePacer(
      (asks) => {
        asked.push(asks);
        return sent.push(now) > 0;
      },
      () => now,
    );
    beat.everyMs = 100;
    return beat;
  };
  beforeEach(() => {
    vi.useFakeTimers();
    now = 0;
    sent = [];
    asked = [];
  });
  afterEach(() => void vi.useRealTimers());

  it("sends the first at once and the next after the beat", async () => {
    const beat = make();
    beat.want();
    beat.acked();
    await pass(10);
    beat.want();
    beat.want();
    expect(sent).toEqual([0]);
    await pass(100);
    expect(sent).toHaveLength(2);
  });

  it("asks for one answer in five frames, and sends nothing more until it has come", async () => {
    const beat = make();
    const frames = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) {
        beat.want();
        await pass(100);
      }
    };
    await frames(5);
    expect(asked).toEqual([false, false, false, false, true]);
    beat.acked();
    await frames(10);
    expect(asked.slice(5)).toEqual([false, false, false, false, true]);
  });

  it("asks a screen that was late for every answer, so that it is never behind by more than a frame", async () => {
    const beat = make();
    for (let at = 0; at < 5; at++) {
      beat.want();
      await pass(100);
    }
    await pass(500);
    beat.acked();
    for (let at = 0; at < 10; at++) {
      beat.want();
      await pass(100);
    }
    expect(asked.slice(5)).toEqual([true]);
  });

  it("does not let newcomers wait for the beat", async () => {
    const beat = make();
    beat.want();
    beat.acked();
    await pass(5);
    beat.want(true);
    await pass(1);
    expect(sent).toHaveLength(2);
  });

  it("calls a screen slow after five late frames and quick again after five good ones", async () => {
    const beat = make();
    const answer = async (ms: number): Promise<boolean> => {
      do {
        await pass(300);
        beat.want();
      } while (asked.at(-1) !== true);
      now += ms;
      return beat.acked();
    };
    const judged: boolean[] = [];
    for (let at = 0; at < 5; at++) judged.push(await answer(250));
    expect(judged).toEqual([false, false, false, false, true]);
    expect(beat.slow).toBe(true);
    for (let at = 0; at < 4; at++) await answer(5);
    expect(beat.slow).toBe(true);
    expect([await answer(5), beat.slow]).toEqual([true, false]);
  });
});
