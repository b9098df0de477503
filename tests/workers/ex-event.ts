/** Sample ex-events and a slow reference implementation of price adjustment. */
import type { Candle } from "#contract/candle.ts";
import type { Adjustment, CorporateAction } from "#contract/corporate-action.ts";
import { price } from "#contract/kernel/money.ts";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import { TUESDAY } from "./trading.ts";

/** An ex-event `day` days after TUESDAY. */
export function action(day: number, more: Partial<CorporateAction> = {}): CorporateAction {
  return {
    at: epochMs(TUESDAY + day * DAY_MS),
    kind: "dividend",
    cash: price(0),
    freeMillionths: 0,
    rightsMillionths: 0,
    rightsPrice: price(0),
    closeBefore: price(1_000_000),
    reference: price(950_000),
    ...more,
  };
}

/** Rounds half up, with big-integer division. */
function rounded(amount: number, over: bigint, under: bigint): number {
  const whole = (BigInt(amount) * over) / under;
  const rest = BigInt(amount) * over - whole * under;
  return Number(rest * 2n >= under ? whole + 1n : whole);
}

/** Adjusts a bar by applying every event. */
export function adjustedBar(bar: Candle, actions: readonly CorporateAction[], adjustment: Adjustment): Candle {
  let [over, under, lotsOver, lotsUnder] = [1n, 1n, 1n, 1n];
  for (const { at, reference, closeBefore, freeMillionths, rightsMillionths } of actions) {
    const shares = BigInt(1_000_000 + freeMillionths + rightsMillionths);
    if (adjustment === "forward" && bar.at < at) {
      over *= BigInt(reference);
      under *= BigInt(closeBefore);
      lotsOver *= shares;
      lotsUnder *= 1_000_000n;
    }
    if (adjustment === "backward" && bar.at >= at) {
      over *= BigInt(closeBefore);
      under *= BigInt(reference);
      lotsOver *= 1_000_000n;
      lotsUnder *= shares;
    }
  }
  const priced = (amount: number): number => rounded(amount, over, under);
  return {
    at: bar.at,
    open: priced(bar.open),
    high: priced(bar.high),
    low: priced(bar.low),
    close: priced(bar.close),
    volume: rounded(bar.volume, lotsOver, lotsUnder),
  };
}
