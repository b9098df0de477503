/** Tests the arithmetic of conversions: rounding in the broker's favour, readable rates, and that no cycle of conversions earns. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convert, hasMoved, rateOf } from "#contract/conversion.ts";
import { CURRENCIES, midRate } from "#contract/kernel/currency.ts";
import type { Currency, MidRate } from "#contract/kernel/currency.ts";

const PRICES: Record<Currency, number> = {
  TWD: 1,
  USD: 314_520,
  CNY: 44_126,
  HKD: 40_386,
  THB: 9_682,
  JPY: 205_840,
  VND: 11_962,
  MYR: 74_862,
  KRW: 21_804,
};
const midOf = (currency: Currency, off = 0): MidRate => {
  const last = PRICES[currency] + off;
  const rate = midRate(currency, { bid: last, ask: last + 1, last });
  if (!rate) throw new Error("no rate");
  return rate;
};
const pair = (from: Currency, to: Currency, spreadPerMillion = 3_000) => ({ fromMid: midOf(from), toMid: midOf(to), spreadPerMillion });

describe("a conversion", () => {
  it("sells an amount rounded down, and buys one rounded up, by less than a hundredth", () => {
    // 31.45205 less 0.3 per cent is 31.35769385.
    expect(convert({ side: "sell", amount: 10_000, ...pair("USD", "TWD") })).toEqual({
      fromCents: 10_000,
      toCents: 313_576,
      rounding: "0.009385",
    });
    expect(convert({ side: "buy", amount: 10_000, ...pair("TWD", "USD") })).toMatchObject({ fromCents: 315_467, toCents: 10_000 });
    expect(convert({ side: "sell", amount: 1, ...pair("VND", "TWD") })).toBeNull();
    expect(convert({ side: "buy", amount: 1, ...pair("VND", "TWD") })).toMatchObject({ toCents: 1 });
  });

  it("always rounds against the member, by less than a hundredth of the other currency", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CURRENCIES),
        fc.constantFrom(...CURRENCIES),
        fc.constantFrom("sell" as const, "buy" as const),
        fc.integer({ min: 1, max: 10_000_000_000_000 }),
        (from, to, side, amount) => {
          fc.pre(from !== to);
          const terms = pair(from, to);
          const made = convert({ side, amount, ...terms });
          if (!made) return;
          const { numerator: fn, denominator: fd } = terms.fromMid;
          const { numerator: tn, denominator: td } = terms.toMid;
          const kept = 1_000_000n - BigInt(terms.spreadPerMillion);
          const fair = BigInt(made.fromCents) * BigInt(fn) * BigInt(td) * kept;
          const got = BigInt(made.toCents) * BigInt(fd) * BigInt(tn) * 1_000_000n;
          expect(got <= fair).toBe(true);
          const one = side === "sell" ? BigInt(fd) * BigInt(tn) * 1_000_000n : BigInt(fn) * BigInt(td) * kept;
          expect(fair - got < one).toBe(true);
          expect(Number(made.rounding)).toBeLessThan(0.01);
          expect(Number(made.rounding)).toBeCloseTo(Number(fair - got) / Number(one) / 100, 5);
        },
      ),
    );
  });

  it("earns nothing in any cycle, of any length, in any order, bought or sold", () => {
    const step = fc.tuple(
      fc.constantFrom(...CURRENCIES),
      fc.constantFrom("sell" as const, "buy" as const),
      fc.integer({ min: 1, max: 100 }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...CURRENCIES),
        fc.integer({ min: 1, max: 1_000_000_000 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5_000 }),
        (start, amount, steps, spread) => {
          const wallet = new Map<Currency, number>([[start, amount]]);
          let at = start;
          for (const [to, side, part] of [...steps, [start, "sell", 100] as const]) {
            const has = wallet.get(at) ?? 0;
            if (to === at || has === 0) continue;
            const terms = pair(at, to, spread);
            const wanted =
              side === "sell" ? Math.ceil((has * part) / 100) : (convert({ side: "sell", amount: has, ...terms })?.toCents ?? 0);
            const made = wanted > 0 ? convert({ side, amount: wanted, ...terms }) : null;
            if (!made || made.fromCents > has) continue;
            wallet.set(at, has - made.fromCents);
            wallet.set(to, (wallet.get(to) ?? 0) + made.toCents);
            at = to;
          }
          // Everything back: what is left elsewhere counts as nothing.
          for (const currency of CURRENCIES) {
            const has = wallet.get(currency) ?? 0;
            if (currency === start || has === 0) continue;
            const made = convert({ side: "sell", amount: has, ...pair(currency, start, spread) });
            wallet.set(currency, 0);
            wallet.set(start, (wallet.get(start) ?? 0) + (made?.toCents ?? 0));
          }
          expect(wallet.get(start) ?? 0).toBeLessThanOrEqual(amount);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a rate for people", () => {
  it("is the price of the foreign currency in TWD, whichever is sold", () => {
    expect(rateOf("USD", "TWD", pair("USD", "TWD"))).toEqual({ base: "USD", counter: "TWD", rate: "31.3576", mid: "31.4520" });
    expect(rateOf("TWD", "USD", pair("TWD", "USD"))).toEqual({ base: "USD", counter: "TWD", rate: "31.5466", mid: "31.4520" });
    expect(rateOf("TWD", "JPY", pair("TWD", "JPY"))).toMatchObject({ base: "JPY", mid: "0.205840" });
    expect(rateOf("VND", "TWD", pair("VND", "TWD"))).toMatchObject({ base: "VND", mid: "0.00119625" });
  });

  it("is that of the dearer currency where neither is TWD", () => {
    expect(rateOf("JPY", "USD", pair("JPY", "USD"))).toMatchObject({ base: "USD", counter: "JPY", mid: "152.7981" });
    expect(rateOf("USD", "JPY", pair("USD", "JPY"))).toMatchObject({ base: "USD", counter: "JPY", mid: "152.7981" });
  });
});

describe("a quote has moved", () => {
  it("once the mid rate is more than half the spread away, in either direction", () => {
    const before = { ...pair("USD", "TWD", 2_000) };
    const moved = (off: number): boolean => hasMoved(before, { fromMid: midOf("USD", off), toMid: midOf("TWD") });
    // Half of 0.2 per cent of 314,520.5 is 314.5.
    expect([moved(0), moved(314), moved(-314)]).toEqual([false, false, false]);
    expect([moved(315), moved(-315)]).toEqual([true, true]);
  });
});
