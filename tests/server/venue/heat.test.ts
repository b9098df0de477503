/** Tests sector heat and index contributions against a recount of every quote, and that an index's parts add up to its move. */
import { afterAll, describe, expect, test } from "vitest";
import { CONTRIBUTORS, HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import type { Instrument } from "#contract/instrument.ts";
import { dayLimits } from "#contract/tick.ts";
import { contributionOf } from "#server/venue/market-data/index-contribution.ts";
import { Columns } from "#server/venue/market-data/quote-columns.ts";
import { heatOf } from "#server/venue/market-data/sector-heat.ts";
import type { MarketColumns } from "#server/venue/market-data/market-columns.ts";
import { shareGrowth } from "#server/venue/simulator/corporate-actions.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";

// The beginning of a minute: within one a share counts in an index with a part of its move only.
let now = Date.parse("2026-11-20T10:14:00+08:00");
const venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", now: () => now });
afterAll(() => venue.stop());

const { models, calendar } = marketOf(9, "taiwan");
const session = calendar.at(now).session;
/** Thousands of shares that a share of the table's is today: a few have had a capital increase since. */
function issuedOf({ row, issuedThousands }: Instrument): number {
  const since = (models[row]?.events ?? []).filter((event) => event.session > calendar.anchor && event.session <= session);
  return since.reduce((all, event) => all * shareGrowth(event), issuedThousands);
}
test("of some instruments the shares have changed", () => {
  expect(venue.instruments.some((one) => issuedOf(one) > one.issuedThousands)).toBe(true);
});

/** A row's change, and whether it is at a limit. */
function stateOf({ row, ...instrument }: Instrument): { change: number; limit: number; turnover: number } {
  const { last, reference, turnover } = venue.quote(row);
  const limits = dayLimits(instrument, reference);
  return { change: last / reference - 1, limit: limits && last >= limits.up ? 1 : limits && last <= limits.down ? -1 : 0, turnover };
}

describe("heat", () => {
  const flat = venue.heat();
  const heats = venue.categories.map((_, nth) => sectorHeatAt(flat, nth * HEAT_STRIDE));

  test("lists every category once, in order", () => {
    expect(flat.length).toBe(venue.categories.length * HEAT_STRIDE);
    expect(flat.every(Number.isInteger)).toBe(true);
    expect(heats.map(({ category }) => category)).toEqual(venue.categories.map((_, nth) => nth));
  });

  test("equals a recount of all quotes", () => {
    venue.categories.forEach(({ board, code, count }, nth) => {
      const states = venue.instruments.filter((one) => one.board === board && one.category === code).map(stateOf);
      const heat = heats[nth];
      expect(heat, `${board} ${code}`).toMatchObject({
        up: states.filter(({ change }) => change > 0).length,
        down: states.filter(({ change }) => change < 0).length,
        flat: states.filter(({ change }) => change === 0).length,
        limitUp: states.filter(({ limit }) => limit > 0).length,
        limitDown: states.filter(({ limit }) => limit < 0).length,
      });
      expect((heat?.up ?? 0) + (heat?.down ?? 0) + (heat?.flat ?? 0)).toBe(count);
      const turnover = states.reduce((sum, one) => sum + one.turnover, 0);
      expect(Math.abs((heat?.turnover ?? 0) - turnover)).toBeLessThanOrEqual(count);
    });
  });

  test("weights by market value, and equally where nothing is issued", () => {
    venue.categories.forEach(({ board, code }, nth) => {
      const members = venue.instruments.filter((one) => one.board === board && one.category === code);
      const sum = { now: 0, before: 0, parts: 0 };
      for (const one of members) {
        const { last, reference } = venue.quote(one.row);
        sum.now += last * issuedOf(one);
        sum.before += reference * issuedOf(one);
        sum.parts += last / reference - 1;
      }
      const change = sum.before > 0 ? sum.now / sum.before - 1 : sum.parts / members.length;
      expect(Math.abs((heats[nth]?.change ?? 0) - change * 10_000), `${board} ${code}`).toBeLessThan(0.51);
    });
    const index = venue.categories.findIndex(({ code }) => code === "index");
    expect(heats[index]).toMatchObject({ limitUp: 0, limitDown: 0 });
  });

  test("is computed again only after a second", () => {
    const first = venue.heat();
    now += 900;
    expect(venue.heat()).toBe(first);
    now += 100;
    expect(venue.heat()).not.toBe(first);
  });
});

const electronics = (industry: string): boolean => industry >= "24" && industry <= "31";

describe.each([
  ["IX0001", "listed", () => true],
  ["IX0043", "otc", () => true],
  ["IX0027", "listed", electronics],
  ["IX0039", "listed", (industry: string) => industry === "17"],
] as const)("the contribution to %s", (code, board, matches) => {
  const row = venue.instrument(code)?.row ?? 0;
  const contribution = venue.contribution(row);
  const { last, reference } = venue.quote(row);
  const members = venue.instruments.filter(
    (one) => one.kind === "stock" && one.listedDay === 0 && one.board === board && matches(one.category),
  );
  const value = members.reduce((sum, one) => sum + venue.quote(one.row).reference * issuedOf(one), 0);
  const parts = members.map((one) => {
    const quote = venue.quote(one.row);
    return { row: one.row, points: ((quote.last - quote.reference) * issuedOf(one) * reference) / value };
  });

  test("lists the largest of either side, in order", () => {
    const expected = parts.toSorted((a, b) => b.points - a.points);
    // Two that round to the same may come in either order.
    const rounded = (some: typeof parts): number[] => some.map(({ points }) => Math.round(points));
    const shown = (some: readonly (readonly number[])[] | undefined): (number | undefined)[] =>
      (some ?? []).map(([one, points]) => (rounded(parts.filter((part) => part.row === one))[0] === points ? points : Number.NaN));
    // On a bad day fewer than ten may have risen.
    const above = expected.filter(({ points }) => Math.round(points) > 0);
    const below = expected.filter(({ points }) => Math.round(points) < 0);
    expect(shown(contribution?.leaders)).toEqual(rounded(above.slice(0, CONTRIBUTORS)));
    expect(shown(contribution?.laggards)).toEqual(rounded(below.toReversed().slice(0, CONTRIBUTORS)));
  });

  test("adds up to the move of the index", () => {
    const listed = new Map([...(contribution?.leaders ?? []), ...(contribution?.laggards ?? [])]);
    const shown = [...listed.values()].reduce((sum, points) => sum + points, 0);
    const others = parts.filter((part) => !listed.has(part.row)).reduce((sum, { points }) => sum + points, 0);
    // Each listed part is rounded to a unit, the index and its reference to a hundredth of a point.
    expect(Math.abs(shown + others - (last - reference))).toBeLessThanOrEqual(listed.size / 2 + 100);
  });

  test("counts the breadth", () => {
    const states = members.map(stateOf);
    expect(contribution).toMatchObject({
      row,
      up: states.filter(({ change }) => change > 0).length,
      down: states.filter(({ change }) => change < 0).length,
      flat: states.filter(({ change }) => change === 0).length,
      limitUp: states.filter(({ limit }) => limit > 0).length,
      limitDown: states.filter(({ limit }) => limit < 0).length,
    });
  });
});

test("only an index has contributions", () => {
  for (const { row, kind } of venue.instruments) expect(venue.contribution(row) !== null, `row ${row}`).toBe(kind === "index");
  expect(venue.contribution(-1)).toBeNull();
});

describe("over plain columns", () => {
  // Row 0 is the index; 1 goes ex-dividend, 2 is at its limit, 3 has not traded, 4 has no price at all.
  const issued = [0, 10, 20, 30, 40];
  // The table's shares are of an earlier day.
  const instruments = issued.map((_, row) =>
    fakeInstrument(row, String(1000 + row), { issuedThousands: 7, category: row === 0 ? "index" : "24" }),
  );
  const columns = new Columns(5);
  columns.reference.set([10_000, 90, 100, 100, 0]);
  columns.last.set([10_000, 95, 110, 0, 0]);
  columns.turnover.set([0, 10_000, 20_000, 0, 0]);
  const market: MarketColumns = {
    instruments,
    categories: [{ board: "listed", code: "24", zh: "", zhCn: "", en: "", count: 4 }],
    columns,
    previous: (row) => (row === 1 ? 100 : (columns.reference[row] ?? 0)),
    issued: (row) => issued[row] ?? 0,
    limits: () => ({ up: 110, down: 90 }),
  };

  test("a dividend lowers the index although the share has risen", () => {
    expect(contributionOf(market, 0, [1, 2, 3, 4])).toEqual({
      row: 0,
      up: 2,
      down: 0,
      flat: 1,
      limitUp: 1,
      limitDown: 0,
      // Value before: 10 x 100 + 20 x 100 + 30 x 100, with the index at 10,000.
      leaders: [[2, Math.round((20 * 10 * 10_000) / 6_000)]],
      laggards: [[1, Math.round((10 * -5 * 10_000) / 6_000)]],
    });
  });

  test("an instrument without a price is not counted, one without a trade has not moved", () => {
    const heat = sectorHeatAt(heatOf(market, 0), 0);
    expect(heat).toEqual({
      category: 0,
      change: Math.round((250 / 5_900) * 10_000),
      up: 2,
      down: 0,
      flat: 1,
      limitUp: 1,
      limitDown: 0,
      turnover: 3_000,
    });
  });

  test("weights are equal where nothing is issued", () => {
    const free = { ...market, issued: () => 0 };
    expect(sectorHeatAt(heatOf(free, 0), 0).change).toBe(Math.round(((5 / 90 + 10 / 100 + 0) / 3) * 10_000));
    expect(contributionOf(free, 0, [1, 2, 3])).toMatchObject({ up: 2, leaders: [], laggards: [] });
  });
});
