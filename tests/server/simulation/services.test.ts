/**
 * Tests random steps of mentors, of members who follow them, of runs of strategies and of futures, between all others: the books agree, each signal acts
 * once, a stop is kept at the next look, the sums of a run or a copy are the ledger's, and in the end each can be ended.
 */
import process from "node:process";
import { expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { sized } from "#tests/support/size.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { simulate } from "./simulate.ts";
import type { Report } from "./begin.ts";
import { askAsStrangers } from "./strangers.ts";

const seed = Number(process.env["SIMULATION_SEED"] ?? 20_261_129);
const steps = Number(process.env["SIMULATION_STEPS"] ?? sized(1_100, 6_000));

/** Commands that are accepted in every run, and what becomes of runs and copies. */
const COMMANDS = [
  "followMentor",
  "pauseCopy",
  "resumeCopy",
  "stopCopy",
  "startStrategy",
  "pauseStrategy",
  "resumeStrategy",
  "stopStrategy",
  "tradeFutures",
  "openOption",
  "closeOption",
  "closeOptionPair",
];
const ENDS = `SELECT 'run ' || reason AS ended FROM strategy_run WHERE reason IS NOT NULL UNION SELECT 'copy ' || reason FROM copy WHERE reason IS NOT NULL
UNION SELECT 'futures ' || cause FROM futures_trade UNION SELECT 'option ' || cause FROM option_trade UNION SELECT 'option ' || status FROM option_position UNION SELECT 'run ' || side FROM strategy_trade WHERE lots > 0 UNION SELECT 'copy ' || side FROM copy_part WHERE shares > 0`;

/** What each run sees: who or what ended something, and what was bought and sold. */
const USUAL = [
  "run member",
  "run loss",
  "run buy",
  "run sell",
  "copy member",
  "copy loss",
  "copy buy",
  "copy sell",
  "futures member",
  "futures liquidation",
  "option member",
  "option settlement",
  "option expired",
];

const endsOf = async (db: Database): Promise<string[]> => (await query<{ ended: string }>(db.kysely, ENDS)).map(({ ended }) => ended);

/** Commands and ends that the run has not seen. */
async function missing(db: Database, { accepted }: Report): Promise<string[]> {
  const ends = await endsOf(db);
  return [...COMMANDS.filter((command) => !(command in accepted)), ...USUAL.filter((end) => !ends.includes(end))];
}

it(`copies and strategies keep the books for ${steps} steps of seed ${seed}`, { timeout: 900_000 }, async () => {
  const db = await openTestDatabase();
  let others: Awaited<ReturnType<typeof askAsStrangers>> | undefined;
  const atEnd = async (broker: TestBroker, members: readonly number[]): Promise<void> => {
    others = await askAsStrangers(broker, members);
  };
  try {
    const enough = async (so: Report): Promise<boolean> => (await missing(db, so)).length === 0;
    const report = await simulate({ db, seed, steps, auditEvery: 100, services: true, enough, atEnd });
    expect(await missing(db, report)).toEqual([]);
    expect(others?.told).toEqual([]);
    for (const name of [
      "amendOrder",
      "readFlow",
      "drawLoan",
      "recallShares",
      "stopCopy",
      "closeOption",
      "listCopyParts",
      "stopStrategy",
      "listRunTrades",
    ])
      expect(others?.untried, "asked for as strangers").not.toContain(name);
  } finally {
    await db.close();
  }
});
