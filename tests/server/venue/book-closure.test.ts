/** Tests when the registers of the simulated market close. */
import { describe, expect, it } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { tradesOn } from "#server/venue/calendar/trading-calendar.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { closuresOf } from "#server/venue/simulator/book-closures.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";

const CODES = ["2330", "2603", "0050", "1101"];
const FROM = Date.UTC(2027, 0, 1) / DAY_MS;
const UNTIL = Date.UTC(2027, 11, 31) / DAY_MS;

describe("a year of registers", () => {
  const market = marketOf(3, "always", CODES);
  const closures = closuresOf(market, FROM, UNTIL);

  it("has one for each ex-event, on the second trading day after its ex-date", () => {
    const due = market.models.flatMap((model, row) =>
      (model?.events ?? []).flatMap(({ session, kind, freeMillionths }) => {
        const exDay = market.calendar.dayOf(session);
        const days = Array.from({ length: 30 }, (_, at) => exDay + 1 + at).filter(tradesOn);
        const day = days[1] ?? 0;
        return FROM <= day && day <= UNTIL ? [{ row, reason: kind, day, ex: { day: exDay, freeMillionths } }] : [];
      }),
    );
    expect(due.length).toBeGreaterThan(0);
    expect(closures.filter(({ reason }) => reason !== "meeting")).toEqual(due.map((one): unknown => expect.objectContaining(one)));
  });

  it("has one before the meeting of each company, in spring, and none of a fund", () => {
    const meetings = closures.filter(({ reason }) => reason === "meeting");
    const stocks = market.models.flatMap((model, row) => (model?.kind === "stock" ? [row] : []));
    expect(meetings.map(({ row }) => row)).toEqual(stocks);
    for (const { day } of meetings) expect([2, 3, 4]).toContain(new Date(day * DAY_MS).getUTCMonth());
  });

  it("is the same however it is asked for", () => {
    const middle = Date.UTC(2027, 5, 30) / DAY_MS;
    const parts = [...closuresOf(market, FROM, middle), ...closuresOf(market, middle + 1, UNTIL)];
    const byDay = (all: typeof closures) => all.map((one) => JSON.stringify(one)).toSorted();
    expect(byDay(parts)).toEqual(byDay(closures));
    expect(byDay([...closuresOf(market, FROM, UNTIL)])).toEqual(byDay(closures));
  });

  it("is looked up once while the same days are asked for", () => {
    expect(closuresOf(market, FROM, UNTIL)).toBe(closuresOf(market, FROM, UNTIL));
    expect(closuresOf(marketOf(4, "always", CODES), FROM, UNTIL)).not.toEqual(closuresOf(market, FROM, UNTIL));
  });
});

it("no register closes on days that hold more than one session, or where none was asked for", () => {
  expect(closuresOf(marketOf(3, "compressed", CODES), FROM, UNTIL)).toEqual([]);
  const open = (bookClosures?: boolean) => openVenue({ seed: 3, rate: 10, hours: "always", codes: CODES, bookClosures });
  expect(open().bookClosures(FROM, UNTIL)).toEqual([]);
  expect(open(true).bookClosures(FROM, UNTIL).length).toBeGreaterThan(0);
});
