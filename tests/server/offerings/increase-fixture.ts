/** Fixture of tests of capital increases: a broker whose venue announces one of a listed share, with its ex-event. */
import { expect } from "vitest";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { DAY_MS, HOUR_MS, epochMs, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { OfferingEntry } from "#contract/offering.ts";
import type { Increase } from "#server/venue/issue.ts";
import { action, units } from "#tests/server/trading/ex-terms.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const CODE = "2330";
const ROW = 0;
const START = Date.UTC(2026, 6, 1, 2, 0, 0);
/** New shares at 80.00, 150 per thousand held, at a close of 100.00. */
const TERMS = { rightsMillionths: 150_000, rightsPrice: units(80) };
/** Days from the ex-date to each moment. */
const DAYS = { opens: 1, closes: 3, allotted: 5, listed: 6 };

export interface IncreaseBroker extends TestBroker {
  /** The ex-events of its venue. They outlive a process, but not a test file. */
  events: CorporateAction[];
  /** Announces an increase whose ex-date is tomorrow. */
  announce(): Increase;
  /** The ex-event of the latest increase. */
  event(): CorporateAction;
  /** Begins the day so many days after the ex-date of the latest increase, at a price in currency units. */
  goTo(days: number, price?: number): Promise<void>;
  buy(member: number, lots: number, also?: Record<string, unknown>): Promise<OrderNo>;
}

function calm(venue: FakeVenue, at: number): void {
  venue.set(ROW, { bids: [[at, 4_000]], asks: [[at, 4_000]], last: at, reference: at });
}

/** A venue whose ex-events appear on their day. */
function exVenue(clock: { now: number }, events: readonly CorporateAction[]): FakeVenue {
  const plain = fakeVenue(INSTRUMENTS, () => clock.now);
  return { ...plain, actions: async (code) => (code === CODE ? events.filter(({ at }) => at <= plain.state(clock.now).opensAt) : []) };
}

/** Opens a broker; on an existing one's database, venue and clock if it is given. */
export async function openIncreases(before?: IncreaseBroker): Promise<IncreaseBroker> {
  const clock = before?.clock ?? { now: START };
  const events = before?.events ?? [];
  const venue = before?.venue ?? exVenue(clock, events);
  const beginDay = (): void => venue.setDay(taipeiMidnight(taipeiDay(clock.now)), taipeiMidnight(taipeiDay(clock.now) + 1));
  if (!before) {
    beginDay();
    calm(venue, 100);
  }
  const broker = await openTestBroker({ venue, clock, ...(before ? { db: before.db } : {}) });
  const increases: Increase[] = [...venue.increases(0)];
  const latest = (): Increase => {
    const one = increases.at(-1);
    if (!one) throw new Error("no increase is announced");
    return one;
  };
  return {
    ...broker,
    events,
    announce() {
      const exDay = taipeiDay(clock.now) + 1;
      const at = (days: number) => epochMs(taipeiMidnight(exDay) + days * DAY_MS);
      events.push(action("rights", TERMS, exDay));
      increases.push({
        code: CODE,
        ratioPerMillion: TERMS.rightsMillionths,
        provisionalPrice: 79 * PRICE_ONE,
        leadBroker: { zh: "承銷", zhCn: "承销", en: "Lead" },
        announcedAt: epochMs(clock.now),
        exAt: at(0),
        opensAt: at(DAYS.opens),
        closesAt: at(DAYS.closes),
        payableUntil: at(DAYS.closes),
        allottedAt: at(DAYS.allotted),
        tradesFrom: at(DAYS.listed),
      });
      venue.setIncreases(increases);
      return latest();
    },
    event: () => {
      const event = events.at(-1);
      if (!event) throw new Error("no ex-event");
      return event;
    },
    async goTo(days, price) {
      clock.now = latest().exAt + days * DAY_MS + HOUR_MS;
      if (price !== undefined) calm(venue, price);
      beginDay();
      await broker.settled();
      await broker.tick();
    },
    async buy(member, lots, also = {}) {
      const { orderNo } = await broker.place(member, { code: CODE, lots, also });
      expect((await broker.call("readOrder", member, { orderNo })).order.status).toBe("holding");
      return orderNo;
    },
  };
}

/** The latest increase as a member reads it. */
export const readIncrease = (broker: TestBroker, member: number): Promise<OfferingEntry> =>
  broker.call("findOffering", member, { code: CODE as never });
