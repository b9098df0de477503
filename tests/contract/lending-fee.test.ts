/** Tests the fees of securities lending: lending and shorting in any combination earn nothing without risk. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { borrowFeeOf, brokerPartOf, demandRate, lenderPartOf, lendingFeeOf, mostLendingRate, RATE_STEP } from "#contract/lending-fee.ts";

const rates = fc.record({
  borrowPerMillion: fc.integer({ min: 1_250, max: 400_000 }),
  brokerPerMillion: fc.integer({ min: 0, max: 1_000_000 }),
  mostPerMillion: fc.integer({ min: RATE_STEP, max: 160_000 }),
});
const days = fc.array(fc.tuple(fc.integer({ min: 1, max: 1_000_000_000_000 }), fc.integer({ min: 1, max: 10 })), {
  minLength: 1,
  maxLength: 180,
});

it("what a short pays is never below what lending the same shares over the same days brings", () => {
  fc.assert(
    fc.property(rates, days, fc.integer({ min: 1, max: 1_000 }), (rule, course, part) => {
      const most = mostLendingRate(rule.borrowPerMillion, rule);
      fc.pre(most >= RATE_STEP);
      const rate = demandRate(most, part);
      expect(rate).toBeLessThanOrEqual(most);
      expect(rate % RATE_STEP).toBe(0);
      expect(most).toBeLessThanOrEqual(160_000);
      // The short's fee is at least the lender's rate and the broker's part on top of it.
      expect(rule.borrowPerMillion * 1_000_000).toBeGreaterThanOrEqual(rate * (1_000_000 + rule.brokerPerMillion));
      const lent = course.reduce((sum, [close, n]) => sum + lendingFeeOf(rate, close, n), 0);
      const paid = course.reduce((sum, [close, n]) => sum + borrowFeeOf(rule.borrowPerMillion, close, n), 0);
      expect(lenderPartOf(rule.brokerPerMillion, lent)).toBeLessThanOrEqual(lent);
      expect(lent).toBeLessThanOrEqual(paid);
      for (const [close, n] of course) {
        const fee = borrowFeeOf(rule.borrowPerMillion, close, n);
        // What the pool is left with pays its lenders.
        expect(fee - brokerPartOf(rule.brokerPerMillion, fee)).toBeGreaterThanOrEqual(lendingFeeOf(rate, close, n) - n);
      }
    }),
    { numRuns: 300 },
  );
});

it("fees are value × rate / 365 a day: lenders' rounded down, shorts' up", () => {
  expect(lendingFeeOf(40_000, 10_000_000, 1)).toBe(1_095);
  expect(lendingFeeOf(40_000, 10_000_000, 3)).toBe(3_285);
  expect(borrowFeeOf(50_000, 10_000_000, 1)).toBe(1_370);
  expect(lenderPartOf(250_000, 1_095)).toBe(821);
});
