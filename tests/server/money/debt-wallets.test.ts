/** Tests that a debt is paid from whatever wallet has money, foreign money at the rate of a conversion, before anything is sold for it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openCurrencyBroker } from "#tests/server/accounts/fixture.ts";
import type { CurrencyBroker } from "#tests/server/accounts/fixture.ts";

const DEPOSIT = 100_000_000;
let broker: CurrencyBroker;
beforeAll(async () => {
  broker = await openCurrencyBroker();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const newId = (): RequestId => RequestId.parse(randomUUID());
const move = (member: number, to: "profit" | "futures", amount: number) =>
  broker.call("transferFunds", member, { requestId: newId(), currency: "TWD", from: "securities", to, amount });
async function buyDollars(member: number, amount: number): Promise<void> {
  const quote = await broker.call("quoteConversion", member, { from: "TWD", to: "USD", side: "buy", amount });
  await broker.call("acceptConversion", member, { requestId: newId(), quoteId: quote.quoteId });
}
/** Charges a member more than the securities wallet has. */
const charge = (member: number, beyondCents: number): Promise<void> =>
  broker.sequencer.submit({
    memberIds: [member],
    decide: (batch) => {
      const amount = batch.ledger.balance(member, "available") + beyondCents;
      batch.ledger.settle({ memberId: member, kind: "interest", orderNo: null, moves: [] }, [{ to: "interest", amount }]);
      batch.emit(member, { type: "wallet.changed", kind: "transfer", currencies: ["TWD"] });
    },
  });
const of = async (member: number, currency: "TWD" | "USD" = "TWD") => readBalances(broker.db.kysely, member, currency);
const factsOf = (member: number) => broker.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type);

it("profit money pays first, then futures money, and the inbox says so", async () => {
  const member = await broker.newMember({ depositCents: DEPOSIT });
  await move(member, "profit", 3_000_000);
  await move(member, "futures", 5_000_000);
  await charge(member, 4_000_000);
  expect(await of(member)).toMatchObject({ debt: 0, available: 0, profit: 0, futures: 4_000_000 });
  const { items } = await broker.call("listMessages", member, { cursor: null });
  expect(items[0]).toMatchObject({ kind: "debt", debt: { incurredCents: 4_000_000, owedCents: 0, cancelled: [] } });
});

it("as much foreign money is converted as the debt needs, with the spread", async () => {
  const member = await broker.newMember({ depositCents: DEPOSIT });
  await buyDollars(member, 200_000);
  await charge(member, 3_150_000);
  // 31,500 TWD at 31.5 are 1,000 USD, and the spread is on top.
  const { available } = await of(member, "USD");
  expect(available).toBeLessThan(100_000);
  expect(available).toBeGreaterThan(98_000);
  expect(await of(member)).toMatchObject({ debt: 0, available: 0 });
  expect(factsOf(member)).toContain("wallet.changed");
  const { items } = await broker.call("listFlows", member, { kinds: ["conversion"], from: null, until: null, cursor: null });
  // One line for each currency of both conversions.
  expect(items).toHaveLength(4);
});

it("what all wallets do not cover stays a debt, and the currencies are emptied", async () => {
  const member = await broker.newMember({ depositCents: DEPOSIT });
  await buyDollars(member, 100_000);
  await charge(member, 5_000_000);
  const { debt } = await of(member);
  expect(debt).toBeLessThan(-1_800_000);
  expect(debt).toBeGreaterThan(-1_900_000);
  expect(await of(member, "USD")).toMatchObject({ available: 0 });
});
