/** Sellers of blocks: what they offer follows from seed and session, never breaks the day's rules, and never gives money away. */
import { describe, expect, it } from "vitest";
import { discountOf, isWithinCosts, lowestBlockPrice, roundTripOf } from "#contract/block-price.ts";
import { feeOf, taxOf } from "#contract/fee.ts";
import { PRICE_ONE, cents, price, worth } from "#contract/kernel/money.ts";
import { dayLimits } from "#contract/tick.ts";
import { blockWindowAt, blockWindows } from "#server/venue/calendar/block-hours.ts";
import { HOURS } from "#server/venue/calendar/session-rules.ts";
import { UNWATCHED } from "#server/venue/simulator/watch-list.ts";
import { BlockSellers } from "#server/venue/simulator/block-sellers.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import { ListedTable } from "#server/venue/simulator/listed-table.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";

const FULL = { feePerMillion: 1_425, taxPerMillion: 3_000 };
const REWARD = { seatFeePerMillion: 855, rebatePerMillion: 200_000 };
const COSTS = roundTripOf(FULL, REWARD);
const SESSIONS = 12;
/** A Thursday after the anchor day. */
const START = Date.UTC(2026, 9, 8);

const CODES = [
  "2330",
  "2317",
  "2454",
  "2603",
  "2881",
  "2882",
  "2002",
  "1301",
  "1303",
  "2412",
  "3008",
  "2308",
  "2886",
  "5880",
  "1101",
  "2883",
];

function open(seed: number, hours: (typeof HOURS)[number], isHalted: (row: number) => boolean = () => false) {
  const market = marketOf(seed, hours, CODES);
  const { instruments } = new ListedTable(market);
  return { market, instruments, sellers: new BlockSellers(market, instruments, isHalted, () => UNWATCHED) };
}

/** What a friend with the lowest fees earns by selling what was bought here, with the rebate of both fees. */
function earned(at: number, market: number, shares: number): number {
  const terms = { feePerMillion: REWARD.seatFeePerMillion, feeMinimumCents: cents(2_000), taxPerMillion: FULL.taxPerMillion };
  const [paid, got] = [worth(price(at), shares), worth(price(market), shares)];
  const fees = feeOf(terms, paid) + feeOf(terms, got);
  return got - paid - taxOf(terms, got) - fees + Math.floor((fees * REWARD.rebatePerMillion) / 1_000_000);
}

describe.each(HOURS)("in %s hours", (hours) => {
  const { market, instruments, sellers } = open(7, hours);
  const { calendar } = market;
  const first = calendar.at(START).session;
  const sessions = Array.from({ length: SESSIONS }, (_, nth) => first + nth);
  const moments = sessions.flatMap((session) =>
    blockWindows(calendar, session).flatMap(({ from, until, slotMs }) => {
      const slots = Math.floor((until - from) / slotMs);
      return Array.from({ length: slots }, (_, slot) => ({ session, at: from + slot * slotMs + 1 }));
    }),
  );

  it("offers whole lots within the day's limits, on a tick of a cent, on no ex-date, at a discount that earns nothing", () => {
    let seen = 0;
    for (const { session, at } of moments) {
      for (const offer of sellers.offers(at)) {
        seen += 1;
        const model = market.models[offer.row];
        const instrument = instruments[offer.row];
        if (!model || !instrument) throw new Error(`no row ${offer.row}`);
        const path = new Path(model, new DailyProcessReader(model, session).next(), market.sessionProfile(session));
        const limits = dayLimits(instrument, path.day.reference);
        expect(offer.price).toBeGreaterThanOrEqual(limits?.down ?? Infinity);
        expect(offer.price).toBeLessThanOrEqual(limits?.up ?? 0);
        expect([offer.price % (PRICE_ONE / 100), offer.shares % 1_000, offer.left]).toEqual([0, 0, offer.shares]);
        expect(offer.shares).toBeGreaterThanOrEqual(10_000);
        expect(offer.closesAt).toBeGreaterThan(at);
        expect(offer.unlocksAt).toBe(calendar.acceptsOrdersAt(session + 1));
        expect(offer.unlocksAt).toBeGreaterThanOrEqual(offer.closesAt);
        expect([instrument.watch === "disposition", model.events.some((event) => event.session === session)]).toEqual([false, false]);
        // Whatever the market does next: the price is to be had only where selling on the market earns nothing.
        for (let minute = 0; minute <= calendar.minutes; minute += Math.ceil(calendar.minutes / 12)) {
          const pays = path.mark(minute);
          if (isWithinCosts({ price: offer.price, market: pays }, COSTS))
            expect(earned(offer.price, pays, 10_000), `${offer.offerId} at ${pays}`).toBeLessThanOrEqual(0);
        }
      }
    }
    expect(seen).toBeGreaterThan(SESSIONS * 3);
  });

  it("begins each offer at a price that can be had", () => {
    for (const { session, at } of moments) {
      for (const { opensAt, row, price: asked } of sellers.offers(at).filter((offer) => offer.opensAt === at - 1)) {
        const model = market.models[row];
        if (!model) throw new Error(`no row ${row}`);
        const path = new Path(model, new DailyProcessReader(model, session).next(), market.sessionProfile(session));
        const minute = Math.floor((opensAt - calendar.opensAt(session)) / calendar.minuteMs);
        const pays = minute < 0 ? path.day.reference : path.mark(minute >= calendar.continuous ? calendar.minutes : minute);
        expect(asked).toBeGreaterThanOrEqual(lowestBlockPrice(pays, COSTS));
        expect(discountOf(asked, pays)).toBeLessThanOrEqual(41);
      }
    }
  });

  it("is the same after a restart, and another with another seed", () => {
    const at = moments[5]?.at ?? 0;
    expect(open(7, hours).sellers.offers(at)).toEqual(sellers.offers(at));
    expect(open(8, hours).sellers.offers(at)).not.toEqual(sellers.offers(at));
  });

  it("opens and closes where its windows say", () => {
    const [window] = blockWindows(calendar, first);
    if (!window) throw new Error("no window");
    expect(sellers.hours(window.from)).toEqual({ open: true, changesAt: window.until });
    expect(sellers.hours(window.until - 1).open).toBe(true);
    const after = blockWindowAt(calendar, window.until);
    expect(after.changesAt).toBeGreaterThan(window.until);
    if (hours === "always") expect(after.window).not.toBeNull();
    else expect(sellers.offers(window.until)).toEqual([]);
  });
});

it("keeps the exchange's hours, and offers nothing of what is halted or taken", () => {
  const { sellers } = open(7, "taiwan");
  const taipei = (hour: number, minute: number): number => Date.UTC(2026, 9, 8, hour - 8, minute);
  const hours = [
    [7, 59],
    [8, 0],
    [8, 29],
    [8, 30],
    [9, 0],
    [16, 59],
    [17, 0],
  ] as const;
  expect(hours.map(([hour, minute]) => sellers.hours(taipei(hour, minute)).open)).toEqual([false, true, true, false, true, true, false]);
  // Saturday, and the Double Tenth holiday before it.
  expect(sellers.hours(Date.UTC(2026, 9, 10, 3)).open).toBe(false);
  const [offer] = sellers.offers(taipei(10, 1));
  if (!offer) throw new Error("nothing is offered");
  sellers.setTaken(offer.offerId, 10_000);
  expect(sellers.offers(taipei(10, 1))[0]).toEqual({ ...offer, left: offer.shares - 10_000 });
  const halted = open(7, "taiwan", (row) => row === offer.row).sellers;
  expect(halted.offers(taipei(10, 1)).some(({ row }) => row === offer.row)).toBe(false);
});
