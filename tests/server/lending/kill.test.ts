/**
 * Tests that a kill at any transaction of any step of a loan, before or after its commit, loses nothing and does nothing twice: each step is killed
 * at its first transaction, then at its second, until it comes through; then another server goes on, and the command is sent again.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { mortal } from "#tests/support/mortal.ts";
import type { Mortal, When } from "#tests/support/mortal.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { asks, calm, close, expectCleanBooks, lend, lender, newId, orderOf, pass, read } from "./fixture.ts";

/** More transactions than any step has. */
const MOST = 20;

let db: Database;
let dying: Mortal;
let broker: TestBroker;
beforeAll(async () => {
  db = await openTestDatabase();
  dying = mortal(db);
  broker = await openTestBroker({ db: dying });
});
beforeEach(() => {
  calm(broker);
  broker.venue.setDemands([]);
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** Opens the server again, on the database that lived on. */
async function reopen(): Promise<void> {
  await broker.stop();
  await broker.settled();
  const { venue, clock } = broker;
  dying = mortal(db);
  broker = await openTestBroker({ db: dying, venue, clock });
}

interface Case {
  /** What happens before the step, while nothing is killed. */
  begin: () => Promise<void>;
  step: () => Promise<unknown>;
  /** What must be so however often the step was killed and done again. */
  check: () => Promise<void>;
}

/** Kills a step at each of its transactions. @returns how often it was killed */
async function killEverywhere(when: When, { begin, step, check }: Case): Promise<number> {
  for (let transaction = 0; transaction < MOST; transaction += 1) {
    await begin();
    dying.killAt(transaction, when);
    // What the member's device gets, if the server still answers.
    await step().catch(() => undefined);
    await broker.settled();
    const killed = dying.dead;
    if (killed) await reopen();
    else dying.killAt(null, when);
    await step();
    await broker.settled();
    await check();
    await expectCleanBooks(broker);
    if (!killed) return transaction;
  }
  throw new Error("the step never came through");
}

/** The fee of a day at 4 % a year. */
const feeOn = (valueCents: number, days = 1): number => Math.floor((valueCents * 0.04) / 365) * days;
/** Lots taken of a demand beyond those of its loans: earlier members' offers meet it too. */
const takenTwice = async (demandId: string): Promise<number> => {
  const [row] = await query<{ more: number }>(
    db.kysely,
    "SELECT (taken - (SELECT coalesce(sum(lots), 0) FROM lending WHERE demand_id = $1))::integer AS more FROM lending_demand WHERE demand_id = $1",
    [demandId],
  );
  return row?.more ?? -1;
};
const lendingsOf = async (member: number) => (await broker.call("listLendings", member, { cursor: null })).items;
const noticesOf = async (member: number, about: string) =>
  (await broker.call("listMessages", member, { cursor: null })).items.filter(({ notice }) => notice?.about === about);
const flowsOf = async (member: number): Promise<number[]> =>
  (await broker.call("listFlows", member, { kinds: ["lendingFee"], from: null, until: null, cursor: null })).items.map(
    ({ amountCents }) => amountCents,
  );

let member = 0;
let orderNo: Awaited<ReturnType<typeof lender>>["orderNo"];
let lendingNo = "";
let requestId = newId();
let demand = { demandId: "" } as ReturnType<typeof asks>;
let today = 0;

const newLender = async (): Promise<void> => {
  ({ member, orderNo } = await lender(broker));
  requestId = newId();
};
const newLoan = async (): Promise<void> => {
  await newLender();
  demand = asks(broker, { days: 7 });
  ({ lendingNo } = await lend(broker, member, demand, orderNo, 2));
  today = broker.venue.feeDay(broker.clock.now);
};
const newOffer = async (): Promise<void> => {
  await newLender();
  const own = { requestId: newId(), orderNo, lots: 2, ratePerMillion: 40_000, days: 7 } as const;
  ({ lendingNo } = await broker.call("offerShares", member, own));
  today = broker.venue.feeDay(broker.clock.now);
};
/** The next day, once. */
const dayOf = (days: number) => async (): Promise<void> => {
  const past = broker.venue.feeDay(broker.clock.now) - today;
  await pass(broker, Math.max(0, days - past));
};
const onLoan = async (): Promise<number | undefined> => (await orderOf(broker, member, orderNo)).onLoanLots;

const CASES: Record<string, Case> = {
  "lending to a borrower": {
    begin: async () => {
      await newLender();
      demand = asks(broker);
    },
    step: () => lend(broker, member, demand, orderNo, 2, { requestId }),
    check: async () => {
      expect(await lendingsOf(member)).toMatchObject([{ status: "inProgress", lots: 2 }]);
      expect([await onLoan(), await takenTwice(demand.demandId)]).toEqual([2, 0]);
    },
  },
  "an offer": {
    begin: newLender,
    step: () => broker.call("offerShares", member, { requestId, orderNo, lots: 2, ratePerMillion: 40_000, days: 7 }),
    check: async () => {
      expect(await lendingsOf(member)).toMatchObject([{ status: "offered", lots: 2 }]);
      expect(await onLoan()).toBe(2);
    },
  },
  "withdrawing an offer": {
    begin: newOffer,
    step: () => broker.call("withdrawLendingOffer", member, { requestId, lendingNo }),
    check: async () => {
      expect(await lendingsOf(member)).toMatchObject([{ status: "withdrawn" }]);
      expect(await onLoan()).toBeUndefined();
    },
  },
  "the day on which an offer meets a borrower": {
    begin: async () => {
      await newOffer();
      demand = asks(broker, { days: 7 });
    },
    step: dayOf(1),
    check: async () => {
      expect(await lendingsOf(member)).toMatchObject([{ status: "inProgress", feeCents: 0 }]);
      expect([await takenTwice(demand.demandId), (await noticesOf(member, "lendingStarted")).length]).toEqual([0, 1]);
    },
  },
  "the fee of a day": {
    begin: newLoan,
    step: dayOf(1),
    check: async () => expect(await read(broker, member, lendingNo)).toMatchObject({ status: "inProgress", feeCents: feeOn(20_000_000) }),
  },
  "a recall": {
    begin: newLoan,
    step: () => broker.call("recallShares", member, { requestId, lendingNo }),
    check: async () => expect(await read(broker, member, lendingNo)).toMatchObject({ status: "recalled", dueDay: today + 3 }),
  },
  "the return": {
    begin: newLoan,
    step: dayOf(7),
    check: async () => {
      const paid = Math.floor((feeOn(20_000_000, 7) * 3) / 4);
      expect(await read(broker, member, lendingNo)).toMatchObject({ status: "completed", reason: "term", paidCents: paid });
      expect(await flowsOf(member)).toEqual([paid]);
      expect((await noticesOf(member, "lendingReturned")).length).toBe(1);
      expect((await close(broker, member, orderNo, 5)).status).toBe("closed");
    },
  },
};

describe.each(["before", "after"] as const)("killed %s a commit", (when) => {
  it.each(Object.keys(CASES))("%s is done once", { timeout: 300_000 }, async (name) => {
    const one = CASES[name];
    if (!one) throw new Error(name);
    expect(await killEverywhere(when, one)).toBeGreaterThan(0);
  });
});
