/** The book of waiting alerts: whatever is put, removed and looked at, what comes out is what a search through all would find. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALERT_KINDS, alertDue } from "#contract/alert.ts";
import { AlertRegistry } from "#server/alerts/alert-index.ts";
import type { WaitingAlert } from "#server/alerts/alert-index.ts";

/** Small numbers, so that levels are met, passed and shared. */
const alert = fc.record({
  id: fc.integer({ min: 0, max: 40 }).map(String),
  memberId: fc.integer({ min: 1, max: 3 }),
  row: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom(...ALERT_KINDS),
  level: fc.integer({ min: 1, max: 12 }),
});
const sight = fc.record({ last: fc.nat(12), reference: fc.nat(12), volume: fc.nat(12) });
const step = fc.oneof(
  alert.map((put) => ({ put })),
  alert.map((remove) => ({ remove })),
  fc.record({ row: fc.integer({ min: 0, max: 2 }), sight }),
);

const same = (a: Pick<WaitingAlert, "id" | "memberId">, b: Pick<WaitingAlert, "id" | "memberId">): boolean =>
  a.id === b.id && a.memberId === b.memberId;
const nameOf = ({ memberId, id }: WaitingAlert): string => `${memberId} ${id}`;

describe("a book of alerts", () => {
  it("gives out each alert once, in the moment that is its own", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const book = new AlertRegistry();
        let all: WaitingAlert[] = [];
        for (const one of steps) {
          if ("put" in one) {
            book.put(one.put);
            if (!all.some((known) => same(known, one.put))) all.push(one.put);
          } else if ("remove" in one) {
            book.remove(one.remove.memberId, one.remove.id);
            all = all.filter((known) => !same(known, one.remove));
          } else {
            const due = all.filter((known) => known.row === one.row && alertDue(known, one.sight));
            all = all.filter((known) => !due.includes(known));
            expect(
              book
                .takeDue(one.row, () => one.sight)
                .map(nameOf)
                .toSorted(),
            ).toEqual(due.map(nameOf).toSorted());
          }
          expect(book.size).toBe(all.length);
          expect(new Set(book.rows())).toEqual(new Set(all.map(({ row }) => row)));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("gives out the nearest level first, and of one level the older first", () => {
    const book = new AlertRegistry();
    const put = (id: string, kind: WaitingAlert["kind"], level: number): void => book.put({ id, memberId: 1, row: 0, kind, level });
    put("b", "above", 20);
    put("a", "above", 10);
    put("c", "above", 20);
    put("z", "below", 10);
    put("y", "below", 100);
    const out = book.takeDue(0, () => ({ last: 20, reference: 0, volume: 0 }));
    expect(out.map(({ id }) => id)).toEqual(["a", "b", "c", "y"]);
    expect(book.watches(0)).toBe(true);
    book.remove(1, "z");
    expect([book.watches(0), book.size]).toEqual([false, 0]);
  });
});
