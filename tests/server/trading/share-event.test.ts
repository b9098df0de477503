/** Tests what members are told of a split or a stock dividend, and what becomes of their price alerts: each once, whatever fails meanwhile. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { SetAlertBody } from "#contract/alert.ts";
import type { AlertKind } from "#contract/alert.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { DAY_MS, HOUR_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { tellUntold } from "#server/accounts/untold-messages.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";
import { MILLION, action, units } from "./ex-terms.ts";
import type { ExTerms } from "./ex-terms.ts";

const dayOf = (text: string): number => Date.parse(`${text}T00:00:00Z`) / DAY_MS;
/** Wednesday, 1 September 2027. */
const EX_DAY = dayOf("2027-09-01");
const SPLIT: ExTerms = { freeMillionths: 3 * MILLION };
const SHARES: ExTerms = { freeMillionths: 100_000, cash: units(2) };

let broker: TestBroker;
let venue: FakeVenue;
let member: number;
let announced: CorporateAction[] = [];
const clock = { now: 0 };

/** Begins a trading day with the ex-events announced for it. */
function begin(day: number, last = 100): void {
  clock.now = taipeiMidnight(day) + 10 * HOUR_MS;
  venue.setDay(taipeiMidnight(day) + 9 * HOUR_MS, taipeiMidnight(day) + 13 * HOUR_MS);
  venue.setPhase("open");
  venue.set(0, { bids: [[last, 4000]], asks: [[last, 4000]], last, reference: last, volume: 0 });
}

async function restart(): Promise<void> {
  await broker.stop();
  broker = await openTestBroker({ db: broker.db, venue, clock });
  await broker.settled();
}

beforeAll(async () => {
  const plain = fakeVenue(INSTRUMENTS, () => clock.now);
  const reached = ({ at }: CorporateAction): boolean => taipeiDay(at) <= taipeiDay(plain.state(clock.now).opensAt);
  venue = { ...plain, actions: async (code) => (code === "2330" ? announced.filter(reached) : []) };
  begin(EX_DAY - 20);
  broker = await openTestBroker({ venue, clock });
});
beforeEach(async () => {
  await broker.settled();
  announced = [];
  venue.setClosures([]);
  begin(EX_DAY - 20);
  await broker.settled();
  member = await broker.newMember();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const announce = (kind: CorporateAction["kind"], terms: ExTerms, day = EX_DAY): CorporateAction => {
  const event = action(kind, terms, day);
  announced = [...announced, event];
  return event;
};
async function set(kind: AlertKind, level: number, as = member): Promise<string> {
  const id = uuid();
  await broker.call("setAlert", as, SetAlertBody.parse({ id, code: "2330", kind, level }));
  return id;
}
const alerts = async (as = member) =>
  (await broker.call("listAlerts", as, {})).alerts.map(({ id, level, status }) => ({ id, level, status }));
async function told(about: string, as = member) {
  await tellUntold({ db: broker.db, sequencer: broker.sequencer, now: () => clock.now }, new Map());
  const { items } = await broker.call("listMessages", as, { cursor: null });
  return items.flatMap(({ notice }) => (notice?.about === about ? [notice.values] : []));
}
const read = (orderNo: OrderNo) => broker.call("readOrder", member, { orderNo });

it("holders are told five trading days before, once, and the ex-date is listed; nobody else is told, nor of cash alone", async () => {
  await broker.place(member, { lots: 2 });
  const other = await broker.newMember();
  venue.setClosures([
    { row: 0, reason: "split", day: EX_DAY + 2, ex: { day: EX_DAY, freeMillionths: 3 * MILLION } },
    { row: 0, reason: "dividend", day: EX_DAY + 1, ex: { day: EX_DAY - 1, freeMillionths: 0 } },
    { row: 1, reason: "split", day: EX_DAY + 2, ex: { day: EX_DAY, freeMillionths: MILLION } },
  ]);
  // Six trading days before, and five.
  begin(dayOf("2027-08-24"));
  await broker.tick();
  expect(await told("sharesDue")).toEqual([]);
  begin(dayOf("2027-08-25"));
  await broker.tick();
  expect(await told("sharesDue")).toEqual([{ code: "2330", shares: "4,000", day: "2027.09.01" }]);
  expect(await told("sharesDue", other)).toEqual([]);
  await restart();
  begin(dayOf("2027-08-26"));
  await broker.tick();
  expect(await told("sharesDue")).toHaveLength(1);
  expect((await broker.call("listActions", member, { code: "2330" as never })).coming).toEqual([
    { at: taipeiMidnight(EX_DAY - 1), kind: "dividend", freeMillionths: 0 },
    { at: taipeiMidnight(EX_DAY), kind: "split", freeMillionths: 3 * MILLION },
  ]);
  begin(EX_DAY);
  expect((await broker.call("listActions", member, { code: "2330" as never })).coming).toEqual([]);
  await broker.tick();
  expect(await told("sharesDue")).toHaveLength(1);
});

it("who holds several positions is told once what they became, and lots that are none any more are odd shares", async () => {
  const first = await broker.place(member, { lots: 2 });
  const second = await broker.place(member, { lots: 1 });
  announce("stockDividend", { freeMillionths: 77_500 });
  begin(EX_DAY, 92.8);
  await broker.settled();
  // 2,155 and 1,077.5 shares.
  expect(await told("sharesChanged")).toEqual([{ code: "2330", before: "3,000", after: "3,232" }]);
  expect((await read(first.orderNo)).order).toMatchObject({ filledLots: 2155, lotShares: 1, dividendCents: 0 });
  const reference = announced[0]?.reference ?? 0;
  expect((await read(second.orderNo)).order).toMatchObject({ filledLots: 1077, lotShares: 1, dividendCents: Math.floor(reference / 200) });
  await restart();
  expect(await told("sharesChanged")).toHaveLength(1);
});

it.each([
  ["split", SPLIT, { above: 275_000, below: 200_000, volume: 40_000 }],
  ["stockDividend", SHARES, { above: 980_000, below: 713_000, volume: 11_000 }],
] as const)("alerts wait at the same value after a %s, once, and percentages stay", async (kind, terms, moved) => {
  const ids = {
    above: await set("above", 1_100_000),
    below: await set("below", 800_000),
    volume: await set("volume", 10_000),
    fall: await set("fall", 9_900),
  };
  const event = announce(kind, terms);
  const reference = event.reference / PRICE_ONE;
  begin(EX_DAY, reference);
  await broker.settled();
  const levels = async () => Object.fromEntries((await alerts()).map(({ id, level, status }) => [id, `${status} ${level}`]));
  const expected = {
    [ids.above]: `waiting ${moved.above}`,
    [ids.below]: `waiting ${moved.below}`,
    [ids.volume]: `waiting ${moved.volume}`,
    [ids.fall]: "waiting 9900",
  };
  expect(await levels()).toEqual(expected);
  expect(await told("alertsAdjusted")).toEqual([{ code: "2330", n: "3" }]);
  // One that is set on the day is in the day's prices.
  const later = await set("above", 2_000_000);
  await restart();
  expect(await levels()).toEqual({ ...expected, [later]: "waiting 2000000" });
  expect(await told("alertsAdjusted")).toHaveLength(1);
  venue.set(0, { last: moved.above / PRICE_ONE });
  await broker.settled();
  expect((await levels())[ids.above]).toBe(`fired ${moved.above}`);
});

it("an alert does not fire because a split lowered the price in the moment before it was restated", async () => {
  const id = await set("below", 800_000);
  announce("split", SPLIT);
  // The first price of the day comes with the day itself.
  begin(EX_DAY, 25);
  venue.set(0, { last: 24.9 });
  await broker.settled();
  expect(await alerts()).toEqual([{ id, level: 200_000, status: "waiting" }]);
  venue.set(0, { last: 20 });
  await broker.settled();
  expect(await alerts()).toEqual([{ id, level: 200_000, status: "fired" }]);
});

it("cash alone leaves alerts as they are; those missed by a server that was down follow at its start", async () => {
  const id = await set("above", 1_200_000);
  announce("dividend", { cash: units(3) }, EX_DAY - 6);
  begin(EX_DAY - 6, 97);
  await broker.settled();
  expect(await alerts()).toEqual([{ id, level: 1_200_000, status: "waiting" }]);
  await broker.stop();
  announce("split", { freeMillionths: MILLION });
  announce("split", SPLIT, EX_DAY + 1);
  begin(EX_DAY + 2, 12.5);
  await restart();
  expect(await alerts()).toEqual([{ id, level: 150_000, status: "waiting" }]);
  expect(await told("alertsAdjusted")).toEqual([{ code: "2330", n: "1" }]);
});

it("a member whose alerts could not be restated is restated at the next start, and others not again", async () => {
  const [first, second] = [member, await broker.newMember()];
  await set("above", 1_100_000, first);
  await set("above", 1_100_000, second);
  announce("split", SPLIT);
  const { transaction } = broker.db;
  let restated = 0;
  const spy = vi.spyOn(broker.db, "transaction").mockImplementation((work) => {
    // The first two are those of the alerts: the sequencer has no positions to adjust.
    restated += 1;
    if (restated === 2) return Promise.reject(new Error("lost"));
    return transaction.call(broker.db, work);
  });
  begin(EX_DAY, 25);
  await broker.settled();
  spy.mockRestore();
  expect(broker.faults.splice(0)).toMatchObject([{ message: "lost" }]);
  expect((await alerts(first))[0]?.level).toBe(275_000);
  expect((await alerts(second))[0]?.level).toBe(1_100_000);
  await restart();
  expect((await alerts(first))[0]?.level).toBe(275_000);
  expect((await alerts(second))[0]?.level).toBe(275_000);
  expect(await told("alertsAdjusted", first)).toHaveLength(1);
  expect(await told("alertsAdjusted", second)).toHaveLength(1);
});

it("orders of the day before end with it: a limit or a trigger is never compared with the prices after a split", async () => {
  const rests = await broker.place(member, { price: 90 });
  const waits = await broker.place(member, { price: 91, also: { trigger: { kind: "takeProfit", price: 920_000 } } });
  announce("split", SPLIT);
  begin(EX_DAY, 25);
  await broker.settled();
  for (const { orderNo } of [rests, waits]) expect((await read(orderNo)).order).toMatchObject({ status: "cancelled", filledLots: 0 });
});
