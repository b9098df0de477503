/** Tests an ex-date of the simulated exchange: its own dividend is applied to a position when the ex-date's session starts. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import { worth } from "#contract/kernel/money.ts";
import { auditBooks } from "#server/ledger/audit.ts";
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

/** A fund's first dividend of the year after the market's anchor, which is announced to positions. */
beforeAll(async () => {
  const { models, calendar, referenceData } = marketOf(SEED, "always");
  const first = Date.UTC(2027, 0, 1) / DAY_MS;
  const due = models.flatMap((who, at) => {
    const event = who?.kind === "etf" ? who.events.find(({ session }) => calendar.dayOf(session) >= first) : undefined;
    return event ? [{ at, day: calendar.dayOf(event.session) }] : [];
  });
  const soonest = due.toSorted((a, b) => a.day - b.day || a.at - b.at)[0];
  if (!soonest) throw new Error("no fund pays in 2027");
  row = soonest.at;
  exDay = soonest.day;
  code = referenceData.listings[row]?.instrument.code ?? "";
  clock.now = taipeiMidnight(exDay) - 8 * HOUR_MS;
  const now = (): number => clock.now;
  venue = openVenue({ seed: SEED, rate: 400, hours: "always", now });
  // The real market moves its prices, so nothing here sets them.
  broker = await openTestBroker({ venue: venue as FakeVenue, clock });
  venue.start();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  broker.stop();
  await venue.stop();
  await broker.shut();
});

it("is owed to those who held before the ex-date, at its first tick, and not to those who bought on it", async () => {
  const member = await broker.newMember();
  const before = await broker.place(member, { code, lots: 2 });
  expect(before).toMatchObject({ status: "holding", dividendCents: 0 });
  const { availableCents, unsettledCents } = await broker.call("readMember", member, {});
  clock.now = taipeiMidnight(exDay) + MINUTE_MS;
  // The day starts with the market's first tick: until then prices are of the day before, and nothing trades on them.
  const detail = await vi.waitFor(
    async () => {
      const read = await broker.call("readOrder", member, { orderNo: before.orderNo });
      expect(read.adjustments).toHaveLength(1);
      return read;
    },
    { timeout: 60_000, interval: 50 },
  );
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
