/** Tests that each refusal of a bid is given at its field and changes nothing, and that one request id acts once. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { OrderNo } from "#contract/kernel/id.ts";
import type { Code } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import { refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { announce, AT, bid, expectCleanBooks, moneyOf, newBidder, newId, openAuctionBroker, passHours, pay, RICH } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openAuctionBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const setRule = async (member: number, rule: object): Promise<void> => {
  await query(broker.db.kysely, "INSERT INTO rule (part, member_id, body) VALUES ('auction', $1, $2)", [member, JSON.stringify(rule)]);
  await broker.sequencer.rules.reload(broker.db.kysely);
};

it("refuses at each field, in the order of the endpoint's list, and changes nothing", async () => {
  const coming = await announce(broker);
  const member = await newBidder(broker);
  expect(await refusalOf(bid(broker, member, coming))).toMatchObject({ code: "AUC_NOT_STARTED", field: "code" });
  const poor = await newBidder(broker, 11_000_000 + 40_000 - 1);
  const unsigned = await broker.newMember();
  const barred = await newBidder(broker);
  await query(broker.db.kysely, "UPDATE member SET restrictions = ARRAY['tradeBarred'] WHERE id = $1", [barred]);
  await query(
    broker.db.kysely,
    "UPDATE member SET fund_password_hash = (SELECT fund_password_hash FROM member WHERE id = $2) WHERE id = $1",
    [unsigned, member],
  );
  await passHours(broker, AT.opens);
  const cases: [string, () => Promise<unknown>, object][] = [
    ["an unknown share", () => bid(broker, member, "NOSUCH" as Code), { code: "GEN_NOT_FOUND", field: "code" }],
    [
      "below the minimum",
      () => bid(broker, member, coming, { price: 499_500 }),
      { code: "VAL_BID_MIN", params: { n: "50.00" }, field: "price" },
    ],
    [
      "below the minimum and between ticks",
      () => bid(broker, member, coming, { price: 499_999, lots: 99 }),
      { code: "VAL_BID_MIN", params: { n: "50.00" }, field: "price" },
    ],
    [
      "between two ticks",
      () => bid(broker, member, coming, { price: 550_500 }),
      { code: "TRD_PRICE_OFF_TICK", params: { n: "0.10" }, field: "price" },
    ],
    ["more than the cap", () => bid(broker, member, coming, { lots: 21 }), { code: "AUC_LOTS_MAX", params: { n: "20" }, field: "lots" }],
    ["too little money by one cent", () => bid(broker, poor, coming), { code: "FUND_AVAILABLE_INSUFFICIENT", field: "lots" }],
    ["a wrong password", () => bid(broker, member, coming, { fundPassword: "000000" }), { code: "PWD_FUND_WRONG", field: "fundPassword" }],
    ["a barred member", () => bid(broker, barred, coming), { code: "ACC_TRADE_BARRED" }],
    ["without the agreement", () => bid(broker, unsigned, coming), { code: "ACC_AGREEMENT_UNSIGNED" }],
    ["another's bid", () => pay(broker, member, "A000000000000"), { code: "GEN_NOT_FOUND", field: "bidNo" }],
  ];
  for (const [name, asked, refusal] of cases) expect(await refusalOf(asked()), name).toMatchObject(refusal);
  await query(broker.db.kysely, "UPDATE member SET fund_password_hash = NULL WHERE id = $1", [unsigned]);
  expect(await refusalOf(bid(broker, unsigned, coming))).toMatchObject({ code: "PWD_FUND_NOT_SET" });
  await query(broker.db.kysely, "UPDATE trader SET max_order_cents = 1000000 WHERE member_id = $1", [member]);
  expect(await refusalOf(bid(broker, member, coming))).toMatchObject({ code: "RSK_ORDER_MAX", field: "lots" });
  await query(broker.db.kysely, "UPDATE trader SET max_order_cents = NULL, locked_until = $2 WHERE member_id = $1", [
    member,
    broker.clock.now + 1,
  ]);
  expect(await refusalOf(bid(broker, member, coming))).toMatchObject({ code: "RSK_TRADING_LOCKED" });
  await query(broker.db.kysely, "UPDATE trader SET locked_until = NULL WHERE member_id = $1", [member]);
  await passHours(broker, AT.closes - AT.opens);
  expect(await refusalOf(bid(broker, member, coming))).toMatchObject({ code: "AUC_ENDED", field: "code" });
  expect(await moneyOf(broker, member)).toEqual({ available: RICH, reserved: 0 });
  expect((await broker.call("listBids", member, { cursor: null })).items).toEqual([]);
});

it("decides by the clock at the first and the last moment of the window, whatever the clock of steps has done", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  const opensAt = broker.clock.now + AT.opens * 3_600_000;
  broker.clock.now = opensAt - 1;
  expect(await refusalOf(bid(broker, member, code))).toMatchObject({ code: "AUC_NOT_STARTED" });
  broker.clock.now = opensAt;
  expect((await bid(broker, member, code)).status).toBe("placed");
  broker.clock.now = opensAt + (AT.closes - AT.opens) * 3_600_000 - 1;
  expect((await bid(broker, member, code)).status).toBe("placed");
  broker.clock.now += 1;
  expect(await refusalOf(bid(broker, member, code))).toMatchObject({ code: "AUC_ENDED" });
});

it("keeps the terms of the announcement: fewest lots, most bids, also of bids in parallel", async () => {
  const rule = "UPDATE rule SET body = body || $1::jsonb WHERE part = 'auction' AND member_id IS NULL";
  await query(broker.db.kysely, rule, [JSON.stringify({ leastLots: 3, mostBids: 4, bidFeeCents: 0 })]);
  await broker.sequencer.rules.reload(broker.db.kysely);
  const code = await announce(broker);
  await query(broker.db.kysely, rule, [JSON.stringify({ leastLots: 1, mostBids: 10, bidFeeCents: 40_000 })]);
  await broker.sequencer.rules.reload(broker.db.kysely);
  const member = await newBidder(broker);
  await setRule(member, { mostBids: 100 });
  await passHours(broker, AT.opens);
  expect(await refusalOf(bid(broker, member, code, { lots: 2 }))).toMatchObject({
    code: "AUC_LOTS_MIN",
    params: { n: "3" },
    field: "lots",
  });
  const many = await Promise.allSettled(Array.from({ length: 7 }, () => bid(broker, member, code, { lots: 3 })));
  expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  expect(await refusalOf(bid(broker, member, code, { lots: 3 }))).toMatchObject({
    code: "AUC_BIDS_MAX",
    params: { n: "4" },
    field: "code",
  });
  expect((await moneyOf(broker, member)).reserved).toBe(4 * 8_250_000);
});

it("acts once for one request id, and refuses it for another body", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const requestId = newId();
  const [first, again] = await Promise.all([bid(broker, member, code, { requestId }), bid(broker, member, code, { requestId })]);
  expect(again).toEqual(first);
  expect(await refusalOf(bid(broker, member, code, { requestId, lots: 5 }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
  expect((await moneyOf(broker, member)).reserved).toBe(11_000_000);
  await passHours(broker, AT.opened - AT.opens);
  const other = await newBidder(broker);
  expect(await refusalOf(pay(broker, other, first.bidNo))).toMatchObject({ code: "GEN_NOT_FOUND", field: "bidNo" });
  const paying = newId();
  const paid = await Promise.all([
    pay(broker, member, first.bidNo, { requestId: paying }),
    pay(broker, member, first.bidNo, { requestId: paying }),
  ]);
  expect(paid[1]).toEqual(paid[0]);
  expect(await refusalOf(pay(broker, member, first.bidNo))).toMatchObject({ code: "TRD_ORDER_NOT_PAYMENT" });
  expect((await moneyOf(broker, member)).reserved).toBe(22_880_000);
  await query(broker.db.kysely, "UPDATE member SET restrictions = ARRAY['frozen'] WHERE id = $1", [member]);
  expect(await refusalOf(pay(broker, member, first.bidNo))).toMatchObject({ code: "ACC_FROZEN" });
});

it("cannot be paid by hand and debited at once", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  await passHours(broker, AT.opened - AT.opens);
  broker.clock.now += (AT.payable - AT.opened) * 3_600_000;
  const byHand = pay(broker, member, bidNo).catch(() => null);
  await passHours(broker, 0);
  await byHand;
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - 40_000 - 22_880_000, reserved: 22_880_000 });
  await passHours(broker, AT.allotted - AT.payable);
  const { positions } = await broker.call("listPositions", member, {});
  expect(positions).toHaveLength(1);
  expect(OrderNo.safeParse((await broker.call("listBids", member, { cursor: null })).items[0]?.orderNo).success).toBe(true);
});
