/** Tests the operator's rule changes: listed, validated, and applied without a restart. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TradeRule } from "#contract/rule.ts";
import { BadRule, describeRules, dropRule, readChange, setRule } from "#server/rules/change.ts";
import { query } from "#server/db/database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { place } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(() => broker.shut());

const say = async (...words: string[]): Promise<unknown> => setRule(broker.db.kysely, await readChange(broker.db.kysely, words));
const rules = (memberId: number) => broker.call("readRules", memberId, {});

describe("a rule", () => {
  it("for a period applies from its first to its last day, and is separate from the rule of all days", async () => {
    const memberId = await broker.newMember();
    const stock = broker.venue.instrument("2603");
    if (!stock) throw new Error("the test market has it");
    await say("trade", "code=2603", "maxLots=50");
    await say("trade", "code=2603", "from=2030-03-01", "until=2030-03-02", "maxLots=5");
    await broker.sequencer.rules.reload(broker.db.kysely);
    const most = (moment: string): number => broker.sequencer.rules.for(memberId, stock, Date.parse(moment)).maxLots;
    expect(most("2030-02-28T23:59:59+08:00")).toBe(50);
    expect(most("2030-03-01T00:00:00+08:00")).toBe(5);
    expect(most("2030-03-02T23:59:59+08:00")).toBe(5);
    expect(most("2030-03-03T00:00:00+08:00")).toBe(50);
    expect(await describeRules(broker.db.kysely)).toContain("trade code=2603 from=2030-03-01 until=2030-03-02 maxLots=5");
    const words = ["trade", "code=2603", "from=2030-03-01", "until=2030-03-02"];
    await dropRule(broker.db.kysely, await readChange(broker.db.kysely, words));
    expect(await describeRules(broker.db.kysely)).toContain("trade code=2603 maxLots=50");
  });

  it("is set for everybody, for a class or for one member; the most specific one applies", async () => {
    const memberId = await broker.newMember();
    const other = await broker.newMember();
    const [member] = await query<{ account: string }>(broker.db.kysely, "SELECT account FROM member WHERE id = $1", [memberId]);
    await say("trade", "taxPerMillion=2000");
    await say("trade", "kind=etf", "taxPerMillion=900", "multiples=[1,2]");
    await say("trade", `member=${member?.account ?? ""}`, "feePerMillion=500");
    await say("margin", "callPercent=135");
    await broker.sequencer.rules.reload(broker.db.kysely);
    expect((await rules(other)).trade).toMatchObject({ taxPerMillion: 2_000, feePerMillion: 1_425 });
    expect((await rules(other)).margin).toMatchObject({ callPercent: 135, clearedPercent: 166 });
    const etf = broker.venue.instrument("0050");
    const stock = broker.venue.instrument("2330");
    if (!etf || !stock) throw new Error("the test market has both");
    expect(broker.sequencer.rules.for(other, etf, broker.clock.now)).toMatchObject({
      taxPerMillion: 900,
      multiples: [1, 2],
      dayTaxPerMillion: 1_000,
    });
    expect(broker.sequencer.rules.for(memberId, stock, broker.clock.now)).toMatchObject({ taxPerMillion: 2_000, feePerMillion: 500 });
    expect(TradeRule.parse(broker.sequencer.rules.for(memberId, etf, broker.clock.now))).toMatchObject({
      feePerMillion: 500,
      taxPerMillion: 900,
    });
    expect(await describeRules(broker.db.kysely)).toContain(`trade member=${member?.account ?? ""} feePerMillion=500`);
  });

  it("leaves orders on the terms they were placed on", async () => {
    const memberId = await broker.newMember();
    broker.venue.set(0, { bids: [[100, 10]], asks: [[100, 10]], last: 100 });
    const before = await place(broker, memberId, { lots: 1 });
    await say("trade", "code=2330", "feePerMillion=10000");
    await broker.sequencer.rules.reload(broker.db.kysely);
    const after = await place(broker, memberId, { lots: 1 });
    expect([before.terms.feePerMillion, after.terms.feePerMillion]).toEqual([1_425, 10_000]);
    const closed = await broker.close(memberId, before.orderNo);
    expect(closed.closeFeeCents).toBe(14_200);
  });

  it("is dropped if it is an exception, never if it is a base rule", async () => {
    const drop = async (...words: string[]): Promise<unknown> => dropRule(broker.db.kysely, await readChange(broker.db.kysely, words));
    await say("trade", "board=otc", "kind=stock", "maxLots=9");
    await drop("trade", "board=otc", "kind=stock");
    expect(await describeRules(broker.db.kysely)).not.toContain("maxLots=9");
    await expect(drop("trade", "board=otc", "kind=stock")).rejects.toThrow(BadRule);
    await expect(drop("trade")).rejects.toThrow(BadRule);
  });

  it.each([
    [["warrants", "x=1"], "Name a part: trade, margin, dayTrade"],
    [["trade", "taxPerMillion=much"], "taxPerMillion cannot be"],
    [["trade", "taxPerMillion=1.5"], "taxPerMillion cannot be"],
    [["trade", "taxPerMillion=-1"], "taxPerMillion cannot be"],
    [["trade", "callPercent=1"], "trade has no callPercent"],
    [["trade", "kind=banana", "maxLots=1"], "kind cannot be"],
    [["trade", "member=nobody", "maxLots=1"], "There is no member nobody"],
    [["trade", "maxLots"], "maxLots is not name=value"],
    [["margin", "kind=etf", "callPercent=1"], "only trade has exceptions"],
    [["trade", "from=soon", "maxLots=1"], "from cannot be"],
    [["trade", "until=2027-02-30", "maxLots=1"], "until cannot be"],
    [["trade", "bonds=maybe", "maxLots=1"], "bonds cannot be"],
    [["trade", "from=2027-02-01", "until=2027-01-31", "maxLots=1"], "cannot hold until 2027-01-31"],
    [["margin", "from=2027-01-01", "callPercent=140"], "only trade has exceptions"],
    [["trade"], "Say what becomes what"],
  ])("is not created from %j", async (words, why) => {
    await expect(say(...words)).rejects.toThrow(why);
  });
});
