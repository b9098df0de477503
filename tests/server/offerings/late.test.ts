/**
 * Tests lotteries while the server is off: nobody decides on a win once its share is listed, nobody loses a deposit without time to pay, and an
 * offering of a market that is gone is void.
 */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { refusalOf } from "#tests/support/trading.ts";
import {
  DELIVERY,
  DEPOSIT,
  FEE,
  HOURS,
  RICH,
  VALUE,
  apply,
  becomes,
  expectCleanBooks,
  moneyOf,
  newSubscriber,
  openOfferings,
  openWindow,
  pay,
  reaches,
} from "./fixture.ts";
import type { OfferingBroker } from "./fixture.ts";

let broker: OfferingBroker;
let rich: number;
beforeAll(async () => {
  broker = await openOfferings();
  rich = await newSubscriber(broker, 10 * RICH);
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** The server is off for hours. */
async function isOff(hours: number): Promise<void> {
  await broker.stop();
  await broker.sequencer.idle();
  broker.pass(hours);
  broker = await openOfferings(broker);
}

/** Applies in a new lottery and passes to its draw. */
async function win(who: number): Promise<{ code: string; subscriptionNo: string }> {
  const { offeringNo, code } = await openWindow(broker, who);
  const { subscriptionNo } = await apply(broker, who, offeringNo);
  broker.pass(1);
  await reaches(broker, who, code, "closed");
  broker.pass(1);
  await becomes(broker, who, subscriptionNo, "won");
  return { code, subscriptionNo };
}

it("is void where the draw is held after the listing, and gives everything back", async () => {
  const who = await newSubscriber(broker);
  const { offeringNo, code } = await openWindow(broker, who);
  const { subscriptionNo } = await apply(broker, who, offeringNo);
  await isOff(HOURS.listed);
  await becomes(broker, who, subscriptionNo, "voided");
  expect((await reaches(broker, who, code, "void")).offering.winningLots).toBeNull();
  expect(await moneyOf(broker, who)).toEqual({ available: RICH, reserved: 0 });
});

it("ends the time to pay after a late draw before the listing", async () => {
  const { offeringNo } = await openWindow(broker, rich);
  const { subscriptionNo } = await apply(broker, rich, offeringNo);
  // Half an hour before the listing; a draw in time leaves an hour.
  await isOff(HOURS.listed - HOURS.opens - 0.5);
  const won = await becomes(broker, rich, subscriptionNo, "won");
  expect(won.tradesFrom - won.payableUntil).toBe(MINUTE_MS);
  expect(won.payableFrom).toBeLessThan(won.payableUntil);
  broker.clock.now = won.payableUntil;
  await becomes(broker, rich, subscriptionNo, "paid");
});

it("moves the deadline by the time that the server was off, once", async () => {
  const poor = await newSubscriber(broker, FEE + DELIVERY + DEPOSIT);
  const { code, subscriptionNo } = await win(poor);
  const { payableUntil } = (await reaches(broker, poor, code, "drawn")).offering;
  const isMoved = () =>
    vi.waitFor(
      async () => {
        const { offering } = await reaches(broker, poor, code, "drawn");
        expect(offering.payableUntil).toBe(payableUntil + 1.5 * HOUR_MS);
        expect(offering.allottedAt).toBe(offering.payableUntil);
      },
      { timeout: 20_000, interval: 20 },
    );
  await isOff(1.5);
  await isMoved();
  // It restarts at once, and finds nothing to move.
  await isOff(0);
  await reaches(broker, poor, broker.announce(), "upcoming");
  await isMoved();
  await broker.sequencer.submit({
    memberIds: [poor],
    decide: (batch) =>
      batch.ledger.post({ memberId: poor, kind: "deposit", orderNo: null, moves: [{ from: "external", to: "available", amount: VALUE }] }),
  });
  expect((await pay(broker, poor, subscriptionNo)).status).toBe("paid");
});

it("debits at once where the server was off until the listing, and takes nothing from who cannot pay", async () => {
  const poor = await newSubscriber(broker, FEE + DELIVERY + DEPOSIT);
  const { offeringNo, code } = await openWindow(broker, rich);
  const [a, b] = [await apply(broker, rich, offeringNo), await apply(broker, poor, offeringNo)];
  broker.pass(1);
  await reaches(broker, rich, code, "closed");
  broker.pass(1);
  await becomes(broker, rich, a.subscriptionNo, "won");
  await becomes(broker, poor, b.subscriptionNo, "won");
  await isOff(HOURS.listed);
  await becomes(broker, rich, a.subscriptionNo, "paid");
  expect((await becomes(broker, poor, b.subscriptionNo, "voided")).payableUntil).toBeLessThan(broker.clock.now);
  expect(await moneyOf(broker, poor)).toEqual({ available: FEE + DELIVERY + DEPOSIT, reserved: 0 });
});

it("is void when its market is gone, and takes no application", async () => {
  const who = await newSubscriber(broker);
  const { offeringNo, code } = await openWindow(broker, who);
  const { subscriptionNo } = await apply(broker, who, offeringNo);
  await query(broker.db.kysely, "UPDATE offering SET market = 'another' WHERE offering_no = $1", [offeringNo]);
  expect(await refusalOf(apply(broker, rich, offeringNo))).toMatchObject({ code: "TRD_NO_SUBSCRIBABLE", field: "offeringNo" });
  broker.pass(1);
  await reaches(broker, who, code, "void");
  await becomes(broker, who, subscriptionNo, "voided");
  expect(await moneyOf(broker, who)).toEqual({ available: RICH, reserved: 0 });
});
