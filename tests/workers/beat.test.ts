/** Proof of the beat: one frame at a time, not too often, and a late screen is noticed. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Beat } from "#workers/beat.ts";

describe("the beat", () => {
  let now = 0;
  let sent: number[] = [];
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const make = (): Beat => {
    const beat = new Beat(
      () => sent.push(now) > 0,
      () => now,
    );
    beat.everyMs = 100;
    return beat;
  };
  beforeEach(() => {
    vi.useFakeTimers();
    now = 0;
    sent = [];
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

  it("sends nothing more until the screen took the last frame", async () => {
    const beat = make();
    beat.want();
    for (let at = 0; at < 20; at++) {
      await pass(100);
      beat.want();
    }
    expect(sent).toHaveLength(1);
    beat.acked();
    expect(sent).toHaveLength(2);
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
    const frame = async (ms: number): Promise<boolean> => {
      await pass(300);
      beat.want();
      now += ms;
      return beat.acked();
    };
    expect([await frame(250), await frame(250), await frame(250), await frame(250), await frame(250)]).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(beat.slow).toBe(true);
    for (let at = 0; at < 4; at++) await frame(5);
    expect(beat.slow).toBe(true);
    expect([await frame(5), beat.slow]).toEqual([true, false]);
  });
});
