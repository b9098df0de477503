/**
 * Tests that nobody is paid for moving a price: no round trip through the real book, whatever its sizes and waits, brings more than it costs. What
 * is counted is each fill's distance from the middle that the market alone would have, which nobody moves and which goes nowhere on average.
 */
import { describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { tickSize } from "#contract/tick.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import { isFull } from "#tests/support/size.ts";
import { OPENED, Sandbox, marketOfCodes } from "./moved-sandbox.ts";
import { Waiter } from "./waiter.ts";

/** Deep and thin, of wide and of narrow ticks, funds among them; of the last ones more would be displayed at a price than moves it by a tick. */
const CODES = ["2330", "2603", "1101", "3008", "0050", "00692", "K7817", "4104"] as const;
const market = marketOfCodes(CODES);
const rowOf = (code: string): number => market.referenceData.listings.findIndex(({ instrument }) => instrument.code === code);
const rows = CODES.map(rowOf);

type Side = "buy" | "sell";
const other = (side: Side): Side => (side === "buy" ? "sell" : "buy");

/** How many lots move the price of a row by a tick. */
function lotsPerTick(box: Sandbox, row: number): number {
  const impact = box.moved.impact(row);
  if (!impact) throw new Error("a row without an impact");
  return impact.lotsPerUnit * tickSize(impact.kind, box.book.own(row).bid);
}

/** So many orders of a side, so far apart. @returns what they cost */
function trade(box: Sandbox, row: number, side: Side, lots: number, orders: number, apartMs: number): number {
  let cost = 0;
  for (let nth = 0; nth < orders; nth += 1) {
    const part = Math.floor((lots * (nth + 1)) / orders) - Math.floor((lots * nth) / orders);
    cost += box.cost(row, side, part);
    if (apartMs > 0) box.pass(row, apartMs);
  }
  return cost;
}

const SIZES = [0.3, 0.55, 1.1, 3, 7, 14, 25];
const SPLITS = [
  [1, 0],
  [6, 0],
  [6, 2 * SECOND_MS],
  [6, MINUTE_MS],
  [24, 10 * SECOND_MS],
] as const;
const WAITS = [0, 2 * SECOND_MS, 10 * MINUTE_MS];

describe("a round trip brings nothing", () => {
  test.each(CODES)("in %s, whatever its sizes, splits and waits", (code) => {
    const row = rowOf(code);
    const paid: string[] = [];
    let plans = 0;
    let least = Infinity;
    const tick = tickSize(market.models[row]?.kind ?? "stock", new Sandbox(market).book.own(row).bid);
    for (const [nth, size] of (isFull ? SIZES : SIZES.filter((_, nth) => nth % 2 === 1)).entries())
      for (const [orders, apartMs] of SPLITS)
        for (const [back, backMs] of [SPLITS[0], SPLITS[1], SPLITS[2]])
          for (const wait of WAITS) {
            const box = new Sandbox(market);
            const side: Side = (nth + plans) % 2 === 0 ? "buy" : "sell";
            const lots = Math.max(1, Math.round(Math.min(size * lotsPerTick(box, row), (box.moved.impact(row)?.dayLots ?? 0) / 2)));
            let cost = trade(box, row, side, lots, orders, apartMs);
            if (wait > 0) box.pass(row, wait);
            cost += trade(box, row, other(side), lots, back, backMs);
            plans += 1;
            least = Math.min(least, cost / lots / tick);
            if (!(cost >= 0))
              paid.push(`${side} ${lots} in ${orders} every ${apartMs} ms, back after ${wait} in ${back}: ${-cost / lots} a lot`);
          }
    expect(paid).toEqual([]);
    expect(plans).toBeGreaterThan(50);
    // The plans come as near to nothing as the spread lets them: they are no straw men.
    expect(least).toBeLessThan(3);
  });

  test("nor do plans at random, of one member or of several who share what they gain", () => {
    const paid: string[] = [];
    for (let plan = 0; plan < (isFull ? 1_200 : 120); plan += 1) {
      const draw = (step: number, nth: number): number => unit(mix(mix(plan, step), nth));
      const row = rows[plan % rows.length] ?? 0;
      const box = new Sandbox(market);
      const usual = lotsPerTick(box, row);
      let [held, cost, lots] = [0, 0, 0];
      const steps = 2 + Math.floor(draw(0, 0) * 8);
      for (let step = 1; step <= steps; step += 1) {
        const isLast = step === steps;
        const signed = isLast ? -held : Math.round((draw(step, 1) - 0.5) * usual * 4 ** (1 + draw(step, 2)));
        const side: Side = signed > 0 ? "buy" : "sell";
        // Some of them as several orders that are decided at once.
        const at =
          signed !== 0 && draw(step, 5) < 0.4 ? box.together(row, side, Math.abs(signed), 2 + Math.floor(draw(step, 6) * 5)) : null;
        // Others in a call, which has the market's own price, costs nothing and moves nothing.
        const left = at || draw(step, 7) < 0.75 ? Math.abs(signed) - (at?.got ?? 0) : 0;
        cost += (at?.cost ?? 0) + (left > 0 ? box.cost(row, side, left) : 0);
        held += signed;
        lots += Math.abs(signed);
        if (draw(step, 3) < 0.7) box.pass(row, Math.ceil(draw(step, 4) ** 3 * 20 * MINUTE_MS));
      }
      if (!(cost >= 0)) paid.push(`plan ${plan} in row ${row}: ${-cost / lots} a lot`);
    }
    expect(paid).toEqual([]);
  });
});

type Plan = (waiter: Waiter, size: number) => void;
const WAITING: Record<string, Plan> = {
  "waits to buy and sells as a block": (waiter, size) => {
    for (let turn = 0; turn < 40; turn += 1) {
      waiter.wait("buy", Math.ceil(size / 2));
      waiter.pass(MINUTE_MS / 2);
    }
    waiter.wait("buy", 0);
    waiter.take("sell", waiter.held);
    waiter.pass(2 * MINUTE_MS);
  },
  "buys as a block and waits to sell": (waiter, size) => {
    waiter.take("buy", Math.ceil(0.6 * size));
    waiter.pass(2 * SECOND_MS);
    for (let turn = 0; turn < 40 && waiter.held > 0; turn += 1) {
      waiter.wait("sell", Math.min(waiter.held, Math.ceil(size / 2)));
      waiter.pass(MINUTE_MS / 2);
    }
    waiter.wait("sell", 0);
    waiter.take("sell", waiter.held);
    waiter.pass(2 * MINUTE_MS);
  },
  "crosses a tick to and fro": (waiter, size) => {
    for (let turn = 0; turn < 20; turn += 1) {
      waiter.take("buy", Math.ceil(0.2 * size));
      waiter.wait("sell", Math.max(0, waiter.held));
      waiter.pass(MINUTE_MS);
    }
    waiter.wait("sell", 0);
    waiter.take("sell", waiter.held);
    waiter.pass(2 * MINUTE_MS);
  },
};

describe("who waits in the queue", () => {
  test.each(Object.keys(WAITING))("and %s gains nothing by what it moves", (name) => {
    const gains: number[] = [];
    for (let day = 0; day < (isFull ? 40 : 6); day += 1)
      for (const row of rows) {
        const of = (counts: boolean): number => {
          const box = new Sandbox(market, OPENED + (day % 5) * 40 * MINUTE_MS + Math.floor(day / 5) * 7 * DAY_MS);
          const waiter = new Waiter(box, row, counts);
          const size = lotsPerTick(box, row);
          WAITING[name]?.(waiter, size);
          expect(waiter.held).toBe(0);
          return waiter.gain / size / tickSize(market.models[row]?.kind ?? "stock", box.book.own(row).bid);
        };
        gains.push(of(true) - of(false));
      }
    const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
    const error = Math.sqrt(gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length / (gains.length - 1));
    expect(mean).toBeLessThan(2.5 * error + 1e-9);
  });
});
