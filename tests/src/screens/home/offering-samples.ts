/** Offerings and applications for tests of their screens. */
import { cents, price } from "#contract/kernel/money.ts";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import type { Offering, OfferingEntry } from "#contract/offering.ts";
import type { Subscription } from "#contract/subscription.ts";

/** Monday, 10:00 in Taipei. */
export const NOW = Date.UTC(2026, 5, 1, 2);
const after = (hours: number) => epochMs(NOW + hours * HOUR_MS);

/** A share at 52.00 that has been open for an hour; its dates are an hour apart. */
export const offeringOf = (over: Partial<Offering> = {}): Offering => ({
  offeringNo: "S1",
  code: "N0001" as Offering["code"],
  kind: "share",
  phase: "open",
  names: { zh: "黑潮光電", zhCn: "黑潮光电", en: "Kuroshio Photonics" },
  board: "listed",
  category: "24",
  leadBroker: { zh: "北極證券", zhCn: "北极证券", en: "Polar Securities" },
  price: price(520_000),
  provisionalPrice: price(600_000),
  marketPrice: null,
  premium: null,
  lots: 284,
  lotShares: 1_000,
  leastLots: 1,
  mostLots: 1,
  subscribedLots: null,
  winningLots: null,
  winningPerMillion: null,
  announcedAt: after(-2),
  opensAt: after(-1),
  closesAt: after(1),
  drawnAt: after(2),
  payableFrom: null,
  payableUntil: after(3),
  allottedAt: after(4),
  tradesFrom: after(28),
  auction: null,
  increase: null,
  commitment: { secretHash: "5e".repeat(32), crowdHash: "c0".repeat(32), committedAt: after(-2) },
  ...over,
});

export const entryOf = (over: Partial<Offering> = {}, rest: Partial<OfferingEntry> = {}): OfferingEntry => ({
  offering: offeringOf(over),
  booked: false,
  subscription: null,
  entitlement: null,
  ...rest,
});

/** An application of one lot for it: NT$52,000, a deposit of a tenth. */
export const subscriptionOf = (over: Partial<Subscription> = {}): Subscription => ({
  subscriptionNo: "U1",
  offeringNo: "S1",
  code: "N0001" as Subscription["code"],
  kind: "share",
  status: "subscribing",
  lots: 1,
  wonLots: null,
  price: price(520_000),
  receipt: "ab".repeat(32),
  feeCents: cents(2_000),
  deliveryCents: cents(5_000),
  depositCents: cents(520_000),
  reservedCents: cents(525_000),
  dueCents: null,
  paidCents: cents(0),
  restCents: cents(0),
  forfeitCents: cents(0),
  appliedAt: after(0),
  resultAt: null,
  paidAt: null,
  endedAt: null,
  orderNo: null,
  phase: "open",
  closesAt: after(1),
  payableFrom: null,
  payableUntil: after(3),
  allottedAt: after(4),
  tradesFrom: after(28),
  ...over,
});

/** A lot that was won an hour ago and is to be paid. */
export const wonOf = (over: Partial<Subscription> = {}): Subscription =>
  subscriptionOf({
    status: "won",
    phase: "drawn",
    wonLots: 1,
    dueCents: cents(5_200_000),
    restCents: cents(4_680_000),
    forfeitCents: cents(520_000),
    closesAt: after(-3),
    payableFrom: after(-1),
    resultAt: after(-1),
    ...over,
  });
