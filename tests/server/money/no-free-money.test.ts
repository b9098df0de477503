/** Tests with random leagues of members in a market that stands still: whatever they do, in any order, earns nothing; and loans secure nothing. */
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bandOf } from "#contract/credit.ts";
import type { EndpointName, Body } from "#contract/endpoints.ts";
import { isUnpaid, owedOn } from "#contract/loan.ts";
import type { Loan } from "#contract/loan.ts";
import { WALLETS } from "#contract/wallet.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { valueAccounts } from "#server/trading/clearing/account-value.ts";
import { chargeInterest } from "#server/trading/clearing/charge-interest.ts";
import { openCurrencyBroker } from "#tests/server/accounts/fixture.ts";
import type { CurrencyBroker } from "#tests/server/accounts/fixture.ts";
import { newId, passDays, sign } from "#tests/server/credit/fixture.ts";
import { depositCredited, expectCleanBooks, newPayee, withdraw, withdrawalPaid } from "#tests/server/funding/fixture.ts";
import type { Payee } from "#tests/server/funding/fixture.ts";
import { place } from "#tests/server/money/fixture.ts";
import { randomFrom } from "#tests/server/simulation/random.ts";
import type { Random } from "#tests/server/simulation/random.ts";
import { sized } from "#tests/support/size.ts";

const LEAGUES = Number(process.env["PROPERTY_RUNS"] ?? sized(3, 12));
const FIRST_SEED = Number(process.env["LEAGUE_SEED"] ?? 20_261_123);
const STEPS = 70;
const PRICED = ["TWD", "TWD", "USD", "JPY", "KRW"] as const;
const START = Date.UTC(2026, 6, 1, 2, 0, 0);
/** Values of several currencies are rounded to cents. */
const ROUNDING = 3;
/** Fee and tax of a part are rounded down to whole NT$, those of the rest are an estimate. */
const ESTIMATE = 400;

/** Relative frequency of each act. */
const ACTS = { convert: 8, transfer: 5, borrow: 6, repay: 5, open: 6, close: 5, deposit: 1, withdraw: 2, day: 3 } as const;
type Act = keyof typeof ACTS;

let broker: CurrencyBroker;
beforeAll(async () => {
  broker = await openCurrencyBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const call = <Name extends EndpointName>(name: Name, { member }: Payee, body: Body<Name>) => broker.call(name, member, body);

/** The same price on both sides: only fees, tax, spreads and interest are left. */
function standStill(): void {
  broker.venue.set(0, { bids: [[100, 9_000]], asks: [[100, 9_000]], last: 100, reference: 100 });
}

/** What a member has gained since the beginning: the account's value less everything paid in. */
async function gainOf({ member }: Payee): Promise<number> {
  const [value] = await valueAccounts(broker.db.kysely, broker.venue, member, broker.clock.now);
  return (value?.totalCents ?? 0) - (value?.paidInCents ?? 0);
}

async function convert(random: Random, payee: Payee): Promise<void> {
  // Everything that was bought goes on into the next currency, or back.
  const held = (await Promise.all(PRICED.map((one) => readBalances(broker.db.kysely, payee.member, one)))).map(
    ({ available }) => available,
  );
  const from = random.pick(PRICED.filter((_, nth) => (held[nth] ?? 0) > 0));
  const to = random.pick(PRICED.filter((one) => one !== from));
  const has = held[PRICED.indexOf(from)] ?? 0;
  const amount = random.pick([has, random.int(1, Math.min(has, 50)), random.int(1, Math.min(has, 20_000_000))]);
  const { quoteId } = await call("quoteConversion", payee, { from, to, side: random.weighted({ sell: 3, buy: 1 }), amount });
  await call("acceptConversion", payee, { requestId: newId(), quoteId });
}

async function transfer(random: Random, payee: Payee): Promise<void> {
  const from = random.once(2) ? "securities" : random.pick(WALLETS);
  const to = random.pick(WALLETS.filter((one) => one !== from));
  const currency = random.once(5) ? random.pick(PRICED) : "TWD";
  await call("transferFunds", payee, {
    requestId: newId(),
    currency,
    from,
    to,
    amount: random.int(1, random.once(2) ? 60_000_000 : 2_000_000),
  });
  if (to === "futures") await expectOwnBehindCollateral(payee);
}

/** What secures a short, leverage or futures is the member's own: as much as they owe on credit is still there. */
async function expectOwnBehindCollateral(payee: Payee): Promise<void> {
  const [row] = await query<{ owed: number }>(broker.db.kysely, "SELECT credit_cents AS owed FROM trader WHERE member_id = $1", [
    payee.member,
  ]);
  const owed = row?.owed ?? 0;
  if (owed > 0) expect((await readBalances(broker.db.kysely, payee.member)).available).toBeGreaterThanOrEqual(owed);
}

async function borrow(random: Random, payee: Payee): Promise<void> {
  const { rule, borrowing } = await call("readLoans", payee, {});
  const amount = random.once(3) ? borrowing.freeCents : random.int(1_000_000, 50_000_000);
  const [value] = await valueAccounts(broker.db.kysely, broker.venue, payee.member, broker.clock.now);
  const { loanNo } = await call("offerLoan", payee, { requestId: newId(), amount, termDays: random.pick(rule.termDays) });
  await call("drawLoan", payee, { requestId: newId(), loanNo });
  const loans = (await call("readLoans", payee, {})).loans.filter(isUnpaid);
  const { percent } = bandOf(rule, borrowing.score);
  const principal = loans.reduce((sum, loan) => sum + loan.principalCents, 0);
  expect(principal, "never above the part of what is the member's own").toBeLessThanOrEqual(((value?.totalCents ?? 0) * percent) / 100);
}

async function repay(random: Random, payee: Payee): Promise<void> {
  const unpaid = (await call("readLoans", payee, {})).loans.filter(isUnpaid);
  if (unpaid.length === 0) return;
  const loan: Loan = random.pick(unpaid);
  const amount = random.pick([owedOn(loan), loan.interestCents, random.int(1, owedOn(loan)), owedOn(loan) + 1]);
  await call("repayLoan", payee, { requestId: newId(), loanNo: loan.loanNo, amount });
}

async function open(random: Random, { member }: Payee): Promise<void> {
  const funding = random.weighted({ cash: 3, margin: 2, leverage: 2 });
  const direction = random.pick(["rise", "fall"] as const);
  const leverage = funding === "leverage" ? random.int(2, 5) : 1;
  await place(broker, member, { direction, funding, leverage, lots: random.int(1, 6), price: 100 });
  if (funding !== "cash" || direction === "fall") await expectOwnBehindCollateral({ member, cardId: "" });
}

async function close(random: Random, payee: Payee): Promise<void> {
  const { positions } = await call("listPositions", payee, {});
  if (positions.length === 0) return;
  const order = random.pick(positions);
  await broker.close(payee.member, order.orderNo, { lots: random.int(1, order.filledLots - order.closedLots) });
}

async function days(random: Random): Promise<void> {
  await passDays(broker, random.int(1, 3));
  await chargeInterest({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
}

const DO: Record<Act, (random: Random, payee: Payee) => Promise<unknown>> = {
  convert,
  transfer,
  borrow,
  repay,
  open,
  close,
  deposit: (random, { member }) => depositCredited(broker, member, random.int(100, 50_000)),
  withdraw: async (random, payee) => {
    const { withdrawalNo } = await withdraw(broker, payee, { amount: random.int(100, 20_000) });
    await withdrawalPaid(broker, payee.member, withdrawalNo);
  },
  day: days,
};

async function newLeague(random: Random): Promise<Payee[]> {
  broker.clock.now = START;
  const league: Payee[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const payee = await newPayee(broker, random.pick([20_000_000, 100_000_000, 300_000_000]));
    await sign(broker, payee.member);
    league.push(payee);
  }
  const members = league.map(({ member }) => member);
  await query(broker.db.kysely, "UPDATE trader SET margin_status = 'approved', day_signed_at = 1 WHERE member_id = ANY ($1::bigint[])", [
    members,
  ]);
  return league;
}

describe("a market that stands still", () => {
  const seeds = Array.from({ length: LEAGUES }, (_, nth) => FIRST_SEED + nth);
  const done: Partial<Record<Act, number>> = {};

  it.each(seeds)("pays nobody (league %d)", { timeout: 300_000 }, async (seed) => {
    const random = randomFrom(seed);
    const league = await newLeague(random);
    let gains = await Promise.all(league.map(gainOf));
    const trail: string[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      const [act, nth] = [random.weighted(ACTS), random.int(0, league.length - 1)];
      const payee = league[nth];
      if (!payee) throw new Error("nobody");
      standStill();
      broker.clock.now += random.int(1_000, 60_000);
      const outcome = await DO[act](random, payee).then(
        () => "done",
        (error: unknown) => {
          if (error instanceof Refusal) return error.code;
          throw error;
        },
      );
      await broker.settled();
      if (outcome === "done") done[act] = (done[act] ?? 0) + 1;
      trail.push(`${step} member ${nth} ${act}: ${outcome}`);
      const now = await Promise.all(league.map(gainOf));
      const most = act === "open" || act === "close" ? ESTIMATE : ROUNDING;
      const earned = now.map((gain, at) => gain - (gains[at] ?? 0));
      expect(Math.max(...earned), `earned by an act, after:\n${trail.join("\n")}`).toBeLessThanOrEqual(most);
      expect(Math.max(...now), `gained since the beginning, after:\n${trail.join("\n")}`).toBeLessThanOrEqual(0);
      gains = now;
    }
  });

  it("was tried with every act", () => {
    expect(Object.keys(done).toSorted()).toEqual(Object.keys(ACTS).toSorted());
  });
});
