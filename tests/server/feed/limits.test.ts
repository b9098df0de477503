/** Tests the daily limits of a live market: those reported by the feed, otherwise from an instrument's code and name. */
import { afterEach, describe, expect, it } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { feedMarketOf } from "#server/venue/feed/feed-market.ts";
import { ticksIn } from "#server/venue/feed/mis-reply.ts";
import { Tick } from "#server/venue/feed/port.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";
import { quoteRow } from "./exchange-stand-in.ts";
import { book, day, openScript, taipei, units } from "./script-feed.ts";
import type { Script } from "./script-feed.ts";

const TEN = taipei("10:00:00");
const INSTRUMENTS = [
  fakeInstrument(0, "2330"),
  fakeInstrument(1, "00631L", { kind: "etf", limitPercent: 20 }),
  fakeInstrument(2, "00646", { kind: "etf", limitPercent: null }),
];
const open: Script[] = [];
afterEach(async () => {
  for (const { venue } of open.splice(0)) await venue.stop();
});
async function atTen(): Promise<Script> {
  const script = await openScript({ at: TEN, instruments: INSTRUMENTS });
  open.push(script);
  for (const { code } of INSTRUMENTS) script.emit(day(TEN, { reference: units(98), last: units(98), volume: 1 }, code));
  return script;
}
const limits = (up: number, down: number) => ({ up: price(units(up)), down: price(units(down)) });

describe("a day's limits", () => {
  it("follow from the reference and the instrument while the feed does not report them", async () => {
    const { venue } = await atTen();
    expect([0, 1, 2].map((row) => venue.limits(row, TEN))).toEqual([limits(107.5, 88.2), limits(117.6, 78.4), null]);
  });

  it("are the feed's once reported, for auctions, rankings and orders alike, until it reports others", async () => {
    const script = await atTen();
    const { venue } = script;
    // Computed from an unrounded reference, as on an ex-date.
    script.emit(day(TEN + 1, { limits: limits(107, 88.5), last: units(107), volume: 2 }), book(TEN + 1, [[107, 5]], []));
    script.emit(day(TEN + 1, { limits: "none" }, "00631L"), day(TEN + 1, { limits: limits(107.8, 88.2) }, "00646"));
    expect([0, 1, 2].map((row) => venue.limits(row, TEN))).toEqual([limits(107, 88.5), null, limits(107.8, 88.2)]);
    expect(venue.callBook(0, false)?.limits).toEqual(limits(107, 88.5));
    script.emit(day(TEN + 2, { limits: null }));
    expect(venue.limits(0, TEN)).toEqual(limits(107, 88.5));
  });

  it("apply to one session: the next begins without the feed's limits", async () => {
    const script = await atTen();
    script.emit(day(TEN + 1, { limits: "none" }));
    expect(script.venue.limits(0, TEN)).toBeNull();
    const next = taipei("10:00:00", "2026-03-03");
    script.set(next);
    script.emit(day(next, { reference: units(98) }));
    expect(script.venue.limits(0, next)).toEqual(limits(107.5, 88.2));
  });
});

describe("a row of the quote service", () => {
  const limitsOf = (over: Record<string, string>): unknown => {
    const [first] = ticksIn(quoteRow("2330", TEN, over), "2330", false, new Map());
    expect(Tick.safeParse(first).success).toBe(true);
    return first?.kind === "day" ? first.limits : undefined;
  };

  it("reports the day's limits, their absence as 9999.95 and 0.01, or nothing", () => {
    expect(limitsOf({ u: "107.5000", w: "88.2000" })).toEqual(limits(107.5, 88.2));
    expect(limitsOf({ u: "9999.9500", w: "0.0100" })).toBe("none");
    expect(limitsOf({ u: "-", w: "88.2000" })).toBeNull();
    expect(limitsOf({ u: "107.5000", w: "0.0000" })).toBeNull();
    // A price in the thousands with real limits.
    expect(limitsOf({ u: "11000.0000", w: "9000.0000" })).toEqual(limits(11_000, 9_000));
  });
});

describe("an exchange's listing", () => {
  const percentOf = (code: string, name: string): number | null | undefined => {
    const line = { code, name, board: "listed" as const, english: null, industry: null, issuedThousands: 0, listedDay: null, latest: null };
    return feedMarketOf("test", [line], () => false).instruments[0]?.limitPercent;
  };

  it.each([
    ["1101", "台泥", 10],
    ["00713", "元大台灣高息低波", 10],
    ["00664R", "國泰臺灣加權反1", 10],
    ["00685L", "群益臺灣加權正2", 20],
    ["009999", "某某臺灣加權正3", 30],
    ["02001L", "某某台股正二N", 20],
    ["00640L", "富邦日本正2", null],
    ["00924", "復華S&P500成長", null],
    ["00764B", "群益25年美債", null],
    ["00715L", "期街口S&P布蘭特油正2", null],
    ["00636K", "國泰中國A50+U", null],
    // The sandbox's reference data takes precedence over the name.
    ["00893", "國泰智能電動車", null],
  ])("%s %s may move %s per cent a day", (code, name, percent) => expect(percentOf(code, name)).toBe(percent));

  it("allows neither margin nor short selling without a limit", () => {
    const line = {
      code: "00924",
      name: "復華S&P500成長",
      board: "listed" as const,
      english: null,
      industry: null,
      issuedThousands: 0,
      listedDay: null,
      latest: null,
    };
    expect(feedMarketOf("test", [line], () => false).instruments[0]).toMatchObject({ shortable: false, marginable: false, tradable: true });
  });
});
