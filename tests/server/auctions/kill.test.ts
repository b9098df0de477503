/**
 * Tests that a kill at any statement of any step of an auction, before or after its commit, loses nothing and does nothing twice: each step is
 * killed at its first statement, then at its second, until one attempt comes through.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database, Tx } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { CommitUnknown } from "#server/db/outage.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { auctionTick } from "#server/offerings/auctions/auction-clock.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import {
  announce,
  AT,
  bidNow,
  crowdAt,
  expectCleanBooks,
  factsOf,
  FUND_PASSWORD,
  moneyOf,
  newBidder,
  newId,
  openAuctionBroker,
  RICH,
} from "./fixture.ts";

class Killed extends Error {}

interface Killable extends Database {
  /** Kills the next transactions at their nth statement from now on, counted over all of them; null for none. */
  killAt(statement: number | null): void;
  /** Loses the answer to the next commit. */
  loseReply(): void;
  /** Kills and lost answers so far. */
  readonly kills: number;
}

function killable(db: Database): Killable {
  let left: number | null = null;
  let isReplyLost = false;
  let kills = 0;
  const counted = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        if (name !== "executeQuery") return value.bind(target) as unknown;
        return (...args: unknown[]): unknown => {
          if (left !== null && left <= 0) {
            kills += 1;
            throw new Killed();
          }
          if (left !== null) left -= 1;
          return value.apply(target, args) as unknown;
        };
      },
    });
  return {
    ...db,
    get kysely() {
      return db.kysely;
    },
    get kills() {
      return kills;
    },
    killAt: (statement) => {
      left = statement;
    },
    loseReply: () => {
      isReplyLost = true;
    },
    async transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
      const result = await db.transaction((tx) => work(counted(tx)));
      if (!isReplyLost) return result;
      isReplyLost = false;
      kills += 1;
      throw new CommitUnknown();
    },
  };
}

let db: Killable;
let broker: TestBroker;
beforeAll(async () => {
  db = killable(await openTestDatabase());
  broker = await openAuctionBroker({ db });
  // Only this test takes steps.
  await broker.stop();
  await broker.settled();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const differences = async () => (await auditBooks(broker.db.kysely)).differences;
const isExpected = (error: unknown): boolean => error instanceof Killed || error instanceof CommitUnknown;

/** Tries something until it comes through: killed at each of its statements in turn, and then with its answer lost. */
async function survive(attempt: (report: (error: unknown) => void) => Promise<void>): Promise<void> {
  for (let statement = 0; ; statement += 1) {
    const faults: unknown[] = [];
    const before = db.kills;
    db.killAt(statement);
    await attempt((error) => faults.push(error));
    db.killAt(null);
    expect(faults.filter((error) => !isExpected(error))).toEqual([]);
    expect(await differences()).toEqual([]);
    if (db.kills === before) return;
  }
}

/** A restarted clock takes one step of everything that is due. */
async function tick(report: (error: unknown) => void): Promise<void> {
  const { venue, sequencer, clock } = broker;
  await auctionTick({ db, venue, sequencer, now: () => clock.now, report })().catch(report);
}

async function passHours(hours: number): Promise<void> {
  broker.clock.now += hours * 3_600_000;
  for (let step = 0; step < 4; step += 1) {
    await survive(tick);
    db.loseReply();
    await tick(() => undefined);
    await survive(tick);
  }
  broker.faults.splice(0, broker.faults.length, ...broker.faults.filter((error) => !isExpected(error)));
}

it("loses nothing and does nothing twice, whatever is killed, from the announcement to the allotment", async () => {
  // 3 of the 4 lots at 53.00 win.
  const code = await announce(broker, { crowd: [...crowdAt(540_000, 179), ...crowdAt(520_000, 100)] });
  const [member, loser, poor] = [await newBidder(broker), await newBidder(broker), await newBidder(broker, 5_000_000)];
  await survive(async (report) => {
    await broker.call("bookAuction", loser, { requestId: booking, code }).catch(report);
  });
  await passHours(AT.opens);
  const ids = { whole: newId(), part: newId(), lost: newId(), poor: newId() };
  const place = async (who: number, requestId: keyof typeof ids, price: number, lots: number): Promise<string> => {
    const body = { requestId: ids[requestId], code, price, lots, fundPassword: FUND_PASSWORD };
    await survive(async (report) => {
      await broker.call("placeBid", who, body).catch(report);
    });
    return (await broker.call("placeBid", who, body)).bidNo;
  };
  const whole = await place(member, "whole", 550_000, 17);
  const part = await place(member, "part", 530_000, 4);
  const lost = await place(loser, "lost", 510_000, 5);
  const unpaid = await place(poor, "poor", 600_000, 1);
  expect(await moneyOf(broker, loser)).toEqual({ available: RICH - 40_000 - 12_750_000, reserved: 12_750_000 });
  await passHours(AT.closes - AT.opens);
  await passHours(AT.opened - AT.closes);
  expect(await bidNow(broker, member, whole)).toMatchObject({ status: "won", wonLots: 17 });
  expect(await bidNow(broker, member, part)).toMatchObject({ status: "won", wonLots: 3 });
  await passHours(AT.refunds - AT.opened);
  const paying = newId();
  await survive(async (report) => {
    await broker.call("payBid", member, { requestId: paying, bidNo: whole, fundPassword: FUND_PASSWORD }).catch(report);
  });
  // Halfway to the deadline who has not paid is reminded.
  await passHours((AT.opened + AT.payable) / 2 - AT.refunds);
  await passHours(AT.payable - (AT.opened + AT.payable) / 2);
  await passHours(AT.allotted - AT.payable);
  const wonCents = 93_500_000 + 15_900_000;
  const awardCents = 3_740_000 + 636_000;
  expect(await moneyOf(broker, member)).toEqual({ available: RICH - 2 * 40_000 - wonCents - awardCents, reserved: 0 });
  expect(await moneyOf(broker, loser)).toEqual({ available: RICH - 40_000, reserved: 0 });
  expect(await moneyOf(broker, poor)).toEqual({ available: 5_000_000 - 40_000 - 3_000_000, reserved: 0 });
  const states = [
    await bidNow(broker, member, whole),
    await bidNow(broker, member, part),
    await bidNow(broker, loser, lost),
    await bidNow(broker, poor, unpaid),
  ];
  expect(states.map(({ status }) => status)).toEqual(["paid", "paid", "lost", "forfeited"]);
  expect((await broker.call("listPositions", member, {})).positions).toHaveLength(2);
  const told = (who: number) => factsOf(broker, who).toSorted();
  expect(told(member)).toEqual(
    ["allotted", "allotted", "paid", "paid", "placed", "placed", "refunded", "reminded", "won", "won"].map((one) => `bid.${one}`),
  );
  expect(told(loser)).toEqual(["auction.started", "bid.lost", "bid.placed", "bid.refunded"]);
  expect(told(poor)).toEqual(["bid.forfeited", "bid.placed", "bid.reminded", "bid.won"]);
  const messages = await query<{ count: number }>(
    broker.db.kysely,
    "SELECT count(*)::integer AS count FROM message WHERE kind = 'auction' GROUP BY member_id ORDER BY member_id",
  );
  expect(messages.map(({ count }) => count)).toEqual([4, 2, 3]);
  // Each of the steps was killed at several statements.
  expect(db.kills).toBeGreaterThan(80);
});

const booking = newId();
