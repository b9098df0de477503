/** The calendar of offerings: the dates still to come, by day and time. */
import { expect, it } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import type { Offering } from "#contract/offering.ts";
import { calendarDays, momentText } from "#src/screens/home/offering-days.ts";
import type { CalendarEntry } from "#src/screens/home/offering-days.ts";
import { raiseOf } from "#tests/support/raise.ts";
import { NOW, entryOf, subscriptionOf } from "./offering-samples.ts";

/** The entries that are dates of offerings. */
const dated = (entries: readonly CalendarEntry[] = []) => entries.flatMap((entry) => ("ending" in entry ? [] : [entry]));

it("puts what is still to come on its day, in the order of the times", () => {
  const mine = entryOf({}, { subscription: subscriptionOf() });
  const other = entryOf({ offeringNo: "S2", closesAt: mine.offering.payableUntil, drawnAt: null });
  const [today, tomorrow, ...further] = calendarDays([other, mine], NOW);
  expect(further).toEqual([]);
  expect(today).toMatchObject({ title: "2026.06.01", isToday: true });
  // It has opened already.
  expect(dated(today?.entries).map(({ offering, moment, isMine }) => [offering.offeringNo, moment, isMine])).toEqual([
    ["S1", "closes", true],
    ["S1", "draw", true],
    ["S2", "closes", false],
    ["S2", "payBy", false],
    ["S1", "payBy", true],
    ["S2", "delivery", false],
    ["S1", "delivery", true],
  ]);
  expect(tomorrow).toMatchObject({ title: "2026.06.02", isToday: false });
  expect(dated(tomorrow?.entries).map(({ moment }) => moment)).toEqual(["listing", "listing"]);
  expect(calendarDays([mine], NOW + 10 * DAY_MS)).toEqual([]);
});

it("says of a capital increase when the new shares can be traded, not that the share lists, and of a placement that it is allotted", () => {
  const textsOf = (kind: Offering["kind"]) =>
    calendarDays([entryOf({ kind })], NOW).flatMap(({ entries }) =>
      dated(entries).map(({ offering, moment }) => momentText(offering, moment)),
    );
  expect(textsOf("share")).toEqual(expect.arrayContaining(["offering.field.draw", "offering.field.listing"]));
  expect(textsOf("increase")).toContain("offering.increase.tradableFrom");
  expect(textsOf("increase")).not.toContain("offering.field.listing");
  expect(textsOf("placement")).toEqual(expect.arrayContaining(["offering.placement.draw", "offering.field.listing"]));
});

it("has the ends of funds that are raised, behind other dates of the same moment, and says whose the member holds", () => {
  const { offering } = entryOf();
  const maturesAt = offering.tradesFrom;
  const ends = (over: Parameters<typeof raiseOf>[0]) => raiseOf({ code: "N0009F", status: "listed", maturesAt, ...over });
  const raises = [
    ends({}),
    ends({ code: "N0001F", maturesAt: null }),
    ends({ code: "N0002F", status: "failed" }),
    ends({ code: "N0003F", maturesAt: NOW - 1 }),
  ];
  const entries = calendarDays([entryOf()], NOW, raises, new Set(["N0009F"])).flatMap((day) => day.entries);
  expect(entries.map((entry) => ("ending" in entry ? [entry.ending.code, entry.isMine] : entry.moment)).slice(-2)).toEqual([
    "listing",
    ["N0009F", true],
  ]);
  expect(entries.filter((entry) => "ending" in entry)).toHaveLength(1);
});
