/** Fund raisings, stakes and savings plans for tests of the screens. */
import { feeOf } from "#contract/fee.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import type { Raise, Stake } from "#contract/raise.ts";
import type { SavingsPlan, SavingsRun } from "#contract/savings-plan.ts";
import type { Plain } from "./plain.ts";
import { RAISE_RULE } from "./raise-rule.ts";

const at = (days: number) => epochMs(Date.now() + days * DAY_MS);
const PRICE = price(150_000);
const LOT = 1_000;

/** A fund that can be subscribed to now: 4,000 lots of 1,000 units at NT$15. */
export function raiseOf(over: Partial<Plain<Raise>> = {}): Raise {
  const raise: Raise = {
    code: "N0005F" as Raise["code"],
    status: "raising",
    price: PRICE,
    lotUnits: LOT,
    lots: 4_000,
    sizeCents: cents(6_000_000_000),
    issuedUnits: 4_000_000,
    minimumSizeCents: cents(2_400_000_000),
    leastLots: 1,
    mostLots: 40,
    distributions: 4,
    yieldPerMillion: 43_000,
    past: null,
    announcedAt: at(-2),
    opensAt: at(-1),
    closesAt: at(3),
    allottedAt: at(6),
    tradesFrom: at(8),
    maturesAt: null,
    lastTradedAt: null,
    listingPrice: null,
    askedLots: null,
    allottedLots: null,
  };
  return { ...raise, ...(over as Partial<Raise>) };
}

/** A stake in that fund. */
export function stakeOf(over: Partial<Plain<Stake>> = {}): Stake {
  const { lots = 3 } = over;
  const valueCents = worth(PRICE, lots * LOT);
  const feeCents = feeOf(RAISE_RULE, valueCents);
  const stake: Stake = {
    stakeNo: "E7",
    code: "N0005F" as Stake["code"],
    status: "subscribed",
    price: PRICE,
    lotUnits: LOT,
    lots,
    allottedLots: null,
    reservedCents: cents(valueCents + feeCents),
    valueCents,
    feeCents,
    reason: null,
    subscribedAt: at(-0.5),
    closesAt: at(3),
    allottedAt: at(6),
    tradesFrom: at(8),
    endedAt: null,
    orderNo: null,
    version: 1,
  };
  return { ...stake, ...(over as Partial<Stake>) };
}

/** A running plan of NT$3,000 on the sixth of each month. */
export function planOf(over: Partial<Plain<SavingsPlan>> = {}): SavingsPlan {
  const plan: SavingsPlan = {
    planNo: "V1",
    code: "0050" as SavingsPlan["code"],
    status: "active",
    amountCents: cents(300_000),
    day: 6,
    nextAt: at(9),
    startedAt: at(-80),
    endedAt: null,
    orderedRuns: 2,
    skippedRuns: 1,
    version: 1,
  };
  return { ...plan, ...(over as Partial<SavingsPlan>) };
}

/** A month of it. */
export function runOf(over: Partial<Plain<SavingsRun>> = {}): SavingsRun {
  const run: SavingsRun = {
    planNo: "V1",
    code: "0050" as SavingsRun["code"],
    month: "2026-07",
    dueAt: at(-20),
    at: at(-20),
    amountCents: cents(300_000),
    skipped: null,
    orders: [],
  };
  return { ...run, ...(over as Partial<SavingsRun>) };
}
