/**
 * Tests that a kill at any transaction of any step of a futures position, before or after its commit, loses nothing and does nothing twice:
 * each step is killed at its first transaction, then at its second, until it comes through; then another server goes on.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import { mortal } from "#tests/support/mortal.ts";
import type { Mortal, When } from "#tests/support/mortal.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { contract, expectCleanBooks, INDEX, index, newId, position, trade, trader, TX, wallet } from "./fixture.ts";

/** More transactions than any step has. */
const MOST = 12;
const FUNDS = TX.initialCents + 400_000;

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
let positionNo = "";
let requestId = newId();
let before = 0;
let target = 0;

async function open(funds = FUNDS): Promise<void> {
  index(broker, 20_000, 20_000);
  member = await trader(broker, funds);
  code = await contract(broker, member, "TX", 1);
  requestId = newId();
  ({ positionNo } = (await trade(broker, member, "buy", 1, { contract: code })).position);
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

interface Case {
  begin: () => Promise<unknown>;
  step: () => Promise<unknown>;
  /** What must be so however often the step was killed and done again. */
  check: () => Promise<void>;
}

const CASES: Record<string, Case> = {
  "an order": {
    begin: () => open(2 * FUNDS),
    step: () => trade(broker, member, "sell", 2, { contract: code, requestId }),
    check: async () => {
      const { items } = await broker.call("listFuturesPositions", member, { cursor: null });
      expect(items.map(({ status, lots }) => [status, lots])).toEqual([
        ["open", -1],
        ["closed", 0],
      ]);
      expect((await broker.call("listFuturesTrades", member, { cursor: null })).items).toHaveLength(3);
    },
  },
  "the settlement of a day, with a call": {
    begin: () => open(),
    step: () => begin(19_600),
    check: async () => {
      const { status, paidCents } = await position(broker, member, positionNo);
      expect([status, await wallet(broker, member)]).toEqual(["called", before + paidCents]);
      const { items } = await broker.call("listMessages", member, { cursor: null });
      expect(items.filter(({ notice }) => notice?.about === "futuresCalled")).toHaveLength(1);
    },
  },
  "a liquidation": {
    begin: async () => {
      await open();
      index(broker, 18_500);
    },
    step: () => broker.tick(),
    check: async () => {
      expect(await position(broker, member, positionNo)).toMatchObject({ status: "liquidated", lots: 0 });
      expect((await broker.call("listFuturesTrades", member, { cursor: null })).items).toHaveLength(2);
    },
  },
  "the final settlement": {
    begin: async () => {
      await open();
      const [row] = await query<FuturesRecord>(db.kysely, "SELECT * FROM futures_position WHERE position_no = $1", [positionNo]);
      target = (row?.expiry_day ?? 0) + 1;
    },
    step: () => begin(20_100),
    check: async () => {
      const { status, paidCents } = await position(broker, member, positionNo);
      const entry = (await broker.call("listFuturesTrades", member, { cursor: null })).items.at(-1)?.price ?? 0;
      expect([status, paidCents]).toEqual(["settled", (20_100 - entry) * 20_000]);
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
