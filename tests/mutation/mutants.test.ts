/** Tests which mutants are found, and that the instrumented text runs like the original until one is on. */
import { runInNewContext } from "node:vm";
import { transformWithOxc } from "vite";
import { describe, expect, it } from "vitest";
import { code } from "#tests/support/tree.ts";
import { SWITCH, describeMutant, findMutants, instrument } from "./mutants.ts";

/** Every mutant of a text, as `original -> mutant`. */
const mutantsOf = (text: string): string[] =>
  findMutants("a.ts", text).map((mutant) => describeMutant("a.ts", text, mutant).replace(/^a\.ts:\d+: /, ""));

describe("mutants", () => {
  it.each([
    ["const a = b >= c;", ["b >= c -> b > c", "b >= c -> b < c"]],
    ["const a = b - c * d;", ["b - c * d -> b + c * d", "c * d -> c / d"]],
    ["const a = b === c || !d;", ["b === c || !d -> b === c && !d", "b === c -> b !== c", "!d -> d"]],
    ["const a = b ?? 10;", ["b ?? 10 -> b", "10 -> 11"]],
    ["const a = [true, 1_000, 20n];", ["true -> false", "1_000 -> 10000", "20n -> 200n"]],
    ["const a = Math.max(b, c.every(d));", ["Math.max(b, c.every(d)) -> Math.min(b, c.every(d))", "c.every(d) -> c.some(d)"]],
    ["a += b;", ["a += b; -> (removed)", "a += b -> a -= b"]],
    ["if (a(b)) throw new Error();", ["if (a(b)) throw new Error(); -> (removed)", "a(b) -> !(a(b))"]],
    ["await a.write(b);", ["await a.write(b); -> (removed)"]],
  ])("of %s", (text, expected) => expect(mutantsOf(text)).toEqual(expected));

  it.each([
    "const a = `${b}` + 'c';",
    'import a from "a" with { type: "json" };',
    "type A = 1 | 2; interface B { c: 3 }",
    "const a = { 1: b };",
    "class A extends B { constructor() { super(); } }",
  ])("are none of %s", (text) => expect(mutantsOf(text)).toEqual([]));
});

describe("the instrumented text", () => {
  const text = `let sum = 0;
for (const n of [1, 2, 3]) {
  if (n > 2) continue;
  sum += n;
}
return sum;`;
  const body = `(function () { ${text} })`;
  const mutants = findMutants("a.ts", body);
  const run = (on: number): unknown =>
    (runInNewContext(instrument(body, mutants, 0), { [SWITCH]: (mutant: number) => mutant === on }) as () => unknown)();
  const numberOf = (described: string): number => mutants.findIndex((mutant) => describeMutant("a.ts", body, mutant).endsWith(described));

  it("does what the original does while no mutant is on", () => expect(run(-1)).toBe(3));

  it.each([
    ["n > 2 -> n >= 2", 1],
    ["n > 2 -> n <= 2", 3],
    ["if (n > 2) continue; -> (removed)", 6],
    ["sum += n -> sum -= n", -3],
    ["sum += n; -> (removed)", 0],
    ["0 -> 1", 4],
  ])("does otherwise with %s", (described, result) => expect(run(numberOf(described))).toBe(result));

  it("is valid for every source file", async () => {
    for (const { path, text: source } of code.filter((file) => /^(?:contract|workers|server\/(?:trading|ledger))\/.*\.ts$/.test(file.path)))
      await transformWithOxc(instrument(source, findMutants(path, source), 0), path);
  });
});
