/** Tests what closing options needs on a real broker: the money for what is bought back, and an account that is covered afterwards. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exerciseCostOf, OPTION_MULTIPLIER } from "#contract/option-terms.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { readFutures } from "#server/trading/futures/futures-in-batch.ts";
import { calmMarket, expectCleanBooks, index, move, wallet } from "#tests/server/futures/fixture.ts";
import { OPTION_RULE } from "#tests/support/option-rule.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { closeOption, openOption, optionPosition, optionTrader, OWED, readOptions, series } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

/** A sold call with a bought one so many strikes above it, and a wallet with nothing but their margin. */
async function bareSpread(member: number, above: number) {
  const [near, far] = [await series(broker, member, "call", 0), await series(broker, member, "call", above)];
  const { position: bought } = await openOption(broker, member, far.code, "buy", 1);
  const { position: sold } = await openOption(broker, member, near.code, "sell", 1);
  await move(broker, member, "securities", (await readOptions(broker, member)).account.freeCents);
  const charged = 2 * exerciseCostOf(2 * far.strike, OPTION_RULE);
  expect(await wallet(broker, member)).toBe((far.strike - near.strike) * OPTION_MULTIPLIER * 100 + charged);
  return { bought: bought.positionNo, sold: sold.positionNo };
}

/** Takes money from the futures wallet, also what is margin. */
const take = (member: number, amount: number): Promise<void> =>
  broker.sequencer.submit({
    memberIds: [member],
    prepare: (tx, batch) => readFutures(tx, batch, member),
    decide: (batch) => {
      batch.ledger.settle({ memberId: member, kind: "interest", orderNo: null, moves: [] }, [{ to: "interest", amount }], ["futures"]);
      batch.emit(member, { type: "wallet.changed", kind: "transfer", currencies: ["TWD"] });
    },
  });

describe("a sold option that the wallet cannot buy back", () => {
  it("stays, which its quote tells before, until exactly what is lacking is there", async () => {
    const member = await optionTrader(broker);
    const { bought, sold } = await bareSpread(member, 5);
    index(broker, 20_800);
    const told = await broker.call("quoteCloseOption", member, { positionNo: sold, lots: 1 });
    const has = await wallet(broker, member);
    expect(told.lackingCents).toBe(told.premiumCents + told.feeCents + told.taxCents - has);
    expect(told.lackingCents).toBeGreaterThan(0);
    expect(await refusalOf(closeOption(broker, member, sold, 1))).toMatchObject({ code: "TRD_CONTRACT_MARGIN", field: "lots" });
    expect(await wallet(broker, member)).toBe(has);
    await move(broker, member, "futures", told.lackingCents - 1);
    expect(await refusalOf(closeOption(broker, member, sold, 1))).toMatchObject({ code: "TRD_CONTRACT_MARGIN" });
    await move(broker, member, "futures", 1);
    await closeOption(broker, member, sold, 1);
    expect(await wallet(broker, member)).toBe(0);
    expect(await query(broker.db.kysely, OWED, [member])).toEqual([]);
    await closeOption(broker, member, bought, 1);
  });

  it("can be closed after the bought one where the premium of that covers the account", async () => {
    const member = await optionTrader(broker);
    const { bought, sold } = await bareSpread(member, 1);
    // The bought one is worth more than the sold one alone needs in margin beyond its own premium.
    await move(broker, member, "futures", 9_000_000);
    index(broker, 21_900);
    const first = await broker.call("quoteCloseOption", member, { positionNo: sold, lots: 1 });
    expect(first.lackingCents).toBe(Math.max(0, first.premiumCents + first.feeCents + first.taxCents - (await wallet(broker, member))));
    const second = await broker.call("quoteCloseOption", member, { positionNo: bought, lots: 1 });
    await move(broker, member, "futures", second.lackingCents);
    await closeOption(broker, member, bought, 1);
    await closeOption(broker, member, sold, 1);
    expect((await readOptions(broker, member)).held).toEqual([]);
    expect(await readBalances(broker.db.kysely, member)).toMatchObject({ debt: 0 });
  });

  it("is closed by the broker nevertheless, the bought one first, so that nothing is owed for a moment", async () => {
    const member = await optionTrader(broker);
    const [near, far] = [await series(broker, member, "call", 0), await series(broker, member, "call", 5)];
    // Sold first, so that its number is the lower one, with money that does for it alone.
    const { position: sold } = await openOption(broker, member, near.code, "sell", 1);
    const { position: bought } = await openOption(broker, member, far.code, "buy", 1);
    const { account } = await readOptions(broker, member);
    const worth = account.longCents - account.shortCents;
    const leaves = Math.floor((account.initialCents + worth) / 5) - worth;
    await take(member, account.walletCents - leaves);
    const told = await broker.call("quoteCloseOption", member, { positionNo: sold.positionNo, lots: 1 });
    expect(told.lackingCents).toBeGreaterThan(0);
    await broker.tick();
    for (const { positionNo } of [sold, bought])
      expect(await optionPosition(broker, member, positionNo)).toMatchObject({ status: "liquidated" });
    expect(await query(broker.db.kysely, OWED, [member])).toEqual([]);
  });
});
