/** The calendar of offerings: the dates still to come, by day and time. */
import { expect, it } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import type { Offering } from "#contract/offering.ts";
import { calendarDays, momentText } from "#src/screens/home/offering-days.ts";
import { NOW, entryOf, subscriptionOf } from "./offering-samples.ts";

it("puts what is still to come on its day, in the order of the times", () => {
  const mine = entryOf({}, { subscription: subscriptionOf() });
  const other = entryOf({ offeringNo: "S2", closesAt: mine.offering.payableUntil, drawnAt: null });
  const [today, tomorrow, ...further] = calendarDays([other, mine], NOW);
  expect(further).toEqual([]);
  expect(today).toMatchObject({ title: "2026.06.01", isToday: true });
  // It has opened already.
  expect(today?.entries.map(({ offering, moment, isMine }) => [offering.offeringNo, moment, isMine])).toEqual([
    ["S1", "closes", true],
    ["S1", "draw", true],
    ["S2", "closes", false],
    ["S2", "payBy", false],
    ["S1", "payBy", true],
    ["S2", "delivery", false],
    ["S1", "delivery", true],
  ]);
  expect(tomorrow).toMatchObject({ title: "2026.06.02", isToday: false });
  expect(tomorrow?.entries.map(({ moment }) => moment)).toEqual(["listing", "listing"]);
  expect(calendarDays([mine], NOW + 10 * DAY_MS)).toEqual([]);
});

it("says of a capital increase when the new shares can be traded, not that the share lists, and of a placement that it is allotted", () => {
  const textsOf = (kind: Offering["kind"]) =>
    calendarDays([entryOf({ kind })], NOW).flatMap(({ entries }) => entries.map(({ offering, moment }) => momentText(offering, moment)));
  expect(textsOf("share")).toEqual(expect.arrayContaining(["offering.field.draw", "offering.field.listing"]));
  expect(textsOf("increase")).toContain("offering.increase.tradableFrom");
  expect(textsOf("increase")).not.toContain("offering.field.listing");
  expect(textsOf("placement")).toEqual(expect.arrayContaining(["offering.placement.draw", "offering.field.listing"]));
});
