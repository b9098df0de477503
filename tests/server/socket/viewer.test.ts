/** Conflation: a connection that cannot take more gets the newest value later, never a queue; and the count never shows it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { View } from "#contract/kernel/push.ts";
import { Viewer } from "#server/socket/viewer.ts";
import type { Table } from "#server/socket/viewer.ts";

const view = (rows: number[]): View => ({ rows, ranks: [], depth: 0, beatMs: 100, all: false });

function stand(rows: number[]) {
  const values = new Map<number, number>();
  const table: Table = {
    text: (row) => `${row}:${values.get(row) ?? 0}`,
    depth: (row) => ({ row, seq: values.get(row) ?? 0, at: 0 as never, bids: [], asks: [] }),
  };
  const written: string[] = [];
  const state = { writable: true };
  const viewer = new Viewer({
    writable: () => state.writable,
    quotes: (numbers) => void written.push(numbers),
    ranks: () => undefined,
    depth: (depth) => void written.push(`depth ${depth.seq}`),
  });
  viewer.show(view(rows), [], 0);
  const move = (row: number): void => {
    values.set(row, (values.get(row) ?? 0) + 1);
    viewer.changed(row);
  };
  return { viewer, table, written, state, move, values };
}

describe("a slow connection", () => {
  it("hears the newest value of each row once it can, and each row once", () => {
    const { viewer, table, written, state, move } = stand([1, 2]);
    state.writable = false;
    for (let turn = 1; turn <= 1_000; turn += 1) {
      move(1);
      move(3);
      viewer.turn(table, turn * 100, 100, 450);
    }
    expect(written).toEqual([]);
    state.writable = true;
    viewer.turn(table, 200_000, 100, 450);
    expect(written).toEqual(["1,200000,1:1000"]);
  });

  it("hears the newest depth once", () => {
    const { viewer, table, written, state, move } = stand([]);
    state.writable = false;
    for (let turn = 1; turn <= 10; turn += 1) move(0);
    viewer.turn(table, 100, 100, 450);
    state.writable = true;
    viewer.turn(table, 200, 100, 450);
    viewer.turn(table, 300, 100, 450);
    expect(written).toEqual(["depth 10"]);
  });

  it("never holds more than what it watches, ends up with the newest of everything, and counts 1, 2, 3 …", () => {
    const step = fc.oneof(
      fc.record({ move: fc.nat({ max: 9 }) }),
      fc.record({ writable: fc.boolean() }),
      fc.constant({ turn: true as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { viewer, table, written, state, move, values } = stand([1, 2, 3, 4]);
        const client = new Map<number, number>();
        let now = 0;
        const turn = (): void => viewer.turn(table, (now += 100), 100, 450);
        for (const step of steps) {
          if ("move" in step) move(step.move);
          else if ("writable" in step) state.writable = step.writable;
          else turn();
          expect(viewer.pending.size).toBeLessThanOrEqual(4);
        }
        state.writable = true;
        turn();
        const batches = written.filter((text) => !text.startsWith("depth")).map((text) => text.split(","));
        expect(batches.map(([n]) => Number(n))).toEqual(batches.map((_, at) => at + 1));
        for (const [row, value] of batches.flatMap((batch) => batch.slice(2)).map((text) => text.split(":").map(Number))) {
          client.set(row ?? 0, value ?? 0);
        }
        for (const row of [1, 2, 3, 4]) expect(client.get(row) ?? 0).toBe(values.get(row) ?? 0);
      }),
    );
  });
});
