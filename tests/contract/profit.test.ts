/** Tests profit and loss after fees, tax and the cost of closing, and the liquidation price, for longs and shorts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { feeOf, ownOf, taxOf } from "#contract/fee.ts";
import { DIRECTIONS } from "#contract/order.ts";
import { PRICE_ONE, cents, price, worth } from "#contract/kernel/money.ts";
import { liquidationPrice, profitAt, share } from "#contract/profit.ts";
import { STOCK_TERMS } from "#tests/support/terms.ts";
import type { Held, Pledged } from "#contract/profit.ts";
import { MILLION } from "#contract/rule.ts";

/** A position of whole lots of a stock, opened in one fill. */
function held(direction: Held["direction"], lots: number, at: number): Held {
  const openCents = worth(price(at), lots * 1000);
  return {
    direction,
    terms: STOCK_TERMS,
    lots,
    lotShares: 1000,
    filledLots: lots,
    openCents,
    openFeeCents: feeOf(STOCK_TERMS, openCents),
    openTaxCents: direction === "fall" ? taxOf(STOCK_TERMS, openCents) : cents(0),
    interestCents: cents(0),
    dividendCents: cents(0),
  };
}

/** The terms a leverage multiple leads to, as in `termsOf`. */
function termsOfMultiple(leverage: number): { ownPerMillion: number; collateralPerMillion: number; maintenancePerMillion: number } {
  const own = Math.ceil(MILLION / leverage);
  return { ownPerMillion: own, collateralPerMillion: own, maintenancePerMillion: Math.floor(own / 2) };
}

const at = fc.integer({ min: 100, max: 5000 * PRICE_ONE });

describe("profit", () => {
  it("of a one-lot long from 1,000 to 1,020 is 20,000 less two fees and the tax", () => {
    const profit = profitAt(held("rise", 1, 10_000_000), price(10_200_000));
    expect(profit).toEqual({
      openCents: 100_000_000,
      openCostCents: 142_500,
      nowCents: 102_000_000,
      closeCostCents: 145_300 + 306_000,
      closeFeeCents: 145_300,
      interestCents: 0,
      dividendCents: 0,
      lendingCents: 0,
      profitCents: 2_000_000 - 142_500 - 145_300 - 306_000,
      returnBasisPoints: 140,
    });
  });

  it("of a short includes the tax on opening, where it sells", () => {
    const profit = profitAt(held("fall", 1, 10_000_000), price(9_800_000));
    expect(profit.openCostCents).toBe(142_500 + 300_000);
    expect(profit.closeCostCents).toBe(139_600);
    expect(profit.profitCents).toBe(2_000_000 - 142_500 - 300_000 - 139_600);
  });

  it("is less by the interest owed, and more by the dividends received", () => {
    for (const direction of DIRECTIONS) {
      const position = held(direction, 1, 10_000_000);
      const { profitCents } = profitAt(position, price(10_100_000));
      const owing = { ...position, interestCents: cents(1_234), dividendCents: cents(500_000) };
      expect(profitAt(owing, price(10_100_000)).profitCents).toBe(profitCents - 1_234 + 500_000);
      // A short pays the dividend.
      const paying = { ...position, dividendCents: cents(-500_000) };
      expect(profitAt(paying, price(10_100_000)).profitCents).toBe(profitCents - 500_000);
    }
  });

  it("is the sum of its breakdown", () => {
    fc.assert(
      fc.property(fc.constantFrom(...DIRECTIONS), fc.integer({ min: 1, max: 499 }), at, at, (direction, lots, opened, now) => {
        const profit = profitAt(held(direction, lots, opened), price(now));
        const gain = (profit.nowCents - profit.openCents) * (direction === "rise" ? 1 : -1);
        expect(profit.profitCents).toBe(gain - profit.openCostCents - profit.closeCostCents);
      }),
    );
  });

  it("of a long and a short together is always negative: hedging cannot extract money", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 499 }), at, at, (lots, opened, now) => {
        const both = DIRECTIONS.map((direction) => profitAt(held(direction, lots, opened), price(now)).profitCents);
        expect((both[0] ?? 0) + (both[1] ?? 0)).toBeLessThan(0);
      }),
    );
  });

  it("of lots closed one after the other equals that of closing all together, to the cent", () => {
    const prices = fc.integer({ min: 100, max: 5000 * PRICE_ONE });
    fc.assert(
      fc.property(
        fc.constantFrom(...DIRECTIONS),
        fc.integer({ min: 2, max: 499 }),
        fc.nat(),
        prices,
        prices,
        (direction, count, cut, opened, now) => {
          const all = { ...held(direction, count, opened), lotShares: 1 };
          const first = 1 + (cut % (count - 1));
          const one = profitAt({ ...all, lots: first }, price(now));
          // One close order that is filled in two parts.
          const closed = { lots: first, cents: one.nowCents };
          const closing = { lots: count - first, cents: one.nowCents, feeCents: one.closeFeeCents };
          const rest = profitAt({ ...all, lots: count - first, closed, closing }, price(now));
          const whole = profitAt(all, price(now));
          // A lot's own value may be rounded; the two parts still add up to the whole.
          expect(one.openCents + rest.openCents).toBe(whole.openCents);
          expect(one.openCostCents + rest.openCostCents).toBe(whole.openCostCents);
          const value = cents(one.nowCents + rest.nowCents);
          const tax = direction === "rise" ? taxOf(STOCK_TERMS, value) : 0;
          expect(one.closeCostCents + rest.closeCostCents).toBe(feeOf(STOCK_TERMS, value) + tax);
        },
      ),
    );
  });

  it("applies the minimum fee once per close order: the working one continues, the remaining lots need one more", () => {
    // Five lots at 5.00 are worth 25,000, with a fee of 35; a single lot pays the minimum of 20.
    const all = { ...held("rise", 5, 50_000) };
    const after = (closing: NonNullable<Held["closing"]>) =>
      profitAt({ ...all, lots: 4, closed: { lots: 1, cents: cents(500_000) }, closing }, price(50_000));
    const charged = { cents: cents(500_000), feeCents: cents(2_000) };
    expect(profitAt(all, price(50_000)).closeFeeCents).toBe(3_500);
    // All four lots as a new order: 28.
    expect(after({ lots: 0, ...charged }).closeFeeCents).toBe(2_800);
    // All four lots in the working order: the fee of all five, less what was paid.
    expect(after({ lots: 4, ...charged }).closeFeeCents).toBe(1_500);
    // One more lot of the working order, 10,000 in total, adds nothing to the 20; three lots of a new order pay 21.
    expect(after({ lots: 1, ...charged }).closeFeeCents).toBe(2_100);
  });

  it("is zero for an empty position", () => {
    const nothing = { ...held("rise", 1, 10_000_000), lots: 0, filledLots: 0, openCents: cents(0), openFeeCents: cents(0) };
    expect(profitAt(nothing, price(10_000_000))).toMatchObject({ profitCents: 0, returnBasisPoints: 0 });
  });

  it("splits an amount over lots without creating a cent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 2, max: 499 }), (amount, filled) => {
        const parts = share(amount, 1, filled) + share(amount, filled - 1, filled);
        expect(parts).toBeLessThanOrEqual(amount);
        expect(amount - parts).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("liquidationPrice", () => {
  const multiple = fc.integer({ min: 2, max: 10 });
  const lots = fc.integer({ min: 1, max: 499 });

  /** A leveraged position opened in one fill, with interest owed. */
  function leveraged(direction: Held["direction"], leverage: number, count: number, opened: number, interest: number): Pledged {
    const terms = { ...STOCK_TERMS, ...termsOfMultiple(leverage) };
    const openCents = worth(price(opened), count * 1000);
    const own = ownOf(terms, openCents);
    return {
      direction,
      terms,
      filledLots: count,
      closedLots: 0,
      lotShares: 1000,
      loanCents: cents(direction === "rise" ? openCents - own : 0),
      interestCents: cents(interest),
      collateralCents: cents(direction === "fall" ? openCents + own : 0),
    };
  }

  /** A position's equity at a price and the maintenance its terms require, in millionths of a cent so that nothing is rounded. */
  function equityAt(position: Pledged, each: number): { equity: bigint; required: bigint } {
    const shares = BigInt((position.filledLots - position.closedLots) * position.lotShares);
    const value = BigInt(each) * shares * 10_000n;
    const owed = BigInt(position.loanCents + position.interestCents) * 1_000_000n;
    const collateral = BigInt(position.collateralCents) * 1_000_000n;
    const equity = position.direction === "rise" ? value - owed : collateral - value - owed;
    return { equity, required: (value * BigInt(position.terms.maintenancePerMillion)) / 1_000_000n };
  }

  it("is the last price at which equity still covers the maintenance requirement", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DIRECTIONS),
        multiple,
        lots,
        fc.integer({ min: 10_000, max: 5000 * PRICE_ONE }),
        fc.integer({ min: 0, max: 100_000 }),
        (direction, leverage, count, opened, interest) => {
          const position = leveraged(direction, leverage, count, opened, interest);
          const at = liquidationPrice(position);
          if (at === null) throw new Error("expected a liquidation price for a leveraged position");
          const there = equityAt(position, at);
          expect(there.equity >= there.required).toBe(true);
          const beyond = equityAt(position, direction === "rise" ? at - 1 : at + 1);
          expect(beyond.equity < beyond.required).toBe(true);
        },
      ),
    );
  });

  it("lies on the losing side of the opening price and moves away when margin is added", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DIRECTIONS),
        multiple,
        lots,
        fc.integer({ min: 100_000, max: 5000 * PRICE_ONE }),
        (direction, leverage, count, opened) => {
          const position = leveraged(direction, leverage, count, opened, 0);
          const at = liquidationPrice(position) ?? 0;
          const safer =
            direction === "rise"
              ? { ...position, loanCents: cents(Math.floor(position.loanCents / 2)) }
              : { ...position, collateralCents: cents(position.collateralCents + 100_000) };
          const further = liquidationPrice(safer) ?? 0;
          if (direction === "rise") expect([at < opened, further <= at]).toEqual([true, true]);
          else expect([at > opened, further >= at]).toEqual([true, true]);
        },
      ),
    );
  });

  it("is null for an unleveraged position and for a closed one", () => {
    const position = leveraged("rise", 2, 3, 1_000_000, 0);
    expect(liquidationPrice({ ...position, terms: STOCK_TERMS })).toBeNull();
    expect(liquidationPrice({ ...position, closedLots: 3 })).toBeNull();
  });
});
