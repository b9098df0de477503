/** Deposits on a real broker: refusals, one credit, debts first, one request id, two devices, restarts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isDepositFact } from "#contract/fact-kind.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { availableOf, deposit, depositBecomes, depositCredited, expectCleanBooks, newId, newProof, pass, setFunding } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const newMember = () => broker.newMember({ depositCents: 0 });
const factsOf = (member: number): string[] =>
  broker.published.flatMap(({ memberId, fact }) => (memberId === member && isDepositFact(fact) ? [fact.type] : []));

it("credits a transfer once, tells it, and lists it", async () => {
  const member = await newMember();
  const { depositNo } = await deposit(broker, member, { amount: 25_000 });
  expect(await availableOf(broker, member)).toBe(0);
  pass(broker, 6);
  await depositBecomes(broker, member, depositNo, "processing");
  expect(await availableOf(broker, member)).toBe(0);
  pass(broker, 4);
  const credited = await depositBecomes(broker, member, depositNo, "credited");
  expect(await availableOf(broker, member)).toBe(2_500_000);
  expect(factsOf(member)).toEqual(["deposit.submitted", "deposit.received", "deposit.credited"]);
  const { items } = await broker.call("listDeposits", member, { cursor: null });
  expect(items).toEqual([credited]);
  const flows = await broker.call("listFlows", member, { kinds: ["deposit"], from: credited.endedAt, until: null, cursor: null });
  expect(flows.items).toMatchObject([{ kind: "deposit", amountCents: 2_500_000, at: credited.endedAt }]);
  const inbox = await broker.call("listMessages", member, { cursor: null });
  expect(inbox.items[0]).toMatchObject({ kind: "deposit", deposit: { depositNo, status: "credited" } });
  pass(broker, 3_600);
  await depositCredited(broker, member, 100);
  expect(await availableOf(broker, member)).toBe(2_510_000);
});

it("pays a debt before it is free", async () => {
  const member = await newMember();
  await broker.sequencer.submit({
    memberIds: [member],
    decide: ({ ledger }) =>
      ledger.post({ memberId: member, kind: "fee", orderNo: null, moves: [{ from: "debt", to: "fees", amount: 300_000 }] }),
  });
  await depositCredited(broker, member, 10_000);
  expect(await availableOf(broker, member)).toBe(700_000);
});

describe("is refused", () => {
  it("without a verified identity", async () => {
    const member = await broker.newMember({ identity: "unverified", depositCents: 0 });
    expect(await refusalOf(deposit(broker, member))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
  });

  it("below the minimum, above the maximum, and beyond the day's limit", async () => {
    const member = await newMember();
    await setFunding(broker, member, { dailyCents: 2_000_000 as never });
    expect(await refusalOf(deposit(broker, member, { amount: 99 }))).toMatchObject({
      code: "FUND_DEPOSIT_MIN",
      params: { n: 100 },
      field: "amount",
    });
    expect(await refusalOf(deposit(broker, member, { amount: 5_000_001 }))).toMatchObject({
      code: "FUND_DEPOSIT_MAX",
      params: { n: 5_000_000 },
    });
    await depositCredited(broker, member, 15_000);
    expect(await refusalOf(deposit(broker, member, { amount: 5_001 }))).toMatchObject({
      code: "FUND_DEPOSIT_DAILY",
      params: { n: "5,000.00" },
    });
    const { leftTodayCents } = await broker.call("readDepositing", member, {});
    expect(leftTodayCents).toBe(500_000);
  });

  it("outside the hours, and on a day that is none", async () => {
    const member = await newMember();
    const before = broker.clock.now;
    const { state } = broker.venue;
    try {
      broker.clock.now = Date.UTC(2026, 6, 1, 15, 59, 30);
      expect(await refusalOf(deposit(broker, member))).toMatchObject({
        code: "FUND_DEPOSIT_HOURS_RANGE",
        params: { n1: "00:00", n2: "23:59" },
      });
      // A Saturday at an exchange that keeps its own days.
      const saturday = Date.UTC(2026, 6, 4, 4);
      const friday = broker.venue.state(saturday - DAY_MS);
      broker.venue.state = () => friday;
      broker.clock.now = saturday;
      expect(await refusalOf(deposit(broker, member))).toMatchObject({ code: "FUND_DEPOSIT_HOURS" });
    } finally {
      broker.clock.now = before;
      broker.venue.state = state;
    }
  });

  it("without a proof, and with one that is not the member's own", async () => {
    const member = await newMember();
    expect(await refusalOf(deposit(broker, member, { proofId: null }))).toMatchObject({ code: "VAL_PROOF_REQUIRED", field: "proofId" });
    for (const proofId of [await newProof(broker, await newMember()), "A".repeat(22)]) {
      expect(await refusalOf(deposit(broker, member, { proofId }))).toMatchObject({ code: "GEN_UPLOAD_RESELECT", field: "proofId" });
    }
  });

  it("on a channel that does not exist", async () => {
    expect(await refusalOf(deposit(broker, await newMember(), { channelId: "none" }))).toMatchObject({ code: "GEN_NOT_FOUND" });
  });

  it("while another one is on its way, also from a second device at once", async () => {
    const member = await newMember();
    const both = await Promise.allSettled([deposit(broker, member), deposit(broker, member)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await refusalOf(deposit(broker, member))).toMatchObject({ code: "FUND_DEPOSIT_PENDING" });
    const { pending } = await broker.call("readDepositing", member, {});
    expect(pending).toMatchObject({ status: "pending", amount: 10_000 });
  });
});

it("acts once for one request id", async () => {
  const member = await newMember();
  const requestId = newId();
  const proofId = await newProof(broker, member);
  const once = (amount = 10_000) => deposit(broker, member, { requestId, proofId, amount });
  const [first, again] = await Promise.all([once(), once()]);
  expect(again).toEqual(first);
  expect(await refusalOf(once(20_000))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
});

it("shows nobody another member's deposit", async () => {
  const { depositNo } = await deposit(broker, await newMember());
  expect(await refusalOf(broker.call("readDeposit", await newMember(), { depositNo }))).toMatchObject({ code: "GEN_NOT_FOUND" });
});

it("gives each member an account number of their own", async () => {
  const numbers = await Promise.all(
    [await newMember(), await newMember()].map(async (member) => (await broker.call("readDepositing", member, {})).channels[0]?.payTo),
  );
  expect(new Set(numbers).size).toBe(2);
  for (const number of numbers) expect(number).toMatch(/^\d{14}$/);
});

it("goes on after the process was killed", async () => {
  const member = await newMember();
  const { depositNo } = await deposit(broker, member);
  await broker.stop();
  pass(broker, 6);
  const next = await openTestBroker({ db: broker.db, clock: broker.clock, venue: broker.venue });
  await depositBecomes(next, member, depositNo, "processing");
  pass(next, 4);
  await depositBecomes(next, member, depositNo, "credited");
  expect(await availableOf(next, member)).toBe(1_000_000);
  expect(next.faults).toEqual([]);
  await next.stop();
});
