/** Tests the queue at one price against a slow, obvious reference that keeps every lot in a line. */
import { describe, expect, it } from "vitest";
import { cancelAhead, insert, lotsBefore, putInOrder, takeAhead, trade, tradeThrough } from "#server/trading/sequencer/queue-level.ts";
import type { Place } from "#server/trading/sequencer/queue-level.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";

const RUNS = Number(process.env["PROPERTY_RUNS"] ?? 300);

/** A line of single lots, the first one first: `""` is the market's, otherwise an order's number. */
type Line = string[];

/** Lets lots of a trade leave the front of a line; counts what each order got. */
function leave(line: Line, lots: number, got: Map<string, number>): void {
  for (let left = lots; left > 0 && line.length > 0; left -= 1) {
    const orderNo = line.shift() ?? "";
    if (orderNo !== "") got.set(orderNo, (got.get(orderNo) ?? 0) + 1);
  }
}

const lotsInFront = (line: Line, orderNo: string): number => line.indexOf(orderNo);
const placeOf = (orderNo: string, lots: number, ahead: number): Place => ({ orderNo, timePriority: orderNo, lots, ahead, due: 0 });

describe("a queue", () => {
  it("serves every order exactly as a line of single lots does, and never before its turn", () => {
    for (let run = 0; run < RUNS; run += 1) {
      const draw = (nth: number, below: number): number => Math.floor(unit(mix(mix(run, nth), 7)) * below);
      const line: Line = Array.from({ length: draw(0, 60) }, () => "");
      const queue: Place[] = [];
      const got = new Map<string, number>();
      let traded = 0;
      let made = 0;
      for (let step = 1; step <= 40; step += 1) {
        const what = draw(step * 3, 4);
        if (what === 0) {
          const orderNo = `K${String((made += 1)).padStart(3, "0")}`;
          const lots = 1 + draw(step * 3 + 1, 9);
          insert(queue, placeOf(orderNo, lots, line.filter((lot) => lot === "").length));
          line.push(...Array.from({ length: lots }, () => orderNo));
        } else if (what === 1) {
          // New lots of the market stand behind everybody who is there.
          line.push(...Array.from({ length: draw(step * 3 + 1, 12) }, () => ""));
        } else {
          const before = line.length;
          const lots = draw(step * 3 + 1, 25);
          leave(line, lots, got);
          const dueBefore = queue.reduce((sum, { due }) => sum + due, 0);
          const served = trade(queue, Math.min(lots, before));
          expect(queue.reduce((sum, { due }) => sum + due, 0) - dueBefore).toBe(served);
          traded += served;
        }
        for (const place of queue) {
          expect(place.due, `run ${run}, step ${step}, ${place.orderNo}`).toBe(got.get(place.orderNo) ?? 0);
          if (place.due < place.lots) expect(lotsBefore(queue, place.orderNo)).toBe(lotsInFront(line, place.orderNo));
        }
      }
      expect([...got.values()].reduce((sum, lots) => sum + lots, 0)).toBe(traded);
    }
  });

  it("is run down by a trade at a worse price like by one at its own, as far as its lots reach", () => {
    const queue = [placeOf("K1", 3, 20), placeOf("K2", 3, 25)];
    const places = (): unknown => queue.map(({ due, ahead }) => [due, ahead]);
    expect([tradeThrough(queue, 2, 40), places()]).toEqual([
      2,
      [
        [0, 18],
        [0, 23],
      ],
    ]);
    expect([tradeThrough(queue, 20, 38), places()]).toEqual([
      20,
      [
        [2, 0],
        [0, 5],
      ],
    ]);
    // What stands behind the members ends the trade too; the rest of it reaches a worse price.
    expect([tradeThrough(queue, 100, 20), places()]).toEqual([
      24,
      [
        [3, 0],
        [3, 0],
      ],
    ]);
  });

  it("shortens when members take lots from its front", () => {
    const queue = [placeOf("K1", 3, 20), placeOf("K2", 3, 25)];
    takeAhead(queue, 22);
    expect(queue.map(({ ahead }) => ahead)).toEqual([0, 3]);
    expect(lotsBefore(queue, "K2")).toBe(6);
  });

  it("loses a part to cancellations, half of what vanishes untraded, and has never more ahead than is displayed", () => {
    const change = { before: 100, now: 100, traded: 0, elapsedMs: 5_000, isLocked: false };
    const one = [placeOf("K1", 1, 96)];
    cancelAhead(one, change);
    expect(one[0]?.ahead).toBeCloseTo(96 * Math.exp(-5 / 240), 9);
    const shrunk = [placeOf("K1", 1, 50)];
    cancelAhead(shrunk, { ...change, now: 60, elapsedMs: 0 });
    expect(shrunk[0]?.ahead).toBeCloseTo(50 * 0.8, 9);
    const traded = [placeOf("K1", 1, 50)];
    cancelAhead(traded, { ...change, now: 60, traded: 40, elapsedMs: 0 });
    expect(traded[0]?.ahead).toBe(50);
    const gone = [placeOf("K1", 1, 50)];
    cancelAhead(gone, { ...change, now: 7, traded: 93, elapsedMs: 0 });
    expect(gone[0]?.ahead).toBe(7);
  });

  it("is shortened by nothing but trades while the price is locked", () => {
    const queue = [placeOf("K1", 1, 5_000)];
    cancelAhead(queue, { before: 6_000, now: 5_500, traded: 0, elapsedMs: 60_000, isLocked: true });
    expect(queue[0]?.ahead).toBe(5_000);
    trade(queue, 400);
    expect(queue[0]?.ahead).toBe(4_600);
  });

  it("knows no place until the market's lots are known", () => {
    const queue: Place[] = [{ ...placeOf("K1", 2, 0), ahead: null }];
    expect([lotsBefore(queue, "K1"), lotsBefore(queue, "K2"), trade(queue, 500)]).toEqual([null, null, 0]);
  });
});

it("leaves nobody behind more of the market than those who came later", () => {
  const queue = [placeOf("1", 5, 300), placeOf("2", 5, 40), { ...placeOf("3", 5, 0), ahead: null }, placeOf("4", 5, 60)];
  putInOrder(queue);
  expect(queue.map(({ ahead }) => ahead)).toEqual([40, 40, null, 60]);
});
