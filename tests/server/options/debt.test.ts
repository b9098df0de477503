/** Tests how options pay a debt: those that hang together by their margins are closed together, and where no closing pays, nothing is tried over and over. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readBalances } from "#server/ledger/ledger.ts";
import { calmMarket, expectCleanBooks, index, move } from "#tests/server/futures/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { openOption, optionPosition, optionTrader, readOptions, series } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(async () => {
  vi.restoreAllMocks();
  await expectCleanBooks(broker);
});
afterAll(() => broker.shut());

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

/** Two calls of a strike bought, that cover two sold ones of strikes below it; no money but their margin, and a debt at an index. */
async function indebted(last: number): Promise<{ member: number; nos: string[] }> {
  const member = await optionTrader(broker);
  const [low, middle, high] = [
    await series(broker, member, "call", 0),
    await series(broker, member, "call", 1),
    await series(broker, member, "call", 5),
  ];
  const { position: bought } = await openOption(broker, member, high.code, "buy", 2);
  const { position: first } = await openOption(broker, member, low.code, "sell", 1);
  const { position: second } = await openOption(broker, member, middle.code, "sell", 1);
  await move(broker, member, "securities", (await readOptions(broker, member)).account.freeCents);
  index(broker, last);
  await charge(member, 50_000);
  expect(await readBalances(broker.db.kysely, member)).toMatchObject({ debt: -50_000 });
  return { member, nos: [bought.positionNo, first.positionNo, second.positionNo] };
}

describe("a debt beside one bought option that covers two sold series", () => {
  it("closes all three, where closing one or a pair would free nothing", async () => {
    const { member, nos } = await indebted(20_800);
    await broker.tick();
    await broker.tick();
    for (const no of nos) expect(await optionPosition(broker, member, no)).toMatchObject({ status: "liquidated" });
    expect(await readBalances(broker.db.kysely, member)).toMatchObject({ debt: 0 });
  });

  it("is not tried for under the member's lock while closing them would cost what it frees", async () => {
    const { member, nos } = await indebted(21_900);
    const submitted = vi.spyOn(broker.sequencer, "submit");
    await broker.tick();
    await broker.tick();
    expect(submitted.mock.calls.filter(([{ memberIds }]) => memberIds.includes(member))).toEqual([]);
    for (const no of nos) expect(await optionPosition(broker, member, no)).toMatchObject({ status: "open" });
    // Once closing them frees something, it is done.
    index(broker, 20_800);
    await broker.tick();
    await broker.tick();
    for (const no of nos) expect(await optionPosition(broker, member, no)).toMatchObject({ status: "liquidated" });
    expect(await readBalances(broker.db.kysely, member)).toMatchObject({ debt: 0 });
  });
});
