/** Tests the reading of the instrument table: which table continues the one before, and that none is missed while one is read. */
import { expect, it, vi } from "vitest";
import { epochMs } from "#contract/kernel/time.ts";
import { InstrumentTableReader, marketOf } from "#workers/table/instrument-table.ts";
import type { InstrumentTable } from "#workers/protocol.ts";
import { flat, instrument, quote } from "./sample.ts";

const at = epochMs(0);
const tableOf = (universe: string, rows: number): InstrumentTable => ({
  venue: { universe, phase: "open", phaseEndsAt: null, opensAt: at, closesAt: at, simulated: true },
  categories: [],
  instruments: Array.from({ length: rows }, (_, row) => instrument(row)),
});

it("keeps the quotes of a table that grew, and of no other", () => {
  const before = marketOf(tableOf("a-5+1", 3));
  before.table.apply(flat(quote(2)), 0);
  const after = marketOf(tableOf("a-5+2", 4), before.table);
  expect(after.table.flat(2)).toEqual(flat(quote(2)));
  expect([after.table.isMarked(2), after.table.isMarked(3)]).toEqual([true, false]);
  expect(after.table.apply(flat(quote(3)), 0)).toBe(1);
  expect(marketOf(tableOf("b-5+2", 4)).table.get(2, 2)).toBe(0);
});

it("tells growth from another market, and reads again what changed while it was read", async () => {
  const served = ["a-5+1", "a-5+2", "b-5+9", "b-5.x+9", "b-5.x+8", "b-5.x+12"];
  const reads: (() => void)[] = [];
  const listed: [string, number, boolean][] = [];
  const read = (): Promise<InstrumentTable> =>
    new Promise((answer) => reads.push(() => answer(tableOf(served[0] ?? "", 3 + Number(served.shift()?.split("+")[1])))));
  const reader = new InstrumentTableReader(read, {
    listed: (table, grown) => listed.push([table.venue.universe, table.instruments.length, grown]),
    phased: () => undefined,
    expired: () => undefined,
  });
  const answerNext = async (): Promise<void> => {
    const { length } = listed;
    reads.shift()?.();
    await vi.waitFor(() => expect(listed.length).toBe(length + 1));
  };
  reader.begin();
  await answerNext();
  for (const universe of ["a-5+2", "b-5+9", "b-5.x+9"]) {
    reader.universe(universe);
    reader.universe(universe);
    expect(reads.length).toBe(1);
    await answerNext();
  }
  reader.universe("b-5.x+8");
  reader.universe("b-5.x+12");
  expect(reads.length).toBe(1);
  await answerNext();
  await vi.waitFor(() => expect(reads.length).toBe(1));
  await answerNext();
  expect(listed).toEqual([
    ["a-5+1", 4, false],
    ["a-5+2", 5, true],
    ["b-5+9", 12, false],
    ["b-5.x+9", 12, false],
    ["b-5.x+8", 11, false],
    ["b-5.x+12", 15, true],
  ]);
  expect(reads).toEqual([]);
});
