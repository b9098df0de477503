/** Tests the draw: repeatable from what is published, even, changed by nothing but the list and the secret, and exact in a placement. */
import { createHash, createHmac } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crowdHashOf, drawSlices, hashOf, runSlices, verifyDraw } from "#contract/draw.ts";
import type { DrawEntry, DrawList, PublishedDraw } from "#contract/draw.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const entriesOf = (count: number, lots: (nth: number) => number = () => 1): DrawEntry[] =>
  Array.from({ length: count }, (_, nth) => ({ receipt: sha256(`entry ${nth}`), lots: lots(nth) })).toSorted((a, b) =>
    a.receipt < b.receipt ? -1 : 1,
  );
interface PlainList extends DrawList {
  entries: readonly DrawEntry[];
}
const listOf = (over: Partial<PlainList> = {}): PlainList => ({
  offeringNo: "S1",
  kind: "share",
  lots: 3,
  crowdKey: "key",
  crowdLots: 5,
  entries: entriesOf(7),
  ...over,
});
const draw = (list: DrawList, secret = "secret") => {
  const result = runSlices(drawSlices(list, secret));
  return { ...result, wonLots: [...result.wonLots] };
};
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The same draw, written as plainly as possible with other tools. */
function plainLottery({ offeringNo, kind, lots, crowdKey, crowdLots, entries }: PlainList, secret: string): Set<number> {
  const text = [
    `${offeringNo}:${kind}:${lots}:${crowdKey}:${crowdLots}`,
    ...entries.map(({ receipt, lots: asked }) => `${receipt}:${asked}`),
  ].join("\n");
  const listHash = sha256(text);
  const numbers = Array.from({ length: crowdLots + entries.length }, (_, nth) => nth);
  for (let at = 0; at < Math.min(lots, numbers.length); at += 1) {
    const range = numbers.length - at;
    for (let attempt = 0; ; attempt += 1) {
      const bytes = createHmac("sha256", secret).update(`${listHash}:${at}:${attempt}`).digest();
      const number = bytes.readUIntBE(0, 6);
      if (number >= 2 ** 48 - (2 ** 48 % range)) continue;
      const other = at + (number % range);
      [numbers[at], numbers[other]] = [numbers[other] ?? 0, numbers[at] ?? 0];
      break;
    }
  }
  return new Set(numbers.slice(0, lots));
}

describe("a lottery", () => {
  it("draws as the plain Fisher–Yates shuffle does", () => {
    for (const [crowdLots, members, lots] of [
      [0, 1, 1],
      [5, 7, 3],
      [200, 50, 60],
      [0, 40, 40],
      [3, 2, 90],
    ] as const) {
      const list = listOf({ crowdLots, lots, entries: entriesOf(members) });
      const chosen = plainLottery(list, "a secret");
      const { wonLots, crowdWon } = draw(list, "a secret");
      expect(wonLots).toEqual(list.entries.map((_, nth) => (chosen.has(crowdLots + nth) ? 1 : 0)));
      expect(crowdWon + sum(wonLots)).toBe(Math.min(lots, crowdLots + members));
    }
  });

  it("draws no number where there are lots for everybody", () => {
    const slices = (lots: number): number => {
      let count = 0;
      const work = drawSlices(listOf({ crowdLots: 2_000, lots }), "secret");
      while (!work.next().done) count += 1;
      return count;
    };
    expect(slices(2_006)).toBeGreaterThan(50);
    expect(slices(2_007)).toBeLessThan(5);
  });

  it("gives every place the same chance over many secrets", () => {
    const list = listOf({ crowdLots: 4, entries: entriesOf(6), lots: 3 });
    const wins = list.entries.map(() => 0);
    const runs = 6_000;
    for (let run = 0; run < runs; run += 1)
      for (const [nth, won] of draw(list, `secret ${run}`).wonLots.entries()) wins[nth] = (wins[nth] ?? 0) + won;
    const expected = (runs * 3) / 10;
    const variance = expected * (1 - 3 / 10);
    const chiSquared = sum(wins.map((won) => (won - expected) ** 2 / variance));
    // 6 degrees of freedom at one in a hundred thousand; the secrets are fixed, so it never flickers.
    expect(chiSquared).toBeLessThan(33);
  });

  it("changes with an application, with the secret and with nothing else", () => {
    const list = listOf({ lots: 20, crowdLots: 100, entries: entriesOf(100) });
    const first = draw(list);
    expect(draw({ ...list, entries: list.entries.map((entry) => ({ ...entry })) })).toEqual(first);
    expect(draw(list, "other").resultHash).not.toBe(first.resultHash);
    const without = { ...list, entries: list.entries.slice(1) };
    expect(draw(without).wonLots).not.toEqual(first.wonLots.slice(1));
  });
});

/** The same placement in exact fractions, one lot after the other; ties are left open. */
function slowProRata(asked: readonly number[], lots: number): { least: number[]; remainders: bigint[]; left: number } {
  const total = BigInt(sum(asked));
  const least = asked.map((one) => Number((BigInt(one) * BigInt(lots)) / total));
  const remainders = asked.map((one) => (BigInt(one) * BigInt(lots)) % total);
  return { least, remainders, left: lots - sum(least) };
}

describe("a placement", () => {
  it("gives all that was asked for where there is enough", () => {
    const list = listOf({ kind: "placement", lots: 100, crowdLots: 40, entries: entriesOf(10, (nth) => nth + 1) });
    expect(draw(list)).toMatchObject({ wonLots: list.entries.map(({ lots }) => lots), crowdWon: 40 });
  });

  it("is pro rata with the largest remainders first, and sums exactly", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 1, max: 2_000 }),
        (sizes, crowdLots, lots) => {
          const entries = entriesOf(sizes.length, (nth) => sizes[nth] ?? 1);
          const { wonLots, crowdWon } = draw(listOf({ kind: "placement", lots, crowdLots, entries }));
          const asked = [crowdLots, ...entries.map((entry) => entry.lots)];
          const won = [crowdWon, ...wonLots];
          expect(sum(won)).toBe(Math.min(lots, sum(asked)));
          if (sum(asked) <= lots) return;
          const { least, remainders, left } = slowProRata(asked, lots);
          const extra = won.map((one, nth) => one - (least[nth] ?? 0));
          expect(extra.every((one) => one === 0 || one === 1)).toBe(true);
          expect(sum(extra)).toBe(left);
          const got = remainders.filter((_, nth) => extra[nth] === 1);
          const missed = remainders.filter((_, nth) => extra[nth] === 0);
          const lowest = got.toSorted((a, b) => (a < b ? -1 : 1))[0];
          for (const remainder of missed) if (lowest !== undefined) expect(remainder <= lowest).toBe(true);
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });

  it("breaks ties by the draw, not by the order of the list", () => {
    const list = listOf({ kind: "placement", lots: 5, crowdLots: 0, entries: entriesOf(10) });
    const firsts = Array.from({ length: 200 }, (_, run) => draw(list, `secret ${run}`).wonLots[0] ?? 0);
    expect(sum(firsts)).toBeGreaterThan(70);
    expect(sum(firsts)).toBeLessThan(130);
  });
});

describe("checking a draw", () => {
  const list = listOf({ lots: 4, crowdLots: 9, entries: entriesOf(12) });
  const { wonLots, crowdWon, listHash, resultHash } = draw(list);
  const published: PublishedDraw = {
    offeringNo: list.offeringNo,
    kind: list.kind,
    lots: list.lots,
    secretHash: sha256("secret"),
    crowdHash: crowdHashOf("key", 9),
    crowdKey: "key",
    crowdLots: 9,
    listHash,
    secret: "secret",
    resultHash,
    winningLots: crowdWon + sum(wonLots),
  };

  it("holds for an honest one, and tells what each application got", () => {
    const check = verifyDraw(published, list.entries);
    expect(check).toMatchObject({ secret: true, crowd: true, list: true, result: true });
    expect([...(check?.wonLots.values() ?? [])]).toEqual(wonLots);
  });

  it("is none before the secret is published", () => expect(verifyDraw({ ...published, secret: null }, list.entries)).toBeNull());

  it.each<[string, Partial<PublishedDraw>, object, (readonly DrawEntry[])?]>([
    ["another secret", { secret: "other" }, { secret: false, result: false }],
    ["a larger crowd", { crowdLots: 10 }, { crowd: false, list: false }],
    ["an application more", {}, { list: false, result: false }, entriesOf(13)],
    ["an application less", {}, { list: false }, list.entries.slice(1)],
    ["another order", {}, { list: false }, list.entries.toReversed()],
    ["other winners", { resultHash: hashOf("x") }, { secret: true, list: true, result: false }],
    ["more lots", { winningLots: 5 }, { result: false }],
  ])("fails for %s", (_name, over, expected, entries = list.entries) =>
    expect(verifyDraw({ ...published, ...over }, entries)).toMatchObject(expected),
  );
});
