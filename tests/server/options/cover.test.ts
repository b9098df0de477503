/** Tests what covers a sold option on a real broker: a large future covers four, only of its own month, and each expiry is paired by itself. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { premiumWorth } from "#contract/option-terms.ts";
import { calmMarket, contract, expectCleanBooks, trade } from "#tests/server/futures/fixture.ts";
import { OPTION_RULE } from "#tests/support/option-rule.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { openOption, optionTrader, readOptions, series } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

/** A member with a future of the first month or a later one, and what five calls of the first month then need, sold at its strike. */
async function callsBeside(product: string, nth: number): Promise<{ added: number; premium: number }> {
  const member = await optionTrader(broker);
  await signByHand(broker, member, "futures");
  await trade(broker, member, "buy", 1, { contract: await contract(broker, member, product, nth) });
  const { account: before } = await readOptions(broker, member);
  const { code, mark } = await series(broker, member, "call", 0);
  await openOption(broker, member, code, "sell", 5);
  const { account: after } = await readOptions(broker, member);
  return { added: after.initialCents - before.initialCents, premium: premiumWorth(mark ?? 0, 5) };
}

describe("a bought future beside sold calls", () => {
  it.each([
    ["TX", 0, 4],
    ["MTX", 0, 1],
    ["TMF", 0, 0],
    ["TX", 1, 0],
    ["MTX", 1, 0],
  ])("%s of month %i covers %i of five", async (product, nth, covered) => {
    const { added, premium } = await callsBeside(product, nth);
    expect(added - premium).toBe((5 - covered) * OPTION_RULE.initialACents);
  });
});

describe("options of two expiries", () => {
  it("are no spread, and no pair of two sold", async () => {
    const member = await optionTrader(broker);
    const near = await series(broker, member, "call", 0, 0);
    await openOption(broker, member, (await series(broker, member, "call", 5, 1)).code, "buy", 1);
    await openOption(broker, member, near.code, "sell", 1);
    const alone = premiumWorth(near.mark ?? 0) + OPTION_RULE.initialACents;
    expect((await readOptions(broker, member)).account.initialCents).toBe(alone);
    const put = await series(broker, member, "put", 0, 1);
    await openOption(broker, member, put.code, "sell", 1);
    const each = alone + premiumWorth(put.mark ?? 0) + OPTION_RULE.initialACents;
    expect((await readOptions(broker, member)).account.initialCents).toBe(each);
  });
});
