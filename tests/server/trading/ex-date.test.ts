/** Tests ex-dates of the simulated exchange: its own dividend and its own split are applied to a position when the ex-date's session starts. */
import { afterEach, expect, it, vi } from "vitest";
import type { Kind } from "#contract/instrument.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import { grouped, worth } from "#contract/kernel/money.ts";
import { tellUntold } from "#server/accounts/untold-messages.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { ExEvent } from "#server/venue/simulator/corporate-actions.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const SEED = 11;
const clock = { now: 0 };
let venue: Venue;
let broker: TestBroker;
let code: string;
let row: number;
let exDay: number;

/** Opens the market and the broker some hours before the first such event of the year after the market's anchor. */
async function openBefore(isDue: (kind: Kind | undefined, event: ExEvent) => boolean): Promise<void> {
  const { models, calendar, referenceData } = marketOf(SEED, "always");
  const first = Date.UTC(2027, 0, 1) / DAY_MS;
  const due = models.flatMap((who, at) => {
    const event = who?.events.find((one) => calendar.dayOf(one.session) >= first && isDue(who.kind, one));
    return event ? [{ at, day: calendar.dayOf(event.session) }] : [];
  });
  const soonest = due.toSorted((a, b) => a.day - b.day || a.at - b.at)[0];
  if (!soonest) throw new Error("none is due in 2027");
  row = soonest.at;
  exDay = soonest.day;
  code = referenceData.listings[row]?.instrument.code ?? "";
  clock.now = taipeiMidnight(exDay) - 8 * HOUR_MS;
  const now = (): number => clock.now;
  venue = openVenue({ seed: SEED, rate: 400, hours: "always", bookClosures: true, now });
  // The real market moves its prices, so nothing here sets them.
  broker = await openTestBroker({ venue: venue as FakeVenue, clock });
  venue.start();
}
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.stop();
  await venue.stop();
  await broker.shut();
});

/** Begins the ex-date: the day starts with the market's first tick; until then prices are of the day before, and nothing trades on them. */
async function beginExDate(member: number, orderNo: OrderNo) {
  clock.now = taipeiMidnight(exDay) + MINUTE_MS;
  return vi.waitFor(
    async () => {
      const read = await broker.call("readOrder", member, { orderNo });
      expect(read.adjustments).toHaveLength(1);
      return read;
    },
    { timeout: 60_000, interval: 50 },
  );
}

it("a fund's dividend is owed to those who held before the ex-date, at its first tick, and not to those who bought on it", async () => {
  await openBefore((kind) => kind === "etf");
  const member = await broker.newMember();
  const before = await broker.place(member, { code, lots: 2 });
  expect(before).toMatchObject({ status: "holding", dividendCents: 0 });
  const { availableCents, unsettledCents } = await broker.call("readMember", member, {});
  const detail = await beginExDate(member, before.orderNo);
  const action = (await venue.actions(code)).at(-1);
  if (!action) throw new Error("the venue reports no ex-event");
  const cash = worth(action.cash, 2 * before.lotShares);
  expect(cash).toBeGreaterThan(0);
  expect(action.at).toBe(taipeiMidnight(exDay));
  expect(detail.adjustments).toMatchObject([{ kind: "dividend", at: action.at, cashCents: cash, fromLots: 2, toLots: 2 }]);
  expect(detail.order.dividendCents).toBe(cash);
  // It is owed from now on, and paid some weeks later.
  expect(await broker.call("readMember", member, {})).toMatchObject({ availableCents, unsettledCents: unsettledCents + cash });
  expect((await broker.call("listSettlements", member, {})).settlements).toMatchObject([
    { kind: "dividend", tradedAt: action.at, dueAt: action.paysAt, amountCents: cash },
  ]);
  expect(venue.quote(row).reference).toBe(action.reference);
  const after = await broker.place(member, { code });
  expect((await broker.call("readOrder", member, { orderNo: after.orderNo })).adjustments).toEqual([]);
});

it("a share that is split after the anchor becomes several, at the price of one divided, and its holder is told before and then", async () => {
  await openBefore((_, { kind }) => kind === "split");
  const member = await broker.newMember();
  const before = await broker.place(member, { code, lots: 2 });
  const { ex } = venue.bookClosures(exDay - 1, exDay + 10).find((closure) => closure.row === row) ?? {};
  const times = 1 + (ex?.freeMillionths ?? 0) / 1_000_000;
  expect(times).toBeGreaterThan(1);
  await broker.tick();
  const { order, adjustments } = await beginExDate(member, before.orderNo);
  const shares = 2 * before.lotShares * times;
  expect(adjustments).toMatchObject([{ kind: "split", at: taipeiMidnight(exDay), fromLots: 2, cashCents: 0 }]);
  expect(order.filledLots * order.lotShares).toBe(shares);
  const action = (await venue.actions(code)).at(-1);
  expect(action?.reference).toBe(Math.round((action?.closeBefore ?? 0) / times));
  expect(venue.quote(row).reference).toBe(action?.reference);
  await tellUntold({ db: broker.db, sequencer: broker.sequencer, now: () => clock.now }, new Map());
  const { items } = await broker.call("listMessages", member, { cursor: null });
  expect(items.flatMap(({ notice }) => notice ?? []).toReversed()).toMatchObject([
    { about: "sharesDue", values: { code, shares: grouped(String(1000 * times)) } },
    { about: "sharesChanged", values: { code, before: "2,000", after: grouped(String(shares)) } },
  ]);
});
