/** Tests what contracts are priced by: the shares' own prices where the market tells them, both they and the index on the last day, the index alone elsewhere. */
import { expect, it } from "vitest";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import { contractsNow, deliveries, markNow } from "#server/trading/futures/contracts.ts";
import {
  chainNow,
  ExpiryPrices,
  expiriesNow,
  markedBefore,
  optionDeliveries,
  optionQuoteNow,
} from "#server/trading/futures/option-series.ts";
import { OptionMarks } from "#server/trading/futures/option-value.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { IndexOutlook, Venue } from "#server/venue/venue.ts";
import { USUAL_SMILE } from "#contract/option-price.ts";
import { formatPremium } from "#contract/premium.ts";
import { seriesTexts } from "#workers/option-chain.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";

const NOON = Date.UTC(2026, 10, 10, 4);
const POINT = 10_000;

/** A market whose index stands at 23,000 and whose shares' own prices make up another level; null for one that does not tell. */
function market(fair: number | null | undefined, at = NOON, indexOutlook?: IndexOutlook): Venue {
  const venue = fakeVenue([fakeInstrument(0, "IX0001", { kind: "index", tradable: false })], () => at);
  venue.setPhase("open");
  venue.setFresh(true);
  venue.setExDividend(0, 0);
  venue.set(0, { reference: 22_990, last: 23_000 });
  const state: Venue["state"] = (moment) => {
    const opensAt = Math.floor(moment / DAY_MS) * DAY_MS;
    return { ...venue.state(moment), opensAt: epochMs(opensAt), closesAt: epochMs(opensAt + DAY_MS) };
  };
  return { ...venue, state, ...(fair !== undefined && { fairIndex: () => fair && fair * POINT }), ...(indexOutlook && { indexOutlook }) };
}

const front = (venue: Venue, at = NOON) => contractsNow(venue, at)[0];
/** A noon on the day that the nearest contracts expire on. */
const lastNoon = (): number => (deliveries(market(23_000), NOON)[0]?.opensAt ?? 0) + 4 * 3_600_000;

it("quotes by the shares' own prices, three or four points wide", () => {
  const [told, plain] = [front(market(23_020)), front(market(undefined))];
  expect((told?.ask ?? 0) - (told?.bid ?? 0)).toBeGreaterThanOrEqual(2);
  expect((told?.ask ?? 0) - (told?.bid ?? 0)).toBeLessThanOrEqual(4);
  expect(told?.bid).toBeLessThanOrEqual(23_020);
  expect(told?.ask).toBeGreaterThan(23_020);
  // Of an index of last trades it is known where it goes next.
  expect(plain?.bid).toBeLessThanOrEqual(23_000 - 13);
  expect(plain?.ask).toBeGreaterThanOrEqual(23_000 + 13);
  // What a position is worth is between what it sells and what it buys for.
  const mark = markNow(market(23_020), deliveries(market(23_020), NOON)[0]?.expiryDay ?? 0, NOON);
  expect(mark).toBeGreaterThanOrEqual(told?.bid ?? Infinity);
  expect(mark).toBeLessThanOrEqual(told?.ask ?? 0);
});

it("quotes far months wider, and options in proportion", () => {
  const venue = market(23_020);
  const widths = contractsNow(venue, NOON)
    .filter(({ product }) => product === "TX")
    .map(({ bid, ask }) => (ask ?? 0) - (bid ?? 0));
  expect(widths).toEqual(widths.toSorted((a, b) => a - b));
  expect(widths.at(-1)).toBeLessThan(25);
  const [delivery] = optionDeliveries(venue, NOON);
  if (!delivery) throw new Error("no options");
  const [told, plain] = [venue, market(undefined)].map(
    (own) => chainNow(own, NOON, delivery).find(({ strike }) => strike === 23_000)?.call,
  );
  expect((told?.ask ?? 0) - (told?.bid ?? 0)).toBeLessThanOrEqual(80);
  expect((plain?.ask ?? 0) - (plain?.bid ?? 0)).toBeGreaterThan(200);
  expect(expiriesNow(venue, NOON)[0]).toMatchObject({ followsIndex: false, forward: expect.any(Number) });
  expect(expiriesNow(market(undefined), NOON)[0]?.followsIndex).toBe(true);
});

/** A market whose options are expected to move by another volatility in each month, and by another one at the close before. */
const outlook: IndexOutlook = {
  now: (_row, at, { opensAt }) => ({
    days: (opensAt - at) / DAY_MS,
    smile: { level: 0.1 + (opensAt - at) / DAY_MS / 1_000, lean: 0, curve: 0.6 },
  }),
  before: (_row, day, { opensAt }) => ({ days: opensAt / DAY_MS - day, smile: { level: 0.35, lean: 0, curve: 0.6 } }),
};

it("prices options by what the market expects, tells the phone all of it, and has the phone quote the same", () => {
  const venue = market(23_020, NOON, outlook);
  const levels = expiriesNow(venue, NOON).map((expiry, nth) => {
    const delivery = optionDeliveries(venue, NOON)[nth];
    if (!delivery) throw new Error("no options");
    const chain = chainNow(venue, NOON, delivery);
    expect(chain.length).toBeGreaterThan(20);
    const prices = new ExpiryPrices(venue, delivery, NOON);
    const { forward, half, halfVolatility, days, smile } = expiry;
    const priced = { index: 23_000 * POINT, forward: forward ?? 0, half, halfVolatility, followsIndex: false, days, smile, series: [] };
    for (const { strike, volatility, call, put } of chain)
      for (const [right, { code, bid, ask, mark }] of [
        ["call", call],
        ["put", put],
      ] as const) {
        const texts = seriesTexts(priced, { code, right, strike, quoted: ask !== null }, 23_000 * POINT);
        const shown = (tenths: number | null): string => (tenths === null ? "--" : formatPremium(tenths));
        expect(texts.slice(0, 4)).toEqual([shown(bid), shown(ask), formatPremium(mark ?? 0), `${(volatility * 100).toFixed(1)}%`]);
        const one = { right, strike };
        for (let again = 0; again < 2; again += 1) {
          expect(prices.mark(right, strike)).toBe(mark);
          expect(prices.quote(right, strike)?.ask ?? null).toBe(ask);
        }
        expect(optionQuoteNow(venue, delivery, one, NOON)?.ask ?? null).toBe(ask);
      }
    return smile.level;
  });
  expect(levels).toEqual(levels.toSorted((a, b) => a - b));
  expect(new Set(levels).size).toBe(5);
  // Without an expectation, as on a live feed, it is the usual one.
  expect(expiriesNow(market(undefined), NOON).map(({ smile }) => smile)).toEqual(Array.from({ length: 5 }, () => USUAL_SMILE));
});

it("values many positions at a moment by one look at each expiry, as it values each alone", () => {
  let looks = 0;
  const now: IndexOutlook["now"] = (...asked) => {
    looks += 1;
    return outlook.now(...asked);
  };
  const venue = market(23_020, NOON, { ...outlook, now });
  const [near, far] = optionDeliveries(venue, NOON);
  if (!near || !far) throw new Error("no options");
  const rows = Array.from({ length: 60 }, (_, nth) => {
    const { expiryDay, opensAt, closesAt } = nth % 3 === 0 ? far : near;
    const [right, strike] = [nth % 2 === 0 ? ("call" as const) : ("put" as const), 22_000 + 100 * (nth % 20)];
    const expiry = { expiry_day: expiryDay, expiry_opens_at: opensAt, expiry_closes_at: closesAt, mark_day: venue.feeDay(NOON) };
    return { ...expiry, option_right: right, strike, lots: (nth % 5) - 2, marked_tenths: 7 } as OptionRecord;
  });
  const marks = new OptionMarks(venue, NOON);
  const together = rows.map((row) => marks.tenths(row));
  expect(looks).toBe(2);
  expect(together).toEqual(rows.map((row) => new OptionMarks(venue, NOON).tenths(row)));
  expect(new Set(together).size).toBeGreaterThan(20);
  // What expired, or was not marked for the day before, is worth what it was.
  const [one] = rows;
  if (!one) throw new Error("no position");
  expect(marks.tenths({ ...one, mark_day: one.mark_day - 1 })).toBe(7);
  expect(marks.tenths({ ...one, expiry_day: one.mark_day - 1 })).toBe(7);
});

it("marks a day by what was expected at the close before it", () => {
  const [told, plain] = [market(23_020, NOON, outlook), market(23_020)];
  const delivery = optionDeliveries(told, NOON)[1];
  if (!delivery) throw new Error("no options");
  const day = told.feeDay(NOON);
  const markBy = (venue: Venue, of = day): number => markedBefore(venue, 23_000 * POINT, delivery, { right: "call", strike: 23_000 }, of);
  // About 0.35 against 0.17.
  expect(markBy(told) / markBy(plain)).toBeGreaterThan(1.8);
  expect(markBy(told, day + 5)).toBeLessThan(markBy(told));
});

it("has a contract on its last day between the index it is settled by and the level that this comes back to", () => {
  const at = lastNoon();
  for (const fair of [22_980, 23_000, 23_016]) {
    const venue = market(fair, at);
    const [low, high] = [Math.min(fair, 23_000), Math.max(fair, 23_000)];
    const [own, next] = contractsNow(venue, at).filter(({ product }) => product === "TX");
    expect(own?.bid).toBeLessThan(low);
    expect(own?.bid).toBeGreaterThanOrEqual(low - 3);
    expect(own?.ask).toBeGreaterThan(high);
    expect(own?.ask).toBeLessThanOrEqual(high + 3);
    // The next month is quoted by the level alone.
    expect((next?.ask ?? 0) - (next?.bid ?? 0)).toBeLessThanOrEqual(4);
    const [delivery] = optionDeliveries(venue, at);
    if (!delivery) throw new Error("no options");
    // Far in the money a call and the strike are the future, at the worse of both levels.
    const deep = chainNow(venue, at, delivery)[0];
    expect((deep?.call.ask ?? 0) / 10 + (deep?.strike ?? 0)).toBeGreaterThanOrEqual(high);
    expect((deep?.call.bid ?? 0) / 10 + (deep?.strike ?? 0)).toBeLessThanOrEqual(low);
  }
});

it("values by the index while no shares trade, and quotes nothing narrow then", () => {
  const venue = market(null);
  const expiryDay = deliveries(venue, NOON)[0]?.expiryDay ?? 0;
  expect(markNow(venue, expiryDay, NOON)).toBe(markNow(market(undefined), expiryDay, NOON));
  expect(front(venue)).toEqual(front(market(undefined)));
});

it("is told by the sandbox while it trades, and moves between the trades of a minute", async () => {
  const codes = ["2330", "2317", "2454", "1101", "IX0001"];
  const venue = openVenue({ seed: 5, hours: "always", codes, rate: 100, now: () => NOON });
  venue.start();
  try {
    const quote = front(venue);
    expect((quote?.ask ?? 0) - (quote?.bid ?? 0)).toBeOneOf([2, 3, 4]);
    for (const { smile } of expiriesNow(venue, NOON)) expect(smile).not.toEqual(USUAL_SMILE);
    const row = venue.instrument("IX0001")?.row ?? -1;
    expect(new Set([0, 20_000, 40_000].map((after) => venue.fairIndex?.(row, NOON + after))).size).toBe(3);
  } finally {
    await venue.stop();
  }
});
