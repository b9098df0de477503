/** Tests the list of offerings: a row for each announced issue, what is committed to, and what is not told before the close. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Code } from "#contract/kernel/id.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { setOfferingPrice } from "#server/offerings/announce.ts";
import { refusalOf } from "#tests/support/trading.ts";
import { expectCleanBooks, openOfferings, reaches } from "./fixture.ts";
import type { OfferingBroker } from "./fixture.ts";

let broker: OfferingBroker;
let member: number;
beforeAll(async () => {
  broker = await openOfferings();
  member = await broker.newMember();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

it("has one row an issue of every kind, with its terms and dates and the member's own part", async () => {
  const code = broker.announce({ lots: 7 });
  const fund = broker.announce({ kind: "fund", drawnAt: null });
  const { offering, booked, subscription } = await reaches(broker, member, code, "upcoming");
  expect({ booked, subscription }).toEqual({ booked: false, subscription: null });
  expect(offering).toMatchObject({ code, kind: "share", price: 500_000, provisionalPrice: 500_000, lots: 7, lotShares: 1000 });
  expect(offering).toMatchObject({ marketPrice: null, premium: null, leastLots: 1, mostLots: 1, names: { en: code } });
  expect((await reaches(broker, member, fund, "upcoming")).offering.commitment).toBeNull();
  expect(await broker.call("readOffering", member, { offeringNo: offering.offeringNo })).toEqual({
    offering,
    booked,
    subscription,
    entitlement: null,
  });
  expect(await refusalOf(broker.call("readOffering", member, { offeringNo: "S999999" }))).toMatchObject({ code: "GEN_NOT_FOUND" });
});

it("commits to the secret and to the crowd, and tells neither, nor how many apply", async () => {
  const code = broker.announce({}, { applications: () => 4_321 });
  const { offering } = await reaches(broker, member, code, "upcoming");
  const [kept] = await query<{ secret: string; crowd_key: string; crowd_lots: number }>(
    broker.db.kysely,
    "SELECT secret, crowd_key, crowd_lots FROM offering_secret WHERE offering_no = $1",
    [offering.offeringNo],
  );
  expect(kept?.crowd_lots).toBe(4_321);
  expect(offering.commitment).toMatchObject({
    secretHash: sha256(kept?.secret ?? ""),
    crowdHash: sha256(`${kept?.crowd_key}:4321`),
  });
  expect(offering).toMatchObject({ subscribedLots: null, winningLots: null, winningPerMillion: null });
  for (const secret of [kept?.secret, kept?.crowd_key, "4321"]) expect(JSON.stringify(offering)).not.toContain(`${secret}`);
});

it("has no price and commits to nothing until an auction has set one, once", async () => {
  const at = epochMs(broker.clock.now);
  const hours = (count: number) => epochMs(at + count * HOUR_MS);
  // Its bids are not opened within this test.
  const auction = { opensAt: hours(50), closesAt: hours(51), openedAt: hours(52), minimumPrice: 40 * PRICE_ONE, lots: 40 };
  const code = broker.announce({ auction }, { applications: (price) => price / PRICE_ONE });
  expect((await reaches(broker, member, code, "upcoming")).offering).toMatchObject({ price: null, commitment: null, auction });
  const set = (price: number) => broker.db.transaction((tx) => setOfferingPrice(tx, broker.venue, { market: "fake", code }, price, at));
  expect(await set(45 * PRICE_ONE)).toMatch(/^S\d+$/);
  expect(await set(48 * PRICE_ONE)).toBeNull();
  const { offering } = await reaches(broker, member, code, "upcoming");
  expect(offering).toMatchObject({ price: 450_000, provisionalPrice: 500_000 });
  expect(offering.commitment).not.toBeNull();
  const [kept] = await query<{ crowd_lots: number }>(broker.db.kysely, "SELECT crowd_lots FROM offering_secret WHERE offering_no = $1", [
    offering.offeringNo,
  ]);
  expect(kept?.crowd_lots).toBe(45);
});

it("is listed by phase and kind, page by page", async () => {
  const all = async (body: Partial<Parameters<typeof broker.call<"listOfferings">>[2]>) =>
    broker.call("listOfferings", member, { phases: null, kinds: null, cursor: null, ...body });
  const funds = (await all({ kinds: ["fund"] })).page.items;
  expect(funds.length).toBeGreaterThan(0);
  expect(new Set(funds.map(({ offering }) => offering.kind))).toEqual(new Set(["fund"]));
  expect((await all({ phases: ["listed"] })).page.items).toEqual([]);
  expect(await refusalOf(all({ cursor: "x" }))).toMatchObject({ code: "GEN_PARAM_ERROR", field: "cursor" });
});

it("lists those that are open with the one that closes first at the top", async () => {
  const [later, sooner] = [broker.announce(), broker.announce()];
  for (const code of [later, sooner]) await reaches(broker, member, code, "upcoming");
  // The one that closes later opened last.
  const open = "UPDATE offering SET phase = 'open', opens_at = opens_at + $2, closes_at = closes_at - $3 WHERE code = $1";
  await query(broker.db.kysely, open, [later, 1_000, 0]);
  await query(broker.db.kysely, open, [sooner, 0, 1_000]);
  const { items } = (await broker.call("listOfferings", member, { phases: ["open"], kinds: ["share"], cursor: null })).page;
  expect(items.map(({ offering }) => offering.code as string).filter((code) => code === later || code === sooner)).toEqual([sooner, later]);
  const [first] = items;
  if (!first) throw new Error("nothing is open");
  const [row] = await query<{ id: number }>(broker.db.kysely, "SELECT id FROM offering WHERE offering_no = $1", [
    first.offering.offeringNo,
  ]);
  const cursor = `${first.offering.closesAt}-${row?.id ?? 0}`;
  const next = (await broker.call("listOfferings", member, { phases: ["open"], kinds: ["share"], cursor })).page.items;
  expect(next).toEqual(items.slice(1));
  await query(broker.db.kysely, "UPDATE offering SET phase = 'upcoming' WHERE code = ANY ($1::text[])", [[later, sooner]]);
});

it("is found by the code of its instrument", async () => {
  const code = broker.announce();
  const { offering } = await reaches(broker, member, code, "upcoming");
  expect((await broker.call("findOffering", member, { code: offering.code })).offering.offeringNo).toBe(offering.offeringNo);
  expect(await refusalOf(broker.call("findOffering", member, { code: Code.parse("2330") }))).toMatchObject({
    code: "GEN_NOT_FOUND",
    field: "code",
  });
});

it("does not stop for an issue that cannot be written", async () => {
  broker.announce({ row: 9_999 });
  const code = broker.announce();
  await reaches(broker, member, code, "upcoming");
  expect(broker.faults.length).toBeGreaterThan(0);
  broker.venue.setIssues([]);
  broker.faults.length = 0;
});
