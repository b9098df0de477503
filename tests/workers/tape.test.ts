/** Tests the tape: every trade once and in order, despite repeated pushes, gaps and overlapping snapshots. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TAPE_STRIDE } from "#contract/tape.ts";
import { unitsOf } from "#workers/short-number.ts";
import { Tape, TAPE_SHOWN } from "#workers/channels/tape.ts";
import { instrument } from "./sample.ts";
import { TUESDAY } from "./trading.ts";

const units = unitsOf("en");
const row = instrument(1);
const trade = (n: number, from: number = TUESDAY): number[] => [n, from + n * 1000, 10_000 * n, n, 1];
const trades = (from: number, to: number, at?: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => trade(from + nth, at)).flat();
const numbers = (tape: Tape): number[] => tape.update("1001").flat.filter((_, place) => place % TAPE_STRIDE === 0);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, nth) => from + nth);

describe("the tape", () => {
  it("formats each trade with its time, price and lots", () => {
    const tape = new Tape();
    tape.take([7, TUESDAY + 34_200_000, 10_855_000, 123_456, -1], row, units);
    expect(tape.update("1001")).toEqual({
      code: "1001",
      flat: [7, TUESDAY + 34_200_000, 10_855_000, 123_456, -1],
      texts: [["09:30:00", "1,085.50", "123k"]],
    });
  });

  it("keeps the newest trades, each once and in order, for any pushes and snapshots that follow each other", () => {
    const step = fc.record({ back: fc.nat(80), on: fc.nat(40) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const tape = new Tape();
        let done = 0;
        let oldest = Infinity;
        for (const { back, on } of steps) {
          const from = Math.max(1, done + 1 - back);
          const to = Math.max(from, done + on);
          expect(tape.take(trades(from, to), row, units)).toBe(false);
          done = Math.max(done, to);
          oldest = Math.min(oldest, from);
          oldest = Math.max(oldest, done + 1 - TAPE_SHOWN);
          expect(numbers(tape)).toEqual(range(oldest, done));
        }
      }),
    );
  });

  it("has no gaps: after a missed trade it restarts, and a snapshot fills in what was missed", () => {
    const tape = new Tape();
    tape.take(trades(1, 5), row, units);
    expect(tape.take(trades(9, 10), row, units)).toBe(true);
    expect(numbers(tape)).toEqual([9, 10]);
    expect(tape.take(trades(1, 11), row, units)).toBe(false);
    expect(numbers(tape)).toEqual(range(1, 11));
  });

  it("restarts on a new day", () => {
    const tape = new Tape();
    tape.take(trades(1, 5), row, units);
    expect(tape.take(trades(1, 2, TUESDAY + 86_400_000), row, units)).toBe(false);
    expect(numbers(tape)).toEqual([1, 2]);
  });
});
