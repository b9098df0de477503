/** Everything that may keep a withdrawal back: each combination of missing things is said completely, and in one order. */
import { expect, it } from "vitest";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { amountRefusal, withdrawalBlocks } from "#contract/withdrawal.ts";
import type { WithdrawalFacts } from "#contract/withdrawal.ts";

const READY: WithdrawalFacts = {
  member: {
    identity: "verified",
    restrictions: [],
    fundPassword: true,
    agreements: [],
    cards: 1,
    debtCents: cents(0),
    loanCents: cents(0),
    minor: false,
    slowedUntil: null,
  },
  hours: "open",
  opensMinute: 0,
  closesMinute: 1_439,
  creditScore: 60,
  minimumScore: 60,
  loanCents: cents(0),
  holdings: [],
  pendingNo: null,
  withdrawableCents: cents(1_000_000),
  minimumCents: cents(10_000),
  maximumCents: cents(500_000_000),
};

type Member = WithdrawalFacts["member"];
const member = (change: Partial<Member>) => (facts: WithdrawalFacts) => ({ ...facts, member: { ...facts.member, ...change } });
const facts = (change: Partial<WithdrawalFacts>) => (before: WithdrawalFacts) => ({ ...before, ...change });

/** In the order they are checked. */
const OBSTACLES: readonly [RefusalCode, (before: WithdrawalFacts) => WithdrawalFacts][] = [
  ["ACC_WITHDRAW_BARRED", member({ restrictions: ["withdrawBarred"] })],
  ["ACC_REALNAME_REQUIRED", member({ identity: "unverified" })],
  ["PWD_FUND_NOT_SET", member({ fundPassword: false })],
  ["CARD_NONE", member({ cards: 0 })],
  ["FUND_WITHDRAW_SLOWED", member({ slowedUntil: epochMs(1) })],
  ["FUND_CREDIT_SCORE_LOW_WITHDRAW", facts({ creditScore: 59 })],
  ["FUND_LOAN_BLOCKS_WITHDRAW", facts({ loanCents: cents(1) })],
  ["FUND_HOLDING_BLOCKS_WITHDRAW", facts({ holdings: [{ orderNo: "K1" as OrderNo, code: "2330" as Code }] })],
  ["FUND_WITHDRAW_PENDING", facts({ pendingNo: "W1" })],
  ["FUND_WITHDRAW_HOURS", facts({ hours: "notWorking" })],
  ["FUND_WITHDRAWABLE_INSUFFICIENT", facts({ withdrawableCents: cents(9_999) })],
];

it("says every missing thing of every combination, in one order", () => {
  for (let set = 0; set < 2 ** OBSTACLES.length; set += 1) {
    const chosen = OBSTACLES.filter((_, at) => (set >> at) % 2 === 1);
    const state = chosen.reduce((before, [, change]) => change(before), READY);
    expect(withdrawalBlocks(state).map(({ code }) => code)).toEqual(chosen.map(([code]) => code));
  }
});

it("says the hours when only the hour is wrong", () => {
  expect(withdrawalBlocks({ ...READY, hours: "outside" })).toMatchObject([
    { code: "FUND_WITHDRAW_HOURS_RANGE", params: { n1: "00:00", n2: "23:59" } },
  ]);
});

it("takes an amount within the rule's bounds and no more than is free", () => {
  expect(amountRefusal(9_900, READY)).toEqual({ code: "FUND_WITHDRAW_MIN", params: { n: 100 } });
  expect(amountRefusal(500_000_100, READY)).toEqual({ code: "FUND_WITHDRAW_MAX", params: { n: 5_000_000 } });
  expect(amountRefusal(1_000_100, READY)).toEqual({ code: "FUND_WITHDRAWABLE_INSUFFICIENT", params: {} });
  expect(amountRefusal(10_000, READY)).toBeNull();
  expect(amountRefusal(1_000_000, READY)).toBeNull();
});
