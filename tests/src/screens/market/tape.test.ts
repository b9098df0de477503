// @vitest-environment happy-dom
/** Tests the tape's rows: newest on top, each trade once, rows reused and never more than given. */
import { beforeEach, describe, expect, it } from "vitest";
import { writeTape } from "#src/screens/market/tape-rows.ts";

const words = { up: "Buy", down: "Sell", flat: "Auction" };
const SIDES = [0, 1, -1] as const;

/** Trades numbered `from` to `to`. */
function tapeOf(from: number, to: number) {
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return {
    flat: numbers.flatMap((n) => [n, 0, 100_0000 + n, n, SIDES[n % 3] ?? 0]),
    texts: numbers.map((n): [string, string, string] => [`t${n}`, `p${n}`, `l${n}`]),
  };
}

let body: HTMLElement;
beforeEach(() => {
  body = document.createElement("tbody");
});
const rows = (): HTMLElement[] => [...body.children].map((row) => row as HTMLElement);
const times = (): (string | null)[] => rows().map((row) => row.children[0]?.textContent ?? null);

describe("writeTape", () => {
  it("shows the newest on top, with its side as text and as a direction", () => {
    expect(writeTape(body, tapeOf(1, 3), words, 0)).toBe(3);
    expect(times()).toEqual(["t3", "t2", "t1"]);
    expect(rows().map((row) => [row.dataset["d"], row.children[3]?.textContent])).toEqual([
      ["flat", "Auction"],
      ["down", "Sell"],
      ["up", "Buy"],
    ]);
  });

  it("adds only new trades, reusing the rows that fall off the end", () => {
    let shown = writeTape(body, tapeOf(1, 50), words, 0);
    const before = new Set(rows());
    const third = rows()[2];
    shown = writeTape(body, tapeOf(4, 53), words, shown);
    expect(shown).toBe(53);
    expect(rows()).toHaveLength(50);
    expect(times().slice(0, 4)).toEqual(["t53", "t52", "t51", "t50"]);
    expect(times().at(-1)).toBe("t4");
    expect(rows().every((row) => before.has(row))).toBe(true);
    expect(rows()[5]).toBe(third);
  });

  it("writes nothing when nothing is new, and everything after a gap", () => {
    const shown = writeTape(body, tapeOf(1, 5), words, 0);
    rows()[0]?.setAttribute("data-mine", "");
    expect(writeTape(body, tapeOf(1, 5), words, shown)).toBe(5);
    expect(rows()[0]?.hasAttribute("data-mine")).toBe(true);
    writeTape(body, tapeOf(101, 105), words, shown);
    expect(times()).toEqual(["t105", "t104", "t103", "t102", "t101"]);
  });

  it("marks trades of at least a number of lots, on reused rows too", () => {
    const shown = writeTape(body, tapeOf(1, 3), words, 0, 3);
    expect(rows().map((row) => row.hasAttribute("data-big"))).toEqual([true, false, false]);
    writeTape(body, tapeOf(2, 4), words, shown, 4);
    expect(rows().map((row) => row.hasAttribute("data-big"))).toEqual([true, true, false]);
    writeTape(body, tapeOf(3, 5), words, 4, 100);
    expect(rows()[0]?.hasAttribute("data-big")).toBe(false);
  });

  it("starts again with a new day", () => {
    const shown = writeTape(body, tapeOf(900, 949), words, 0);
    expect(writeTape(body, tapeOf(1, 2), words, shown)).toBe(2);
    expect(times()).toEqual(["t2", "t1"]);
    expect(writeTape(body, tapeOf(1, 0), words, 2)).toBe(0);
    expect(times()).toEqual([]);
  });
});
