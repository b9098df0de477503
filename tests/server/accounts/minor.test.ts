/** Tests what is not open to minors: everything that can cost more than what they have, until the day they are of age. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import { asks, calm, expectCleanBooks, lend } from "#tests/server/lending/fixture.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
  calm(broker);
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const newId = () => RequestId.parse(randomUUID());

/** A member with money and signed agreements, who is born on this day. */
async function born(birthDate: string): Promise<number> {
  const member = await broker.newMember({ depositCents: 1_000_000_000 });
  for (const kind of ["margin", "lending", "loan"] as const) await signByHand(broker, member, kind);
  await query(broker.db.kysely, "UPDATE member SET birth_date = $2 WHERE id = $1", [member, birthDate]);
  return member;
}

/** The clock stands at 10 o'clock of 1 July 2026 in Taipei. */
const TURNS_18 = "2008-07-01";
const DAY_BEFORE = "2008-07-02";
const leveraged = { also: { funding: "leverage", leverage: 2 } } as const;
const short = { direction: "fall" } as const;

describe("a member of seventeen years", () => {
  it("buys and sells what is paid for in full", async () => {
    const member = await born(DAY_BEFORE);
    const { orderNo } = await broker.place(member, { lots: 5 });
    expect(await broker.close(member, orderNo, { lots: 5 })).toMatchObject({ orderNo });
  });

  it("has no leverage, no short, no margin account and no loan, and lends no shares", async () => {
    const member = await born(DAY_BEFORE);
    const { orderNo } = await broker.place(member, { lots: 5 });
    const minor = (field?: string) => ({ code: "ACC_MINOR", params: {}, field });
    expect(await refusalOf(broker.place(member, leveraged))).toEqual(minor("funding"));
    expect(await refusalOf(broker.place(member, { also: { funding: "margin" } }))).toEqual(minor("funding"));
    expect(await refusalOf(broker.place(member, short))).toEqual(minor("direction"));
    expect(await refusalOf(broker.call("applyMargin", member, { requestId: newId(), agreed: true }))).toEqual(minor());
    expect(await refusalOf(broker.call("offerLoan", member, { requestId: newId(), amount: 1_000_000, termDays: 7 }))).toEqual(minor());
    expect(await refusalOf(lend(broker, member, asks(broker), orderNo, 5))).toEqual(minor());
    const own = { requestId: newId(), orderNo, lots: 5, ratePerMillion: 40_000, days: 30 as const };
    expect(await refusalOf(broker.call("offerShares", member, own))).toEqual(minor());
  });

  it("turns no position into a short", async () => {
    const member = await born(DAY_BEFORE);
    const { orderNo } = await broker.place(member, { lots: 5 });
    const reversed = broker.call("reverseOrder", member, { requestId: newId(), orderNo });
    expect(await refusalOf(reversed)).toMatchObject({ code: "ACC_MINOR" });
    expect((await broker.call("readOrder", member, { orderNo })).order).toMatchObject({ status: "holding", closedLots: 0 });
  });
});

it("all of it is open on the eighteenth birthday, which begins in Taipei", async () => {
  const member = await born(TURNS_18);
  const { orderNo } = await broker.place(member, { lots: 5 });
  await lend(broker, member, asks(broker), orderNo, 5);
  await broker.place(member, leveraged);
  await broker.place(member, { ...short, code: "2603" }).catch((error: unknown) => expect(error).not.toMatchObject({ code: "ACC_MINOR" }));
  await broker.call("applyMargin", member, { requestId: newId(), agreed: true });
  await broker.call("offerLoan", member, { requestId: newId(), amount: 1_000_000, termDays: 7 });
});
