/** Tests that a database from before combined margins keeps rules that make sense, with open positions and rules of days and members. */
import { expect, it } from "vitest";
import { optionRuleFault } from "#contract/option-rule.ts";
import { exerciseCostOf, OPTION_MULTIPLIER } from "#contract/option-terms.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { readChange, setRule } from "#server/rules/change.ts";
import { optionRuleAt } from "#server/rules/rules.ts";
import { expectCleanBooks, index } from "#tests/server/futures/fixture.ts";
import { OPTION_RULE } from "#tests/support/option-rule.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import { openOption, optionTrader, readOptions, series } from "./fixture.ts";

/** Takes the margins away that the migration adds, and adds rules that an operator may have made before. */
const BEFORE = `UPDATE rule SET body = body - 'initialCCents' - 'maintenanceCCents' WHERE part = 'options';
DELETE FROM migration WHERE name LIKE '0463-%';
INSERT INTO rule (part, valid_from, valid_until, body) VALUES
  ('options', '2030-01-01', '2030-01-31', '{"initialBCents": 500000, "maintenanceBCents": 400000}'),
  ('options', '2030-02-01', '2030-02-28', '{"maintenanceBCents": 200000, "liquidationPercent": 4}'),
  ('options', '2030-03-01', '2030-03-31', '{"initialBCents": 0, "maintenanceBCents": 0}'),
  ('options', '2030-04-01', '2030-04-30', '{"feeCents": 100}')`;
const OF_MEMBER = `INSERT INTO rule (part, member_id, body) VALUES ('options', $1, '{"initialBCents": 700000, "maintenanceBCents": 550000}')`;

it("C is at most B on every day and for every member, later changes are taken, and open spreads need less", async () => {
  const broker = await openTestBroker({ db: await openTestDatabase({ own: true }) });
  index(broker, 20_000, 20_000);
  const member = await optionTrader(broker);
  const [near, far] = [await series(broker, member, "call", 0), await series(broker, member, "call", 5)];
  await openOption(broker, member, near.code, "sell", 1);
  await openOption(broker, member, far.code, "buy", 1);
  const other = await optionTrader(broker);
  await query(broker.db.kysely, BEFORE);
  await query(broker.db.kysely, OF_MEMBER, [other]);
  expect(await migrate(broker.db.kysely)).toEqual(["0463-combined-margin.sql"]);
  const { rules } = broker.sequencer;
  await rules.reload(broker.db.kysely);
  const on = (day: string, of = 0) => optionRuleAt(rules, of, Date.parse(day));
  expect(on("2029-12-31")).toEqual(OPTION_RULE);
  expect(on("2030-01-15")).toMatchObject({ initialCCents: 500_000, maintenanceCCents: 400_000 });
  expect(on("2030-02-15")).toMatchObject({ initialCCents: 900_000, maintenanceCCents: 40_000 });
  expect(on("2030-03-15")).toMatchObject({ initialCCents: 0, maintenanceCCents: 0 });
  expect(on("2030-04-15")).toEqual({ ...OPTION_RULE, feeCents: 100 });
  expect(on("2029-12-31", other)).toMatchObject({ initialCCents: 700_000, maintenanceCCents: 550_000 });
  for (let day = Date.parse("2029-12-30"); day < Date.parse("2030-05-02"); day += DAY_MS)
    for (const of of [0, other]) expect(optionRuleFault(optionRuleAt(rules, of, day))).toBe(null);
  await broker.db.transaction(async (tx) => void (await setRule(tx, await readChange(tx, ["options", "feeCents=2600"]))));
  await rules.reload(broker.db.kysely);
  expect(on("2029-12-31").feeCents).toBe(2_600);
  const charged = 2 * exerciseCostOf(2 * far.strike, on("2029-12-31"));
  const { account } = await readOptions(broker, member);
  expect(account.initialCents).toBe((far.strike - near.strike) * OPTION_MULTIPLIER * 100 + charged);
  await expectCleanBooks(broker);
  await broker.shut();
});
