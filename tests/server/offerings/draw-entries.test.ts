/** Tests the columns of a published list: they give back what was added, and a draw from them is the one from the plain entries. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { drawSlices, runSlices } from "#contract/draw.ts";
import type { DrawEntries, DrawEntry } from "#contract/draw.ts";
import { DrawColumns } from "#server/offerings/draw-entries.ts";

const PAGE = 5;
const entriesOf = (count: number): DrawEntry[] =>
  Array.from({ length: count }, (_, nth) => ({ receipt: createHash("sha256").update(`${nth}`).digest("hex"), lots: 1 + ((nth * 7) % 11) }));

function columnsOf(entries: readonly DrawEntry[]): DrawColumns {
  const columns = new DrawColumns(PAGE);
  for (let at = 0; at <= entries.length; at += PAGE) columns.add(entries.slice(at, at + PAGE));
  return columns;
}

describe.each([0, 1, PAGE - 1, PAGE, PAGE + 1, 4 * PAGE, 23])("a list of %i", (count) => {
  const entries = entriesOf(count);
  const columns = columnsOf(entries);

  it("gives back each entry in its place, and the sum of the lots", () => {
    expect(columns.length).toBe(count);
    expect(Array.from({ length: count }, (_, at) => columns.at(at))).toEqual(entries);
    for (const beyond of [-1, count, count + PAGE]) expect(columns.at(beyond)).toBeUndefined();
    expect(columns.lots).toBe(entries.reduce((sum, { lots }) => sum + lots, 0));
  });

  it.each(["share", "placement"] as const)("is drawn as its plain entries are: %s", (kind) => {
    const drawn = (list: DrawEntries) =>
      runSlices(drawSlices({ offeringNo: "S1", kind, lots: 9, crowdKey: "key", crowdLots: 12, entries: list }, "secret"));
    expect(drawn(columns)).toEqual(drawn(entries));
  });
});

it("takes no text that is no receipt, and no page behind one that is not full", () => {
  const [first] = entriesOf(1);
  if (!first) throw new Error("no entry");
  for (const receipt of ["", first.receipt.slice(2), `${first.receipt}00`, `${first.receipt.slice(2)}zz`])
    expect(() => new DrawColumns(PAGE).add([{ ...first, receipt }])).toThrow("no receipt");
  const short = columnsOf(entriesOf(PAGE + 1));
  expect(() => short.add([first])).toThrow(RangeError);
  expect(() => new DrawColumns(PAGE).add(entriesOf(PAGE + 1))).toThrow(RangeError);
});
