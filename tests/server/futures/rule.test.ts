/** Tests the rules of futures: dated changes of fees, tax and margins apply from their day, and nothing that was charged changes. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { futuresTaxOf } from "#contract/futures-price.ts";
import { DAY_MS, HOUR_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { BadRule, dropRule, readChange, setRule } from "#server/rules/change.ts";
import { thirdWednesday } from "#server/trading/futures/contracts.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { contract, expectCleanBooks, INDEX, index, nextDay, position, trade, trader, TX, wallet } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => {
  broker.venue.setPhase("open");
  index(broker, 20_000, 20_000);
  broker.venue.setExDividend(INDEX, 0);
});
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

const dayAfter = (days: number): string => new Date((taipeiDay(broker.clock.now) + days) * DAY_MS).toISOString().slice(0, 10);
async function rule(...words: string[]): Promise<void> {
  await broker.db.transaction(async (tx) => void (await setRule(tx, await readChange(tx, ["futures", ...words]))));
  await broker.sequencer.rules.reload(broker.db.kysely);
}
async function drop(...words: string[]): Promise<void> {
  await broker.db.transaction(async (tx) => void (await dropRule(tx, await readChange(tx, ["futures", ...words]))));
  await broker.sequencer.rules.reload(broker.db.kysely);
}

describe("a change of the rules of futures", () => {
  it("charges from its day on, and leaves what was charged before", async () => {
    const member = await trader(broker);
    const code = await contract(broker, member, "TX", 1);
    const tomorrow = dayAfter(1);
    await rule("code=TX", `from=${tomorrow}`, "feeCents=9000");
    await rule(`from=${tomorrow}`, "taxPerMillion=40");
    const bought = await trade(broker, member, "buy", 2, { contract: code });
    const entry = bought.trades[0]?.price ?? 0;
    expect(bought.position).toMatchObject({ feeCents: 2 * 6_000, taxCents: futuresTaxOf("TX", entry, 2, TX) });
    expect((await broker.call("readFutures", member, {})).terms.TX).toMatchObject({ feeCents: 6_000, taxPerMillion: 20 });
    await nextDay(broker, 20_000);
    expect((await broker.call("readFutures", member, {})).terms).toMatchObject({
      TX: { feeCents: 9_000, taxPerMillion: 40 },
      MTX: { feeCents: 3_000, taxPerMillion: 40 },
    });
    const sold = await trade(broker, member, "sell", 1, { contract: code });
    const exit = sold.trades[0]?.price ?? 0;
    const tax = futuresTaxOf("TX", exit, 1, { taxPerMillion: 40 });
    expect(sold.trades[0]).toMatchObject({ feeCents: 9_000, taxCents: tax });
    expect(sold.position).toMatchObject({ feeCents: 2 * 6_000 + 9_000, taxCents: futuresTaxOf("TX", entry, 2, TX) + tax });
    await trade(broker, member, "sell", 1, { contract: code });
    await drop("code=TX", `from=${tomorrow}`);
    await drop(`from=${tomorrow}`);
  });

  it("of the margin binds who opens and who holds from its day on, and calls at a settlement", async () => {
    const member = await trader(broker, TX.initialCents + 1_000_000);
    const code = await contract(broker, member, "TX", 1);
    const { position: held } = await trade(broker, member, "buy", 1, { contract: code });
    const tomorrow = dayAfter(1);
    await rule("code=TX", `from=${tomorrow}`, "initialCents=40000000", "maintenanceCents=36000000");
    await broker.tick();
    expect((await position(broker, member, held.positionNo)).status).toBe("open");
    await nextDay(broker, 20_001);
    expect((await position(broker, member, held.positionNo)).status).toBe("called");
    const { account } = await broker.call("readFutures", member, {});
    expect(account).toMatchObject({ initialCents: 40_000_000, maintenanceCents: 36_000_000, freeCents: 0 });
    const other = await trader(broker, TX.initialCents + 1_000_000);
    expect(await refusalOf(trade(broker, other, "buy", 1, { contract: code }))).toMatchObject({ code: "TRD_CONTRACT_MARGIN" });
    // With the part of the margin that is left everything is closed, by the rule of the day.
    await rule("code=TX", `from=${tomorrow}`, "liquidationPercent=90");
    await broker.tick();
    expect((await position(broker, member, held.positionNo)).status).toBe("liquidated");
    await drop("code=TX", `from=${tomorrow}`);
  });

  it("of the most lots is kept, and for one member too", async () => {
    const [member, other] = [await trader(broker), await trader(broker)];
    const code = await contract(broker, member, "TMF");
    const row = await broker.db.kysely.selectFrom("member").select("account").where("id", "=", member).executeTakeFirstOrThrow();
    await rule("code=TMF", `member=${row.account}`, "mostLots=3");
    expect(await refusalOf(trade(broker, member, "buy", 4, { contract: code }))).toMatchObject({
      code: "TRD_CONTRACT_LOTS",
      params: { n: "3" },
    });
    for (const one of [member, other]) {
      await trade(broker, one, "buy", one === other ? 4 : 3, { contract: code });
      await trade(broker, one, "sell", one === other ? 4 : 3, { contract: code });
    }
  });

  it("charges what has expired by the rule of its last day, though it is settled in the next", async () => {
    // The next day's contracts are those of a market that closes at half past one.
    const now = new Date(broker.clock.now + DAY_MS);
    const last = thirdWednesday(now.getUTCFullYear(), now.getUTCMonth());
    const days = last - now.getUTCDate() + 1;
    const opensAt = taipeiMidnight(taipeiDay(broker.clock.now) + days) + 9 * HOUR_MS;
    broker.venue.setDay(opensAt, opensAt + 4.5 * HOUR_MS);
    await nextDay(broker, 20_000);
    const member = await trader(broker);
    const code = await contract(broker, member);
    const { position: held } = await trade(broker, member, "buy", 1, { contract: code });
    await rule("code=TX", `from=${dayAfter(days)}`, "feeCents=50000");
    const [before, marked] = [await wallet(broker, member), held.markedPoints];
    await nextDay(broker, 20_000, 0, days);
    const settled = await position(broker, member, held.positionNo);
    expect(settled).toMatchObject({ status: "settled", feeCents: 2 * 6_000 });
    expect(await wallet(broker, member)).toBe(before + (20_000 - marked) * 20_000 - 6_000 - futuresTaxOf("TX", 20_000, 1, TX));
    await drop("code=TX", `from=${dayAfter(0)}`);
  });
});

it("a base rule of a product is never dropped, and nothing but products and days select", async () => {
  await expect(drop("code=TX")).rejects.toThrow(BadRule);
  await expect(drop()).rejects.toThrow(BadRule);
  await expect(rule("code=2330", "feeCents=1")).rejects.toThrow("only by code (TX, MTX, TMF)");
  await expect(rule("kind=etf", "feeCents=1")).rejects.toThrow("only by code");
  await expect(rule("code=TX", "from=2027-02-01", "until=2027-01-31", "feeCents=1")).rejects.toThrow("cannot hold until");
});
