/** Tests orders in fractions of a coin: value, average cost and profit to the cent, and roundings that members cannot earn on. */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { feeOf } from "#contract/fee.ts";
import { unitsPerWhole } from "#contract/instrument.ts";
import { PRICE_ONE, price, worth } from "#contract/kernel/money.ts";
import { positionsOf } from "#contract/position.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const PER = unitsPerWhole({ kind: "crypto" });
const ROW = 6;
const EACH = 3_186_000;

let broker: TestBroker;
let member: number;

beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  market(EACH, 12 * PER);
  member = await coinTrader();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

/** Sets what is bid and offered at a price, in units. */
function market(each: number, units: number): void {
  const levels: [number, number][] = units > 0 ? [[each, units]] : [];
  broker.venue.set(ROW, { bids: levels, asks: levels, last: each, reference: each });
}
/** A member who has signed the risk notice. */
async function coinTrader(depositCents = 1_000_000_000): Promise<number> {
  const id = await broker.newMember({ depositCents });
  await signByHand(broker, id, "crypto");
  return id;
}

const buy = (who: number, lots: number, at: number | null) => broker.place(who, { code: "BTC", lots, price: at });

describe("a fraction of a coin", () => {
  it("is bought, valued and sold in parts at exactly its price", async () => {
    const order = await buy(member, 150_000, EACH);
    const fee = feeOf(order.terms, worth(price(EACH * PRICE_ONE), 150_000, PER));
    expect(order).toMatchObject({
      status: "holding",
      unitsPerWhole: PER,
      lotShares: 1,
      openCents: 477_900,
      openFeeCents: fee,
      heldCents: 0,
    });
    expect(order.openAverage).toBe(EACH * PRICE_ONE);
    const [position] = positionsOf([order]);
    expect(position).toMatchObject({ shares: 150_000, unitsPerWhole: PER, averagePrice: EACH * PRICE_ONE, openCents: 477_900 });

    market(EACH + 100_000, 12 * PER);
    const part = await broker.close(member, order.orderNo, { lots: 50_000 });
    const value = worth(price((EACH + 100_000) * PRICE_ONE), 50_000, PER);
    expect(value).toBe(164_300);
    expect(part).toMatchObject({ status: "holding", closedLots: 50_000, closeCents: value, closeAverage: (EACH + 100_000) * PRICE_ONE });
    expect(part.profitCents).toBe(value - 159_300 - Math.floor(fee / 3) - part.closeFeeCents - part.closeTaxCents);

    const shown = profitAt(heldOf(part), price((EACH + 100_000) * PRICE_ONE));
    const rest = await broker.close(member, order.orderNo, { lots: 100_000 });
    expect(rest.status).toBe("closed");
    expect(rest.profitCents - part.profitCents).toBe(shown.profitCents);
  });

  it("pays the cent that a value falls short of, and gets none that it exceeds", async () => {
    const order = await buy(member, 150_001, null);
    expect(order.openCents).toBe(477_904);
    const { closeCents } = await broker.close(member, order.orderNo, { lots: 1 });
    expect(closeCents).toBe(3);
  });

  it("is exact beyond 2^53, and refused beyond any balance", async () => {
    const rich = await coinTrader(5_000_000_000_000);
    market(EACH, 20_000 * PER);
    const order = await buy(rich, 10_000 * PER + 1, EACH);
    expect(order.openCents).toBe(10_000 * EACH * 100 + 4);
    expect(order.openAverage).toBe(EACH * PRICE_ONE);
    await broker.close(rich, order.orderNo, { lots: 10_000 * PER + 1 });
    expect((await refusalOf(buy(member, 100 * PER, EACH))).code).toBe("FUND_AVAILABLE_INSUFFICIENT");
  });
});

it("holds enough for every fill, in however many parts an order is filled", async () => {
  const parts = fc.array(fc.integer({ min: 50_000, max: 400_000 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 200_000_001, max: 400_000_000 }), async (sizes, hundredths) => {
      const each = hundredths / 100;
      const units = sizes.reduce((sum, size) => sum + size, 0);
      market(each, units);
      const seller = await coinTrader(100_000_000_000);
      const buyer = await coinTrader(100_000_000_000);
      const held = await buy(seller, units, null);
      expect(held).toMatchObject({ status: "holding", filledLots: units });
      market(each, 0);
      await broker.settled();
      const resting = await buy(buyer, units, each);
      const whole = worth(price(hundredths * 100), units, PER, "up");
      expect(resting.heldCents).toBe(whole + feeOf(resting.terms, whole));
      let paid = 0;
      for (const size of sizes) {
        await broker.close(seller, held.orderNo, { lots: size, price: each });
        const { order } = await broker.call("readOrder", buyer, { orderNo: resting.orderNo });
        const value = order.openCents - paid;
        paid = order.openCents;
        expect(value).toBeGreaterThanOrEqual(worth(price(hundredths * 100), size, PER));
        expect(value).toBeLessThanOrEqual(worth(price(hundredths * 100), size, PER, "up"));
        expect(order.heldCents).toBeGreaterThanOrEqual(0);
      }
      const { order: bought } = await broker.call("readOrder", buyer, { orderNo: resting.orderNo });
      const { order: sold } = await broker.call("readOrder", seller, { orderNo: held.orderNo });
      expect(bought).toMatchObject({ status: "holding", filledLots: units, heldCents: 0 });
      expect(sold.status).toBe("closed");
      // Nobody gains a cent by splitting: the buyer pays what the whole is worth, and the seller gets no more.
      expect(bought.openCents).toBe(whole);
      expect(sold.closeCents).toBeLessThanOrEqual(worth(price(hundredths * 100), units, PER));
    }),
    { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 12) },
  );
});

describe("the first order", () => {
  it("needs the signed risk notice, a verified member of age, and no debt", async () => {
    const newcomer = await broker.newMember();
    expect(await refusalOf(buy(newcomer, 150_000, EACH))).toMatchObject({ code: "ACC_AGREEMENT_UNSIGNED" });
    const unverified = await broker.newMember({ identity: "unverified" });
    expect(await refusalOf(buy(unverified, 150_000, EACH))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
    await signByHand(broker, newcomer, "crypto");
    expect(await buy(newcomer, 150_000, EACH)).toMatchObject({ status: "holding" });
  });

  it("is worth the minimum at least, and a million coins at most", async () => {
    expect(await refusalOf(buy(member, 31_387, EACH))).toEqual({ code: "TRD_CONTRACT_MIN", params: { n: 1_000 }, field: "lots" });
    expect(await buy(member, 31_388, EACH)).toMatchObject({ openCents: 100_003 });
    // The rules say how many coins an order may have at most, below what a request may contain.
    await query(broker.db.kysely, "UPDATE rule SET body = body || '{\"maxLots\": 100000000}' WHERE kind = 'crypto'");
    await broker.sequencer.rules.reload(broker.db.kysely);
    expect(await refusalOf(buy(member, PER + 1, EACH))).toEqual({ code: "TRD_LOTS_MAX", params: { n: 1 }, field: "lots" });
    await query(broker.db.kysely, "UPDATE rule SET body = body || '{\"maxLots\": 100000000000000}' WHERE kind = 'crypto'");
    await broker.sequencer.rules.reload(broker.db.kysely);
  });

  it("is neither short, on margin, leveraged nor a day trade, and has no price limit", async () => {
    const asked = (also: Record<string, unknown>) => refusalOf(broker.place(member, { code: "BTC", lots: 150_000, price: EACH, also }));
    expect(await asked({ direction: "fall" })).toMatchObject({ code: "TRD_NOT_SHORTABLE" });
    expect(await asked({ funding: "leverage", leverage: 2 })).toMatchObject({ code: "TRD_LEVERAGE_NOT_ALLOWED" });
    expect((await asked({ funding: "margin" })).code).toMatch(/^TRD_(MARGIN_DISABLED|NOT_MARGINABLE)$/);
    expect(await buy(member, 150_000, EACH / 2)).toMatchObject({ status: "pending" });
  });
});
