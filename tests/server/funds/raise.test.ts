/** Fund raisings on a real broker: reserved money, the close, pro rata, delivery, listing, every refusal, debts and crashes in between. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isStakeFact } from "#contract/fact-kind.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { HOURS, openOfferings } from "#tests/server/offerings/fixture.ts";
import type { OfferingBroker } from "#tests/server/offerings/fixture.ts";
import { refusalOf } from "#tests/support/trading.ts";
import {
  announceFund,
  expectCleanBooks,
  moneyOf,
  newId,
  newSubscriber,
  openFund,
  reaches,
  stakeIs,
  subscribe,
  taipei,
  withdraw,
} from "./fixture.ts";

const RICH = 1_000_000_000;
/** One lot of 1,000 units at 12.00. */
const LOT = 1_200_000;
/** A thousandth of the value, at least NT$20. */
const feeOf = (lots: number) => Math.max(2_000, Math.floor((lots * LOT) / 100_000) * 100);

let broker: OfferingBroker;
beforeEach(async () => {
  broker = await openOfferings();
});
afterEach(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** From the open window to the close. */
const close = () => broker.pass(HOURS.closes - HOURS.opens);
const allot = () => broker.pass(HOURS.allotted - HOURS.closes);
const list = () => broker.pass(HOURS.listed - HOURS.allotted);

it("reserves the money, delivers a position locked until the listing, at cost with its fee, and ends when that is sold", async () => {
  const member = await newSubscriber(broker);
  const code = await openFund(broker, member);
  const stake = await subscribe(broker, member, code);
  expect(stake).toMatchObject({ status: "subscribed", lots: 5, allottedLots: null, valueCents: 5 * LOT, feeCents: feeOf(5) });
  const need = 5 * LOT + feeOf(5);
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - need, reserved: need, held: 0 });
  expect(await reaches(broker, member, code, "raising")).toMatchObject({ askedLots: null, allottedLots: null, leastLots: 2, mostLots: 10 });
  close();
  expect(await reaches(broker, member, code, "raised")).toMatchObject({ askedLots: 50, allottedLots: 50, listingPrice: null });
  await stakeIs(broker, member, stake.stakeNo, { status: "subscribed", allottedLots: 5, reservedCents: need });
  allot();
  const { orderNo } = await stakeIs(broker, member, stake.stakeNo, { status: "inProgress", reservedCents: 0 });
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - need, reserved: 0, held: 0 });
  if (orderNo === null) throw new Error("no position");
  const { order, fills } = await broker.call("readOrder", member, { orderNo });
  expect(order).toMatchObject({ origin: "raise", status: "holding", lots: 5, lotShares: 1000, openCents: 5 * LOT, openFeeCents: feeOf(5) });
  expect(fills).toMatchObject([{ reason: "offering", price: 120_000, feeCents: feeOf(5) }]);
  const { row } = broker.venue.instrument(code) ?? { row: 0 };
  broker.venue.set(row, { bids: [[12.5, 100]], last: 12.5, reference: 12.4 });
  expect(await refusalOf(broker.close(member, orderNo, { lots: 5 }))).toMatchObject({ code: "TRD_NOT_LISTED", field: "orderNo" });
  list();
  expect(await reaches(broker, member, code, "listed")).toMatchObject({ listingPrice: 124_000 });
  await broker.close(member, orderNo, { lots: 5 });
  await stakeIs(broker, member, stake.stakeNo, { status: "terminated", reason: "sold" });
  const types = broker.published.flatMap(({ fact }) => (isStakeFact(fact) ? [fact.type] : []));
  expect(types).toEqual(["subscribed", "allotted", "delivered", "terminated"].map((type) => `stake.${type}`));
  const { items } = await broker.call("listMessages", member, { cursor: null });
  expect(items.filter(({ notice }) => notice?.about === "stakeAllotted")).toHaveLength(1);
});

it("is shared pro rata when over-subscribed, to the last lot, and the money for the rest is back at the close", async () => {
  const members = [];
  for (let nth = 0; nth < 4; nth += 1) members.push(await newSubscriber(broker));
  const [first = 0] = members;
  const code = await openFund(broker, first, {}, 110);
  const asked = [10, 7, 3, 2];
  const stakes = await Promise.all(members.map((member, nth) => subscribe(broker, member, code, { lots: asked[nth] ?? 0 })));
  close();
  // 132 lots for 100: 83.33, 7.58, 5.30, 2.27 and 1.52; the two that are left go to 0.58 and 0.52.
  expect(await reaches(broker, first, code, "raised")).toMatchObject({ askedLots: 132, allottedLots: 100 });
  const given = [8, 5, 2, 2];
  for (const [nth, stake] of stakes.entries()) {
    const [member, lots] = [members[nth] ?? 0, given[nth] ?? 0];
    await stakeIs(broker, member, stake.stakeNo, { allottedLots: lots, valueCents: lots * LOT, feeCents: feeOf(lots) });
    const need = lots * LOT + feeOf(lots);
    expect(await moneyOf(broker, member)).toEqual({ available: RICH - need, reserved: need, held: 0 });
  }
  allot();
  for (const [nth, stake] of stakes.entries()) await stakeIs(broker, members[nth] ?? 0, stake.stakeNo, { status: "inProgress" });
});

it("gives everything back, fee included, below its least size, and when nothing is left for a stake", async () => {
  const member = await newSubscriber(broker);
  const failing = await openFund(broker, member, {}, 34);
  const stake = await subscribe(broker, member, failing);
  close();
  expect(await reaches(broker, member, failing, "failed")).toMatchObject({ askedLots: 39, allottedLots: 0 });
  await stakeIs(broker, member, stake.stakeNo, { status: "returned", reason: "failed", allottedLots: 0, reservedCents: 0 });
  expect(await moneyOf(broker, member)).toEqual({ available: RICH, reserved: 0, held: 0 });
  const least = await openFund(broker, member, {}, 35);
  await subscribe(broker, member, least);
  const crowded = announceFund(broker, {}, 1_000_000);
  await reaches(broker, member, crowded, "upcoming");
  close();
  expect(await reaches(broker, member, least, "raised")).toMatchObject({ askedLots: 40, allottedLots: 40 });
  const lost = await subscribe(broker, member, (await reaches(broker, member, crowded, "raising")).code);
  broker.pass(1);
  await stakeIs(broker, member, lost.stakeNo, { status: "returned", reason: "notAllotted" });
  const { items } = await broker.call("listMessages", member, { cursor: null });
  expect(items.map(({ notice }) => notice?.values["reason"]).filter(Boolean)).toEqual(["notAllotted", "failed"]);
});

it("is withdrawn by its member until the close, for all of the money, and no later", async () => {
  const member = await newSubscriber(broker);
  const other = await newSubscriber(broker);
  const code = await openFund(broker, member);
  const first = await subscribe(broker, member, code);
  const second = await subscribe(broker, member, code);
  expect(await refusalOf(withdraw(broker, other, first.stakeNo))).toMatchObject({ code: "GEN_NOT_FOUND", field: "stakeNo" });
  const both = await Promise.allSettled([withdraw(broker, member, first.stakeNo), withdraw(broker, member, first.stakeNo)]);
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await refusalOf(withdraw(broker, member, first.stakeNo))).toMatchObject({ code: "TRD_ORDER_NOT_PENDING", field: "stakeNo" });
  const need = 5 * LOT + feeOf(5);
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - need, reserved: need, held: 0 });
  // At the moment of the close, whether the clock has looked or not.
  close();
  expect(await refusalOf(withdraw(broker, member, second.stakeNo))).toMatchObject({ code: "TRD_RAISE_ENDED", field: "stakeNo" });
  expect(await refusalOf(subscribe(broker, member, code))).toMatchObject({ code: "TRD_RAISE_ENDED", field: "code" });
  expect(await reaches(broker, member, code, "raised")).toMatchObject({ askedLots: 50 });
});

it("refuses at each field, and reserves nothing", async () => {
  const member = await newSubscriber(broker);
  const poor = await newSubscriber(broker, 5 * LOT);
  const unsigned = await broker.newMember();
  const soon = announceFund(broker);
  await reaches(broker, member, soon, "upcoming");
  expect(await refusalOf(subscribe(broker, member, soon))).toMatchObject({ code: "TRD_NOT_SUBSCRIBE_TIME", field: "code" });
  broker.pass(HOURS.opens);
  await reaches(broker, member, soon, "raising");
  const share = broker.announce();
  const cases: [string, () => Promise<unknown>, object][] = [
    ["too few", () => subscribe(broker, member, soon, { lots: 1 }), { code: "TRD_PRODUCT_MIN", params: { n: "15,000" }, field: "lots" }],
    [
      "more than a member may have",
      () => subscribe(broker, member, soon, { lots: 11 }),
      { code: "TRD_RAISE_QUOTA_INSUFFICIENT", field: "lots" },
    ],
    ["no fund", () => subscribe(broker, member, share), { code: "GEN_NOT_FOUND", field: "code" }],
    ["no instrument", () => subscribe(broker, member, "9999"), { code: "GEN_NOT_FOUND", field: "code" }],
    ["too little money for the fee", () => subscribe(broker, poor, soon), { code: "FUND_AVAILABLE_INSUFFICIENT", field: "lots" }],
    ["no fund password", () => subscribe(broker, unsigned, soon), { code: "PWD_FUND_NOT_SET" }],
    ["a wrong fund password", () => subscribe(broker, member, soon, { fundPassword: "000000" }), { code: "PWD_FUND_WRONG" }],
  ];
  for (const [name, asked, refusal] of cases) expect(await refusalOf(asked()), name).toMatchObject(refusal);
  await query(broker.db.kysely, "UPDATE trader SET max_order_cents = 100 WHERE member_id = $1", [member]);
  expect(await refusalOf(subscribe(broker, member, soon))).toMatchObject({ code: "RSK_ORDER_MAX", field: "lots" });
  await query(broker.db.kysely, "UPDATE trader SET max_order_cents = NULL WHERE member_id = $1", [member]);
  await query(broker.db.kysely, "DELETE FROM agreement WHERE member_id = $1", [member]);
  expect(await refusalOf(subscribe(broker, member, soon))).toMatchObject({ code: "ACC_AGREEMENT_UNSIGNED" });
  expect(await moneyOf(broker, member)).toEqual({ available: RICH, reserved: 0, held: 0 });
});

it("acts once for one request id, and two devices get no more than the most of a member", async () => {
  const member = await newSubscriber(broker);
  const code = await openFund(broker, member);
  const requestId = newId();
  const [one, again] = await Promise.all([subscribe(broker, member, code, { requestId }), subscribe(broker, member, code, { requestId })]);
  expect(again).toEqual(one);
  expect(await refusalOf(subscribe(broker, member, code, { requestId, lots: 6 }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
  const more = await Promise.allSettled(Array.from({ length: 4 }, () => subscribe(broker, member, code, { lots: 3 })));
  expect(more.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await moneyOf(broker, member)).reserved).toBe(5 * LOT + feeOf(5) + 3 * LOT + feeOf(3));
});

describe("a debt", () => {
  const owe = (member: number, cents: number) =>
    broker.sequencer.submit({
      memberIds: [member],
      decide: (batch) => {
        const amount = batch.ledger.balance(member, "available") + cents;
        batch.ledger.settle({ memberId: member, kind: "interest", orderNo: null, moves: [] }, [{ to: "interest", amount }]);
        batch.emit(member, { type: "wallet.changed", kind: "interest", currencies: ["TWD"] });
      },
    });

  it("takes stakes back while the window is open, the newest first, and only as many as it needs", async () => {
    const member = await newSubscriber(broker);
    const code = await openFund(broker, member);
    const old = await subscribe(broker, member, code);
    const young = await subscribe(broker, member, code);
    await owe(member, 1_000);
    await stakeIs(broker, member, young.stakeNo, { status: "withdrawn", reason: "debt" });
    await stakeIs(broker, member, old.stakeNo, { status: "subscribed" });
    expect(await readBalances(broker.db.kysely, member)).toMatchObject({ debt: 0, available: 5 * LOT + feeOf(5) - 1_000 });
    const { items } = await broker.call("listMessages", member, { cursor: null });
    expect(items.map(({ notice }) => notice?.values["reason"])).toContain("debt");
  });

  it("leaves them alone after the close", async () => {
    const member = await newSubscriber(broker);
    const code = await openFund(broker, member);
    const stake = await subscribe(broker, member, code);
    close();
    await owe(member, 1_000);
    await reaches(broker, member, code, "raised");
    expect((await readBalances(broker.db.kysely, member)).debt).toBe(-1_000);
    await stakeIs(broker, member, stake.stakeNo, { status: "subscribed", allottedLots: 5 });
  });
});

it("survives a stop between any two steps, and a step that fails before its commit changes nothing and is done later, once", async () => {
  const member = await newSubscriber(broker);
  const other = await newSubscriber(broker);
  const code = await openFund(broker, member, {}, 110);
  const stakes = [await subscribe(broker, member, code), await subscribe(broker, other, code)] as const;
  // Whatever changes a stake of the first member fails: the other's goes on.
  const breakStakes = () =>
    query(
      broker.db.kysely,
      `CREATE OR REPLACE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF new.member_id = ${member} AND new.version <> old.version THEN RAISE EXCEPTION 'broken on purpose'; END IF; RETURN new; END $$`,
    ).then(() => query(broker.db.kysely, "CREATE TRIGGER broken BEFORE UPDATE ON stake FOR EACH ROW EXECUTE FUNCTION broken()"));
  const mend = () => query(broker.db.kysely, "DROP FUNCTION broken CASCADE");
  const restart = async () => {
    await broker.stop();
    await broker.sequencer.idle();
    const faults = broker.faults.length;
    broker = await openOfferings(broker);
    return faults;
  };
  const need = 5 * LOT + feeOf(5);
  await breakStakes();
  close();
  await stakeIs(broker, other, stakes[1].stakeNo, { allottedLots: 4 });
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - need, reserved: need, held: 0 });
  expect(await restart()).toBeGreaterThan(0);
  await mend();
  broker.faults.length = 0;
  await stakeIs(broker, member, stakes[0].stakeNo, { allottedLots: 4 });
  await breakStakes();
  allot();
  await stakeIs(broker, other, stakes[1].stakeNo, { status: "inProgress" });
  expect((await broker.call("listPositions", member, {})).positions).toEqual([]);
  await restart();
  await mend();
  await stakeIs(broker, member, stakes[0].stakeNo, { status: "inProgress" });
  expect((await broker.call("listPositions", member, {})).positions).toHaveLength(1);
  list();
  await restart();
  await reaches(broker, member, code, "listed");
  const [counts] = await query<{ positions: number; facts: number }>(
    broker.db.kysely,
    `SELECT (SELECT count(*)::integer FROM "order" WHERE origin = 'raise') AS positions, (SELECT count(*)::integer FROM fact WHERE type LIKE 'stake.%') AS facts`,
  );
  expect(counts).toEqual({ positions: 2, facts: 6 });
  broker.faults.length = 0;
});

it("leaves a fund alone that the market has forgotten, and raises the others", async () => {
  const member = await newSubscriber(broker);
  await broker.stop();
  await broker.sequencer.idle();
  const old = announceFund(broker);
  const { offeringCrowd } = broker.venue;
  broker.venue.offeringCrowd = (code) => (code === old ? null : offeringCrowd(code));
  broker.pass(HOURS.listed);
  broker = await openOfferings(broker);
  const code = announceFund(broker);
  await reaches(broker, member, code, "upcoming");
  expect((await broker.call("listRaises", member, {})).raises.map((raise) => raise.code)).toEqual([code]);
});

it("catches up with every phase that passed while the server was off", async () => {
  const member = await newSubscriber(broker);
  const code = await openFund(broker, member);
  const { stakeNo } = await subscribe(broker, member, code);
  await broker.stop();
  await broker.sequencer.idle();
  broker.pass(HOURS.listed);
  broker = await openOfferings(broker);
  await reaches(broker, member, code, "listed");
  await stakeIs(broker, member, stakeNo, { status: "inProgress", allottedLots: 5 });
});

it("shows the terms of the fund, and the past of its index with its period", async () => {
  const member = await newSubscriber(broker);
  const weeks = [
    [taipei("2025-06-30 00:00"), 0, 0, 0, 200_000_000, 1],
    [taipei("2026-06-29 00:00"), 0, 0, 0, 221_000_000, 1],
  ];
  broker.venue.candles = async (code) => ({ bars: code === "IX0001" ? weeks.flat() : [], more: false });
  const fund = { distributions: 2, yieldPerMillion: 28_000, indexCode: "IX0001", maturesAt: null };
  const code = announceFund(broker, { fund });
  expect(await reaches(broker, member, code, "upcoming")).toMatchObject({
    price: 120_000,
    lotUnits: 1_000,
    sizeCents: 100 * LOT,
    issuedUnits: 100_000,
    minimumSizeCents: 40 * LOT,
    distributions: 2,
    yieldPerMillion: 28_000,
    maturesAt: null,
    past: { indexCode: "IX0001", from: weeks[0]?.[0], until: weeks[1]?.[0], changePerMillion: 105_000 },
  });
  const plain = announceFund(broker);
  expect(await reaches(broker, member, plain, "upcoming")).toMatchObject({ past: null });
});

it("does not wait for the past of an index that takes long, and shows it the next time", async () => {
  const member = await newSubscriber(broker);
  let known: (weeks: { bars: number[]; more: boolean }) => void = () => undefined;
  broker.venue.candles = () => new Promise((done) => (known = done));
  const code = announceFund(broker, { fund: { distributions: 2, yieldPerMillion: 28_000, indexCode: "IX0001", maturesAt: null } });
  expect(await reaches(broker, member, code, "upcoming")).toMatchObject({ past: null });
  known({ bars: [taipei("2025-06-30 00:00"), 0, 0, 0, 200, 1, taipei("2026-06-29 00:00"), 0, 0, 0, 221, 1], more: false });
  expect(await reaches(broker, member, code, "upcoming")).toMatchObject({ past: { changePerMillion: 105_000 } });
});

it("tells nobody what others ask for before the close, nor a member of another's stakes", async () => {
  const [member, other] = [await newSubscriber(broker), await newSubscriber(broker)];
  const code = await openFund(broker, member, {}, 7_531);
  await subscribe(broker, member, code);
  const told = JSON.stringify([await broker.call("listRaises", other, {}), broker.published]);
  expect(told).not.toContain("7531");
  expect(told).not.toContain("7536");
  expect((await broker.call("listStakes", other, { cursor: null })).items).toEqual([]);
});
