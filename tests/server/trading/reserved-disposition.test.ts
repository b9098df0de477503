/** Tests that an order which the next session would refuse, because its stock comes under disposition, is refused when it is reserved. */
import { expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker, refusalOf } from "#tests/support/trading.ts";

/** 17:00 in Taipei, the day's session, and when the next one first accepts orders. */
const EVENING = Date.UTC(2026, 6, 1, 9);
const OPENED = Date.UTC(2026, 6, 1, 1);
const CLOSED = Date.UTC(2026, 6, 1, 5, 30);
const NEXT = Date.UTC(2026, 6, 2, 0, 30);

it("is refused at once on margin or leverage, and taken with the member's own money", async () => {
  const restricted = { watch: "disposition" as const, marginable: false, shortable: false, dayTradable: false };
  const clock = { now: EVENING };
  const instruments = INSTRUMENTS.map((one) => (one.row === 0 ? { ...one, ...restricted } : one));
  const broker = await openTestBroker({ clock, venue: fakeVenue(instruments, () => clock.now) });
  broker.venue.setDay(OPENED, CLOSED);
  broker.venue.set(0, { last: 100, reference: 100 });
  broker.venue.setPhase("closed", NEXT);
  const member = await broker.newMember();
  await query(broker.db.kysely, "UPDATE trader SET margin_status = 'approved' WHERE member_id = $1", [member]);
  const place = (also: Record<string, unknown>) => broker.place(member, { price: 100, lots: 1, also: { reserve: true, ...also } });
  expect(await refusalOf(place({ funding: "margin" }))).toMatchObject({ code: "TRD_NOT_MARGINABLE" });
  expect(await refusalOf(place({ funding: "leverage", leverage: 2 }))).toMatchObject({ code: "TRD_LEVERAGE_NOT_ALLOWED" });
  expect(await place({})).toMatchObject({ status: "pending", reservedFor: NEXT });
  expect(broker.faults).toEqual([]);
  await broker.shut();
});
