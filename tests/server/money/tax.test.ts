/** Transaction tax by the day of the sale: what the law exempts until a day and what it halves until another, whenever the order was placed. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rateHoldings } from "#server/trading/clearing/tax-rates.ts";
import { query } from "#server/db/database.ts";
import { readChange, setRule } from "#server/rules/change.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { openHouse } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { becomes, newTrader, orderOf, place, weigh } from "./lend.ts";

const DEPOSIT = 1_000_000_000;
const INSTRUMENTS = [
  fakeInstrument(0, "2330"),
  fakeInstrument(1, "00679B", { kind: "etf", limitPercent: null, bonds: true }),
  fakeInstrument(2, "0050", { kind: "etf" }),
];
const taipei = (date: string, time = "10:00:00"): number => Date.parse(`${date}T${time}+08:00`);

let broker: TestBroker;
let memberId: number;

function market(each = 100): void {
  for (const { row } of INSTRUMENTS) broker.venue.set(row, { bids: [[each, 100]], asks: [[each, 100]], last: each, reference: each });
}

/** Begin a day. */
function turnTo(date: string, time?: string): void {
  broker.clock.now = taipei(date, time);
  broker.venue.setDay(taipei(date, "09:00:00"), taipei(date, "13:30:00"));
  market();
}

beforeEach(async () => {
  broker = await openHouse({ venue: fakeVenue(INSTRUMENTS), clock: { now: taipei("2026-12-30") } });
  turnTo("2026-12-30");
  memberId = await newTrader(broker, DEPOSIT);
});
afterEach(() => broker.shut());

/** Tell everything held the rate of its day, as the clockwork does when a day begins. */
const rate = (): Promise<void> =>
  rateHoldings({ db: broker.db, venue: broker.venue, sequencer: broker.sequencer, now: () => broker.clock.now });

describe("a fund of bonds", () => {
  it("is sold without tax to the last moment of 2026, and at 0.1 % from the first of 2027, each part by its own day", async () => {
    const bought = await place(broker, memberId, { code: "00679B", lots: 3 });
    expect(bought.terms.taxPerMillion).toBe(0);
    turnTo("2026-12-31", "23:59:59");
    expect((await broker.close(memberId, bought.orderNo, { lots: 1 })).closeTaxCents).toBe(0);
    turnTo("2027-01-01", "00:00:00");
    const second = await broker.close(memberId, bought.orderNo, { lots: 1 });
    expect(second).toMatchObject({ closeTaxCents: 10_000, terms: { taxPerMillion: 1_000 } });
    const last = await broker.close(memberId, bought.orderNo, { lots: 1 });
    expect(last).toMatchObject({ status: "closed", closeTaxCents: 20_000 });
    await weigh(broker, memberId, DEPOSIT);
  });

  it("that is held is told its rate when the day begins, so that what is shown is what is paid", async () => {
    const bought = await place(broker, memberId, { code: "00679B", lots: 2 });
    const stock = await place(broker, memberId, { code: "2330", lots: 1 });
    await rate();
    broker.published.length = 0;
    turnTo("2027-01-01");
    await rate();
    expect(broker.published.map(({ fact }) => fact.type)).toEqual(["order.adjusted"]);
    expect((await orderOf(broker, bought.orderNo)).terms.taxPerMillion).toBe(1_000);
    expect((await orderOf(broker, stock.orderNo)).terms.taxPerMillion).toBe(3_000);
    await rate();
    expect(broker.published).toHaveLength(1);
    expect((await broker.close(memberId, bought.orderNo, { lots: 2 })).closeTaxCents).toBe(20_000);
    await weigh(broker, memberId, DEPOSIT);
  });

  it("bought before the exemption was a rule is sold without tax all the same", async () => {
    const bought = await place(broker, memberId, { code: "00679B", lots: 1 });
    await broker.sequencer.idle();
    await query(broker.db.kysely, `UPDATE "order" SET terms = jsonb_set(terms, '{taxPerMillion}', '1000') WHERE order_no = $1`, [
      bought.orderNo,
    ]);
    expect(await broker.close(memberId, bought.orderNo, { lots: 1 })).toMatchObject({ closeTaxCents: 0, terms: { taxPerMillion: 0 } });
    await weigh(broker, memberId, DEPOSIT);
  });

  it("is no other fund", async () => {
    const bought = await place(broker, memberId, { code: "0050", lots: 1 });
    expect((await broker.close(memberId, bought.orderNo, { lots: 1 })).closeTaxCents).toBe(10_000);
  });
});

describe("a day trade", () => {
  it("pays half the tax to the end of 2027, and all of it after", async () => {
    turnTo("2027-12-31");
    const last = await place(broker, memberId, { lots: 1, dayTrade: true });
    expect((await broker.close(memberId, last.orderNo, { lots: 1 })).closeTaxCents).toBe(15_000);
    const fund = await place(broker, memberId, { code: "0050", lots: 1, dayTrade: true });
    expect((await broker.close(memberId, fund.orderNo, { lots: 1 })).closeTaxCents).toBe(10_000);
    turnTo("2028-01-01");
    const first = await place(broker, memberId, { lots: 1, dayTrade: true });
    expect(first.terms.taxPerMillion).toBe(3_000);
    expect((await broker.close(memberId, first.orderNo, { lots: 1 })).closeTaxCents).toBe(30_000);
    const later = await place(broker, memberId, { code: "0050", lots: 1, dayTrade: true });
    expect((await broker.close(memberId, later.orderNo, { lots: 1 })).closeTaxCents).toBe(10_000);
    await weigh(broker, memberId, DEPOSIT);
  });

  it("of a fall that outlived its day owes the tax of the day it was sold on, whatever the law has become", async () => {
    await setRule(broker.db, await readChange(broker.db.kysely, ["trade", "from=2026-12-31", "taxPerMillion=5000"]));
    await broker.sequencer.rules.reload(broker.db.kysely);
    const sold = await place(broker, memberId, { lots: 1, dayTrade: true, direction: "fall" });
    expect(sold.openTaxCents).toBe(15_000);
    turnTo("2026-12-31");
    await becomes(broker, sold.orderNo, { day_trade: false, open_tax_cents: 30_000 });
    await weigh(broker, memberId, DEPOSIT);
  });
});

describe("a rule the operator changes", () => {
  it("taxes a short sale that was waiting when it changed", async () => {
    const waits = await place(broker, memberId, { lots: 1, direction: "fall", price: 101 });
    expect(waits).toMatchObject({ status: "pending", terms: { taxPerMillion: 3_000 } });
    await setRule(broker.db, await readChange(broker.db.kysely, ["trade", "code=2330", "taxPerMillion=2000"]));
    await broker.sequencer.rules.reload(broker.db.kysely);
    market(101);
    await becomes(broker, waits.orderNo, { status: "holding", open_tax_cents: 20_200 });
    await weigh(broker, memberId, DEPOSIT);
  });

  it("taxes what is sold from then on, of orders old and new, and not what was sold before", async () => {
    const bought = await place(broker, memberId, { lots: 2 });
    expect((await broker.close(memberId, bought.orderNo, { lots: 1 })).closeTaxCents).toBe(30_000);
    await setRule(broker.db, await readChange(broker.db.kysely, ["trade", "code=2330", "taxPerMillion=2000"]));
    await broker.sequencer.rules.reload(broker.db.kysely);
    expect((await broker.close(memberId, bought.orderNo, { lots: 1 })).closeTaxCents).toBe(50_000);
    await weigh(broker, memberId, DEPOSIT);
  });
});
