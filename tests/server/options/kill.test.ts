/**
 * Tests that a kill at any transaction of any step of an option position, before or after its commit, loses nothing and does nothing twice:
 * each step is killed at its first transaction, then at its second, until it comes through; then another server goes on.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { expectCleanBooks, INDEX, index, newId, wallet } from "#tests/server/futures/fixture.ts";
import { mortal } from "#tests/support/mortal.ts";
import type { Mortal, When } from "#tests/support/mortal.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { closeOption, closePair, openOption, optionPosition, optionTrader, series } from "./fixture.ts";

/** More transactions than any step has. */
const MOST = 12;
const FUNDS = 9_500_000;

let db: Database;
let dying: Mortal;
let broker: TestBroker;
beforeAll(async () => {
  db = await openTestDatabase();
  dying = mortal(db);
  broker = await openTestBroker({ db: dying });
});
beforeEach(() => index(broker, 20_000, 20_000));
afterAll(() => broker.shut());

/** Opens the server again, on the database that lived on. */
async function reopen(): Promise<void> {
  await broker.stop();
  await broker.settled();
  const { venue, clock } = broker;
  dying = mortal(db);
  broker = await openTestBroker({ db: dying, venue, clock });
}

let member = 0;
let code = "";
let strike = 0;
let positionNo = "";
let otherNo = "";
let requestId = newId();
let before = 0;
let target = 0;

async function prepare(funds: number): Promise<void> {
  index(broker, 20_000, 20_000);
  member = await optionTrader(broker, funds);
  ({ code, strike } = await series(broker, member, "put", 0, 1));
  requestId = newId();
}

async function sell(): Promise<void> {
  await prepare(FUNDS);
  ({ positionNo } = (await openOption(broker, member, code, "sell", 1)).position);
  before = await wallet(broker, member);
  target = broker.venue.feeDay(broker.clock.now) + 1;
}

/** The day of the target begins, once. */
async function begin(close: number): Promise<void> {
  const days = target - broker.venue.feeDay(broker.clock.now);
  broker.clock.now += Math.max(0, days) * DAY_MS;
  index(broker, close, close);
  broker.venue.setFeeDay(target);
  await broker.settled();
}

const trades = async () => (await broker.call("listOptionTrades", member, { cursor: null })).items;

interface Case {
  begin: () => Promise<unknown>;
  step: () => Promise<unknown>;
  /** What must be so however often the step was killed and done again. */
  check: () => Promise<void>;
}

const CASES: Record<string, Case> = {
  "a sale": {
    begin: () => prepare(FUNDS),
    step: () => openOption(broker, member, code, "sell", 1, { requestId }),
    check: async () => {
      const [only, ...more] = await trades();
      expect(more).toEqual([]);
      expect(await wallet(broker, member)).toBe(FUNDS + premiumWorth(only?.price ?? 0) - (only?.feeCents ?? 0) - (only?.taxCents ?? 0));
    },
  },
  closing: {
    begin: sell,
    step: () => closeOption(broker, member, positionNo, 1, { requestId }),
    check: async () => {
      expect(await optionPosition(broker, member, positionNo)).toMatchObject({ status: "closed", lots: 0 });
      expect(await trades()).toHaveLength(2);
    },
  },
  "closing both legs of a spread": {
    begin: async () => {
      await prepare(FUNDS);
      const bought = await series(broker, member, "put", -3, 1);
      otherNo = (await openOption(broker, member, bought.code, "buy", 1)).position.positionNo;
      ({ positionNo } = (await openOption(broker, member, code, "sell", 1)).position);
    },
    step: () => closePair(broker, member, [positionNo, otherNo], 1, { requestId }),
    check: async () => {
      for (const no of [positionNo, otherNo]) expect(await optionPosition(broker, member, no)).toMatchObject({ status: "closed", lots: 0 });
      const all = await trades();
      expect(all).toHaveLength(4);
      const spent = all.reduce((sum, { side, price, feeCents, taxCents }) => {
        return sum + premiumWorth(price, side === "sell" ? 1 : -1) - feeCents - taxCents;
      }, 0);
      expect(await wallet(broker, member)).toBe(FUNDS + spent);
    },
  },
  "the marking of a day, with a call": {
    begin: sell,
    step: () => begin(19_000),
    check: async () => {
      const { status, markedTenths } = await optionPosition(broker, member, positionNo);
      expect([status, await wallet(broker, member)]).toEqual(["called", before]);
      expect(markedTenths).toBeLessThan(-10_000);
      const { items } = await broker.call("listMessages", member, { cursor: null });
      expect(items.filter(({ notice }) => notice?.about === "futuresCalled")).toHaveLength(1);
    },
  },
  "a liquidation": {
    begin: async () => {
      await sell();
      index(broker, 17_000, 18_800);
    },
    step: () => broker.tick(),
    check: async () => {
      expect(await optionPosition(broker, member, positionNo)).toMatchObject({ status: "liquidated", lots: 0 });
      expect(await trades()).toHaveLength(2);
    },
  },
  "an exercise at expiry": {
    begin: async () => {
      await sell();
      const [row] = await query<OptionRecord>(db.kysely, "SELECT * FROM option_position WHERE position_no = $1", [positionNo]);
      target = (row?.expiry_day ?? 0) + 1;
    },
    step: () => begin(19_900),
    check: async () => {
      const { status, paidCents } = await optionPosition(broker, member, positionNo);
      const entry = (await trades()).at(-1)?.price ?? 0;
      expect([status, paidCents]).toEqual(["settled", premiumWorth(entry) - premiumWorth((strike - 19_900) * 10)]);
    },
  },
};

/** Kills a step at each of its transactions. @returns how often it was killed */
async function killEverywhere(when: When, one: Case): Promise<number> {
  for (let transaction = 0; transaction < MOST; transaction += 1) {
    await one.begin();
    dying.killAt(transaction, when);
    await one.step().catch(() => undefined);
    await broker.settled();
    const killed = dying.dead;
    if (killed) await reopen();
    else dying.killAt(null, when);
    await one.step();
    await broker.settled();
    await one.check();
    await expectCleanBooks(broker);
    if (!killed) return transaction;
  }
  throw new Error("the step never came through");
}

describe.each(["before", "after"] as const)("killed %s a commit", (when) => {
  it.each(Object.keys(CASES))("%s is done once", { timeout: 300_000 }, async (name) => {
    const one = CASES[name];
    if (!one) throw new Error(name);
    broker.venue.setExDividend(INDEX, 0);
    expect(await killEverywhere(when, one)).toBeGreaterThan(0);
  });
});
