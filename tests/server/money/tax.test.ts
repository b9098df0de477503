/** Tests the transaction tax by the day of the sale: exempt until one date and halved until another, whenever the order was placed. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rateHoldings } from "#server/trading/clearing/tax-rates.ts";
import { query } from "#server/db/database.ts";
import { readChange, setRule } from "#server/rules/change.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { orderBecomes, newTrader, orderOf, place, expectConsistentBooks } from "./fixture.ts";

const DEPOSIT = 1_000_000_000;
const INSTRUMENTS = [
  fakeInstrument(0, "2330"),
  fakeInstrument(1, "00679B", { kind: "etf", limitPercent: null, bonds: true }),
  fakeInstrument(2, "0050", { kind: "etf" }),
];

let broker: TestBroker;
let memberId: number;

function market(each = 100): void {
  for (const { row } of INSTRUMENTS) broker.venue.set(row, { bids: [[each, 100]], asks: [[each, 100]], last: each, reference: each });
}

/** Begins a day. */
function turnTo(date: string, time = "10:00:00"): void {
  broker.clock.now = taipei(`${date}T${time}`);
  broker.venue.setDay(taipei(`${date}T09:00:00`), taipei(`${date}T13:30:00`));
  market();
}

beforeEach(async () => {
  broker = await openTestBroker({ venue: fakeVenue(INSTRUMENTS), clock: { now: taipei("2026-12-30T10:00:00") } });
  turnTo("2026-12-30");
  memberId = await newTrader(broker, DEPOSIT);
});
afterEach(() => broker.shut());

/** Applies the day's tax rate to all open positions, like the job at the start of a day. */
const rate = (): Promise<void> =>
  rateHoldings({ db: broker.db, venue: broker.venue, sequencer: broker.sequencer, now: () => broker.clock.now });

describe("a bond fund", () => {
  it("is sold without tax until the end of 2026 and at 0.1 % from 2027, each part by its own day", async () => {
    const bought = await place(broker, memberId, { code: "00679B", lots: 3 });
    expect(bought.terms.taxPerMillion).toBe(0);
    turnTo("2026-12-31", "23:59:59");
    expect((await broker.close(memberId, bought.orderNo, { lots: 1 })).closeTaxCents).toBe(0);
    turnTo("2027-01-01", "00:00:00");
    const second = await broker.close(memberId, bought.orderNo, { lots: 1 });
    expect(second).toMatchObject({ closeTaxCents: 10_000, terms: { taxPerMillion: 1_000 } });
    const last = await broker.close(memberId, bought.orderNo, { lots: 1 });
    expect(last).toMatchObject({ status: "closed", closeTaxCents: 20_000 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("gets the new rate when the day begins, so that the displayed tax is the one charged", async () => {
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
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("bought before the exemption existed is sold without tax", async () => {
    const bought = await place(broker, memberId, { code: "00679B", lots: 1 });
    await broker.sequencer.idle();
    await query(broker.db.kysely, `UPDATE "order" SET terms = jsonb_set(terms, '{taxPerMillion}', '1000') WHERE order_no = $1`, [
      bought.orderNo,
    ]);
    expect(await broker.close(memberId, bought.orderNo, { lots: 1 })).toMatchObject({ closeTaxCents: 0, terms: { taxPerMillion: 0 } });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("does not include other funds", async () => {
    const bought = await place(broker, memberId, { code: "0050", lots: 1 });
    expect((await broker.close(memberId, bought.orderNo, { lots: 1 })).closeTaxCents).toBe(10_000);
  });
});

describe("a day trade", () => {
  it("pays half the tax until the end of 2027, and the full tax afterwards", async () => {
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
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("sold short that outlived its day owes the tax of the day of the sale, not of the current day", async () => {
    await setRule(broker.db.kysely, await readChange(broker.db.kysely, ["trade", "from=2026-12-31", "taxPerMillion=5000"]));
    await broker.sequencer.rules.reload(broker.db.kysely);
    const sold = await place(broker, memberId, { lots: 1, dayTrade: true, direction: "fall" });
    expect(sold.openTaxCents).toBe(15_000);
    turnTo("2026-12-31");
    await orderBecomes(broker, sold.orderNo, { day_trade: false, open_tax_cents: 30_000 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });
});

describe("a rule change by the operator", () => {
  it("applies to later sales of old and new orders, not to earlier sales", async () => {
    const bought = await place(broker, memberId, { lots: 2 });
    expect((await broker.close(memberId, bought.orderNo, { lots: 1 })).closeTaxCents).toBe(30_000);
    await setRule(broker.db.kysely, await readChange(broker.db.kysely, ["trade", "code=2330", "taxPerMillion=2000"]));
    await broker.sequencer.rules.reload(broker.db.kysely);
    expect((await broker.close(memberId, bought.orderNo, { lots: 1 })).closeTaxCents).toBe(50_000);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });
});
