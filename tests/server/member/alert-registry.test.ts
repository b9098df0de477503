/** Tests the alert registry against a model: takeDue returns exactly what a search through all alerts finds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALERT_KINDS, alertDue } from "#contract/alert.ts";
import { AlertRegistry } from "#server/alerts/alert-registry.ts";
import type { WaitingAlert } from "#server/alerts/alert-registry.ts";

/** Small numbers, so that levels are reached, passed and shared. */
const alert = fc.record({
  id: fc.integer({ min: 0, max: 40 }).map(String),
  memberId: fc.integer({ min: 1, max: 3 }),
  row: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom(...ALERT_KINDS),
  level: fc.integer({ min: 1, max: 12 }),
});
const priceRange = fc.record({ last: fc.nat(12), reference: fc.nat(12), volume: fc.nat(12) });
const step = fc.oneof(
  alert.map((put) => ({ put })),
  alert.map((remove) => ({ remove })),
  fc.record({ row: fc.integer({ min: 0, max: 2 }), priceRange }),
);

const same = (a: Pick<WaitingAlert, "id" | "memberId">, b: Pick<WaitingAlert, "id" | "memberId">): boolean =>
  a.id === b.id && a.memberId === b.memberId;
const nameOf = ({ memberId, id }: WaitingAlert): string => `${memberId} ${id}`;

describe("the alert registry", () => {
  it("returns each alert once, when it is due", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const registry = new AlertRegistry();
        let all: WaitingAlert[] = [];
        for (const one of steps) {
          if ("put" in one) {
            registry.put(one.put);
            if (!all.some((known) => same(known, one.put))) all.push(one.put);
          } else if ("remove" in one) {
            registry.remove(one.remove.memberId, one.remove.id);
            all = all.filter((known) => !same(known, one.remove));
          } else {
            const due = all.filter((known) => known.row === one.row && alertDue(known, one.priceRange));
            all = all.filter((known) => !due.includes(known));
            expect(
              registry
                .takeDue(one.row, () => one.priceRange)
                .map(nameOf)
                .toSorted(),
            ).toEqual(due.map(nameOf).toSorted());
          }
          expect(registry.size).toBe(all.length);
          expect(new Set(registry.rows())).toEqual(new Set(all.map(({ row }) => row)));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("returns the nearest level first, and the older of one level first", () => {
    const registry = new AlertRegistry();
    const put = (id: string, kind: WaitingAlert["kind"], level: number): void => registry.put({ id, memberId: 1, row: 0, kind, level });
    put("b", "above", 20);
    put("a", "above", 10);
    put("c", "above", 20);
    put("z", "below", 10);
    put("y", "below", 100);
    const out = registry.takeDue(0, () => ({ last: 20, reference: 0, volume: 0 }));
    expect(out.map(({ id }) => id)).toEqual(["a", "b", "c", "y"]);
    expect(registry.watches(0)).toBe(true);
    registry.remove(1, "z");
    expect([registry.watches(0), registry.size]).toEqual([false, 0]);
  });
});
