/** Rules as the operator keeps them: shown, changed by words the contract understands, refused otherwise, and in force without a restart. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TradeRule } from "#contract/rule.ts";
import { BadRule, describeRules, dropRule, readChange, setRule } from "#server/desks/rule/change.ts";
import { query } from "#server/db/database.ts";
import { openHouse } from "#tests/support/trading.ts";
import type { House } from "#tests/support/trading.ts";
import { place } from "./lend.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.shut());

const say = async (...words: string[]): Promise<void> => setRule(house.db, await readChange(house.db.kysely, words));
const rules = (memberId: number) => house.call("readRules", memberId, {});

describe("a rule", () => {
  it("is changed for all, for a class and for one member, the last said counting", async () => {
    const memberId = await house.newMember();
    const other = await house.newMember();
    const [member] = await query<{ account: string }>(house.db.kysely, "SELECT account FROM member WHERE id = $1", [memberId]);
    await say("trade", "taxPerMillion=2000");
    await say("trade", "kind=etf", "taxPerMillion=900", "multiples=[1,2]");
    await say("trade", `member=${member?.account ?? ""}`, "feePerMillion=500");
    await say("margin", "callPercent=135");
    await house.counter.rules.reload(house.db.kysely);
    expect((await rules(other)).trade).toMatchObject({ taxPerMillion: 2_000, feePerMillion: 1_425 });
    expect((await rules(other)).margin).toMatchObject({ callPercent: 135, clearedPercent: 166 });
    const etf = house.venue.instrument("0050");
    const stock = house.venue.instrument("2330");
    if (!etf || !stock) throw new Error("the test market has both");
    expect(house.counter.rules.for(other, etf)).toMatchObject({ taxPerMillion: 900, multiples: [1, 2], dayTaxPerMillion: 1_000 });
    expect(house.counter.rules.for(memberId, stock)).toMatchObject({ taxPerMillion: 2_000, feePerMillion: 500 });
    expect(TradeRule.parse(house.counter.rules.for(memberId, etf))).toMatchObject({ feePerMillion: 500, taxPerMillion: 900 });
    expect(await describeRules(house.db.kysely)).toContain(`trade member=${member?.account ?? ""} feePerMillion=500`);
  });

  it("leaves orders on the terms they were placed on", async () => {
    const memberId = await house.newMember();
    house.venue.set(0, { bids: [[100, 10]], asks: [[100, 10]], last: 100 });
    const before = await place(house, memberId, { lots: 1 });
    await say("trade", "code=2330", "taxPerMillion=1");
    await house.counter.rules.reload(house.db.kysely);
    const after = await place(house, memberId, { lots: 1 });
    expect([before.terms.taxPerMillion, after.terms.taxPerMillion]).toEqual([2_000, 1]);
    const closed = await house.close(memberId, before.orderNo);
    expect(closed.closeTaxCents).toBe(20_000);
  });

  it("is dropped when it is an exception, never when all trade by it", async () => {
    const drop = async (...words: string[]): Promise<void> => dropRule(house.db, await readChange(house.db.kysely, words));
    await say("trade", "board=otc", "kind=stock", "maxLots=9");
    await drop("trade", "board=otc", "kind=stock");
    expect(await describeRules(house.db.kysely)).not.toContain("maxLots=9");
    await expect(drop("trade", "board=otc", "kind=stock")).rejects.toThrow(BadRule);
    await expect(drop("trade")).rejects.toThrow(BadRule);
  });

  it.each([
    [["futures", "x=1"], "trade, margin or dayTrade"],
    [["trade", "taxPerMillion=much"], "taxPerMillion cannot be"],
    [["trade", "taxPerMillion=1.5"], "taxPerMillion cannot be"],
    [["trade", "taxPerMillion=-1"], "taxPerMillion cannot be"],
    [["trade", "callPercent=1"], "trade has no callPercent"],
    [["trade", "kind=banana", "maxLots=1"], "kind cannot be"],
    [["trade", "member=nobody", "maxLots=1"], "There is no member nobody"],
    [["trade", "maxLots"], "maxLots is not name=value"],
    [["margin", "kind=etf", "callPercent=1"], "only trade has exceptions"],
    [["trade"], "Say what becomes what"],
  ])("is not made of %j", async (words, why) => {
    await expect(say(...words)).rejects.toThrow(why);
  });
});
