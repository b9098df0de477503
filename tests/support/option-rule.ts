/** The rule of options that a new database has. */
import { cents } from "#contract/kernel/money.ts";
import type { OptionRule } from "#contract/option-rule.ts";

export const OPTION_RULE: OptionRule = {
  feeCents: cents(2_500),
  taxPerMillion: 1_000,
  exerciseTaxPerMillion: 20,
  initialACents: cents(9_000_000),
  initialBCents: cents(4_500_000),
  maintenanceACents: cents(6_900_000),
  maintenanceBCents: cents(3_450_000),
  initialCCents: cents(900_000),
  maintenanceCCents: cents(690_000),
  liquidationPercent: 25,
  mostLots: 200,
};
