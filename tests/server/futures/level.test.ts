/** Tests what contracts are priced by: the shares' own prices where the market tells them, both they and the index on the last day, the index alone elsewhere. */
import { expect, it } from "vitest";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import { contractsNow, deliveries, markNow } from "#server/trading/futures/contracts.ts";
import { chainNow, expiriesNow, optionDeliveries } from "#server/trading/futures/option-series.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";

const NOON = Date.UTC(2026, 10, 10, 4);
const POINT = 10_000;

/** A market whose index stands at 23,000 and whose shares' own prices make up another level; null for one that does not tell. */
function market(fair: number | null | undefined, at = NOON): Venue {
  const venue = fakeVenue([fakeInstrument(0, "IX0001", { kind: "index", tradable: false })], () => at);
  venue.setPhase("open");
  venue.setFresh(true);
  venue.setExDividend(0, 0);
  venue.set(0, { reference: 22_990, last: 23_000 });
  const state: Venue["state"] = (moment) => {
    const opensAt = Math.floor(moment / DAY_MS) * DAY_MS;
    return { ...venue.state(moment), opensAt: epochMs(opensAt), closesAt: epochMs(opensAt + DAY_MS) };
  };
  return { ...venue, state, ...(fair !== undefined && { fairIndex: () => fair && fair * POINT }) };
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
    const row = venue.instrument("IX0001")?.row ?? -1;
    expect(new Set([0, 20_000, 40_000].map((after) => venue.fairIndex?.(row, NOON + after))).size).toBe(3);
  } finally {
    await venue.stop();
  }
});
