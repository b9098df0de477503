/** Tests the rules of options: dated changes of fees, taxes, margins and lots apply from their day, and what makes no sense together is refused. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exerciseTaxOf, premiumWorth, sellerMargin } from "#contract/option-terms.ts";
import { DAY_MS, HOUR_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { BadRule, dropRule, readChange, setRule } from "#server/rules/change.ts";
import { futuresRuleAt, openRules, optionRuleAt } from "#server/rules/rules.ts";
import { thirdWednesday } from "#server/trading/futures/contracts.ts";
import { expectCleanBooks, INDEX, index, nextDay } from "#tests/server/futures/fixture.ts";
import { OPTION_RULE } from "#tests/support/option-rule.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { closeOption, openOption, optionPosition, optionTrader, readOptions, series } from "./fixture.ts";

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
/** As the operator does: what is refused changes nothing. */
async function change(act: typeof setRule | typeof dropRule, words: readonly string[]): Promise<void> {
  await broker.db.transaction(async (tx) => void (await act(tx, await readChange(tx, words))));
  await broker.sequencer.rules.reload(broker.db.kysely);
}
const rule = (...words: string[]) => change(setRule, ["options", ...words]);
const drop = (...words: string[]) => change(dropRule, ["options", ...words]);

it("a new database has the exchange's rule", async () => {
  expect(optionRuleAt(await openRules(broker.db.kysely), 0, broker.clock.now)).toEqual(OPTION_RULE);
});

it("puts a rule together once for a member and a day, until the rules are read again", async () => {
  const rules = await openRules(broker.db.kysely);
  const at = broker.clock.now;
  const reads = [
    (memberId: number, when: number) => optionRuleAt(rules, memberId, when),
    (memberId: number, when: number) => futuresRuleAt(rules, memberId, "TX", when),
  ];
  expect(futuresRuleAt(rules, 1, "MTX", at)).not.toEqual(futuresRuleAt(rules, 1, "TX", at));
  for (const read of reads) {
    const first = read(1, at);
    expect(read(1, at)).toBe(first);
    expect(read(2, at)).toEqual(first);
    expect(read(1, at + DAY_MS)).toEqual(first);
    await rules.reload(broker.db.kysely);
    expect(read(1, at)).not.toBe(first);
    expect(read(1, at)).toEqual(first);
  }
});

describe("a change of the rules of options", () => {
  it("charges from its day on, and leaves what was charged before", async () => {
    const member = await optionTrader(broker);
    const { code } = await series(broker, member, "call", 0, 1);
    const tomorrow = dayAfter(1);
    await rule(`from=${tomorrow}`, "feeCents=4000", "taxPerMillion=2000");
    const { position, trade } = await openOption(broker, member, code, "buy", 2);
    const tax = (price: number, perMillion: number): number => Math.round((premiumWorth(price) * perMillion) / 100_000_000) * 100;
    expect(trade).toMatchObject({ feeCents: 2 * 2_500, taxCents: Math.round((premiumWorth(trade.price, 2) * 1_000) / 100_000_000) * 100 });
    await nextDay(broker, 20_000);
    const { trade: sold } = await closeOption(broker, member, position.positionNo, 1);
    expect(sold).toMatchObject({ feeCents: 4_000, taxCents: tax(sold.price, 2_000) });
    await closeOption(broker, member, position.positionNo, 1);
    await drop(`from=${tomorrow}`);
  });

  it("of the margin and the most lots binds who opens and who holds", async () => {
    const member = await optionTrader(broker);
    const { code, strike, mark } = await series(broker, member, "call", 5, 1);
    await openOption(broker, member, code, "sell", 2);
    const today = dayAfter(0);
    await rule(`from=${today}`, "initialACents=12000000", "initialBCents=8000000", "mostLots=3");
    const { account } = await readOptions(broker, member);
    const higher = { ...OPTION_RULE, initialACents: 12_000_000 as never, initialBCents: 8_000_000 as never };
    expect(account.initialCents).toBe(sellerMargin("call", strike, mark ?? 0, 20_000, 2, higher).initialCents);
    expect(await refusalOf(openOption(broker, member, code, "sell", 2))).toMatchObject({ code: "TRD_OPTION_LOTS", params: { n: "3" } });
    expect((await broker.call("quoteOption", member, { series: code, side: "sell", lots: 1 })).marginCents).toBe(
      sellerMargin("call", strike, mark ?? 0, 20_000, 1, higher).initialCents,
    );
    await drop(`from=${today}`);
  });

  it("of an exercise is that of its last day, though it is settled in the next", async () => {
    // The next day's series are those of a market that closes at half past one.
    const now = new Date(broker.clock.now + DAY_MS);
    const days = thirdWednesday(now.getUTCFullYear(), now.getUTCMonth()) - now.getUTCDate() + 1;
    const opensAt = taipeiMidnight(taipeiDay(broker.clock.now) + days) + 9 * HOUR_MS;
    broker.venue.setDay(opensAt, opensAt + 4.5 * HOUR_MS);
    await nextDay(broker, 20_000);
    const member = await optionTrader(broker);
    const { code, strike } = await series(broker, member, "call", -5);
    const { position, trade } = await openOption(broker, member, code, "buy", 1);
    const after = dayAfter(days);
    await rule(`from=${after}`, "feeCents=99000", "exerciseTaxPerMillion=9000");
    await nextDay(broker, 20_000, 0, days);
    expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({
      status: "settled",
      strike,
      feeCents: 2 * 2_500,
      taxCents: trade.taxCents + exerciseTaxOf(20_000, 1, OPTION_RULE),
    });
    await drop(`from=${after}`);
  });
});

it("what makes no sense, alone or with the other rules of a day or a member, is refused and changes nothing", async () => {
  const before = optionRuleAt(broker.sequencer.rules, 0, broker.clock.now);
  await expect(rule("initialBCents=9000001")).rejects.toThrow("B may not exceed A");
  await expect(rule("initialCCents=4500001")).rejects.toThrow("C may not exceed B");
  await expect(rule("maintenanceCCents=900001")).rejects.toThrow("maintenance margin may not exceed");
  await expect(rule("maintenanceACents=9000001")).rejects.toThrow("maintenance margin may not exceed");
  await expect(rule("feeCents=-1")).rejects.toThrow(BadRule);
  await expect(rule("liquidationPercent=101")).rejects.toThrow("liquidationPercent");
  // At 90 per cent everything would be closed while more than the maintenance margin, 77 per cent, is left.
  await expect(rule("liquidationPercent=90")).rejects.toThrow("of the initial one");
  await expect(change(setRule, ["futures", "liquidationPercent=90"])).rejects.toThrow("of the initial one");
  await rule("from=2030-01-01", "until=2030-01-31", "maintenanceACents=8000000");
  // Alone each is right; together, in that January, they are not.
  await expect(rule("from=2030-01-15", "initialACents=7500000")).rejects.toThrow("maintenance margin may not exceed");
  const row = await broker.db.kysely.selectFrom("member").select("account").limit(1).executeTakeFirstOrThrow();
  await expect(rule(`member=${row.account}`, "initialACents=7500000")).rejects.toThrow("maintenance margin may not exceed");
  await rule("from=2030-02-01", "initialACents=7500000");
  // Without the end of the exception the other days are wrong too.
  await expect(change(setRule, ["futures", "code=TX", "maintenanceCents=32200001"])).rejects.toThrow("The rule of TX would make no sense");
  await drop("from=2030-02-01");
  await drop("from=2030-01-01", "until=2030-01-31");
  await expect(drop()).rejects.toThrow("A base rule");
  await expect(rule("code=TX", "feeCents=1")).rejects.toThrow("only by from and until");
  await broker.sequencer.rules.reload(broker.db.kysely);
  expect(optionRuleAt(broker.sequencer.rules, 0, broker.clock.now)).toEqual(before);
});

it("of two changes at once that make no sense together, one is refused", async () => {
  // Rows of their own, so that neither waits for the other's.
  const changes = [rule("from=2031-01-01", "initialACents=7500000"), rule("from=2031-01-02", "maintenanceACents=8000000")];
  const states = (await Promise.allSettled(changes)).map(({ status }) => status);
  expect(states.toSorted()).toEqual(["fulfilled", "rejected"]);
  await drop(states[0] === "fulfilled" ? "from=2031-01-01" : "from=2031-01-02");
});
