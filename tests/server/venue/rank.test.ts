/** Tests rankings against a full sort of every quote, by board and by category, and the limit rankings. */
import { afterAll, describe, expect, test } from "vitest";
import { BOARDS } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { MAX_WATCHED, RANKINGS } from "#contract/quote.ts";
import type { Quote, Ranking, RankView } from "#contract/quote.ts";
import { Columns } from "#server/venue/market-data/quote-columns.ts";
import { Rank } from "#server/venue/market-data/ranking.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";

const AT = Date.parse("2026-11-20T10:14:30+08:00");
const venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", now: () => AT });
afterAll(() => venue.stop());

const view = (over: Partial<RankView>): RankView => ({ by: "gainers", board: null, category: null, size: 20, ...over });

const SCORES: Record<Exclude<Ranking, "limitUp" | "limitDown">, (quote: Quote) => number> = {
  gainers: ({ last, reference }) => last / reference,
  losers: ({ last, reference }) => -last / reference,
  volume: ({ volume }) => volume,
  turnover: ({ turnover }) => turnover,
  amplitude: ({ high, low, reference }) => (high - low) / reference,
};

/** All instruments of a ranking. */
const instrumentsOf = (board: RankView["board"], category: string | null): Instrument[] =>
  venue.instruments.filter(
    (one) =>
      (board === null ? one.tradable && one.kind !== "crypto" : one.board === board) && (category === null || one.category === category),
  );

describe.each(Object.entries(SCORES))("by %s", (by, score) => {
  test.each([null, ...BOARDS])("of board %s", (board) => {
    const rows = venue.rank(view({ by: by as Ranking, board, size: MAX_WATCHED }));
    const all = instrumentsOf(board, null).map(({ row }) => venue.quote(row));
    expect(rows.length).toBe(Math.min(MAX_WATCHED, all.length));
    expect(new Set(rows).size).toBe(rows.length);
    for (const row of rows) expect(instrumentsOf(board, null)).toContain(venue.instruments[row]);
    const expected = all.map(score).toSorted((a, b) => b - a);
    rows.forEach((row, nth) => expect(score(venue.quote(row)), `${by} ${board} ${nth}`).toBeCloseTo(expected[nth] ?? 0, 9));
  });

  test("of one category", () => {
    const rows = venue.rank(view({ by: by as Ranking, board: "listed", category: "17", size: 5 }));
    const expected = instrumentsOf("listed", "17").map(({ row }) => score(venue.quote(row)));
    expect(rows.map((row) => score(venue.quote(row)))).toEqual(expected.toSorted((a, b) => b - a).slice(0, 5));
  });
});

test("a category of all boards is ranked across the boards", () => {
  const rows = venue.rank(view({ category: "24", size: MAX_WATCHED }));
  expect(new Set(rows)).toEqual(new Set(instrumentsOf(null, "24").map(({ row }) => row)));
  expect(new Set(rows.map((row) => venue.instruments[row]?.board))).toEqual(new Set(["listed", "otc"]));
});

test.each(RANKINGS)("%s of an unknown category, or one the board does not have, is empty", (by) => {
  expect(venue.rank(view({ by, category: "constructor" }))).toEqual([]);
  expect(venue.rank(view({ by, board: "forex", category: "24" }))).toEqual([]);
  expect(venue.rank(view({ by, category: "crypto" }))).toEqual([]);
});

describe("over plain columns", () => {
  const instruments = [0, 1, 2, 3, 4].map((row) => fakeInstrument(row, String(1000 + row)));
  const columns = new Columns(5);
  const limits = (row: number): { up: number; down: number } => (row === 4 ? { up: 500, down: 0 } : { up: 110, down: 90 });
  const rank = new Rank({ instruments, categories: [], columns, previous: () => 100, issued: () => 1000, limits });
  columns.reference.set([100, 100, 100, 100, 100]);
  columns.last.set([110, 90, 110, 0, 111]);
  columns.turnover.set([5, 7, 9, 100, 100]);

  test("limit rankings list instruments at their limit, the highest turnover first", () => {
    expect(rank.first(view({ by: "limitUp" }), 0)).toEqual([2, 0]);
    expect(rank.first(view({ by: "limitDown" }), 0)).toEqual([1]);
  });

  test("an instrument without a trade has not moved, and ties stay in row order", () => {
    expect(rank.first(view({ by: "gainers" }), 0)).toEqual([4, 0, 2, 3, 1]);
    expect(rank.first(view({ by: "losers" }), 0)).toEqual([1, 3, 0, 2, 4]);
  });

  test("a result is cached for most of a second, for any requested size", () => {
    expect(rank.first(view({ by: "turnover", size: 2 }), 5_000)).toEqual([3, 4]);
    columns.turnover[0] = 1_000;
    expect(rank.first(view({ by: "turnover", size: 1 }), 5_900)).toEqual([3]);
    expect(rank.first(view({ by: "turnover", size: 3 }), 6_000)).toEqual([0, 3, 4]);
  });
});
