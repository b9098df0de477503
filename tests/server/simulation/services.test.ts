/**
 * Tests random steps of mentors, of members who follow them, of runs of strategies and of futures, between all others: the books agree, each signal acts
 * once, a stop is kept at the next look, the sums of a run or a copy are the ledger's, and in the end each can be ended.
 */
import process from "node:process";
import { expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import { sized } from "#tests/support/size.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { simulate } from "./simulate.ts";
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
];
const ENDS = `SELECT 'run ' || reason AS ended FROM strategy_run WHERE reason IS NOT NULL UNION SELECT 'copy ' || reason FROM copy WHERE reason IS NOT NULL
UNION SELECT 'futures ' || cause FROM futures_trade UNION SELECT 'option ' || cause FROM option_trade UNION SELECT 'option ' || status FROM option_position UNION SELECT 'run ' || side FROM strategy_trade WHERE lots > 0 UNION SELECT 'copy ' || side FROM copy_part WHERE shares > 0`;

it(`copies and strategies keep the books for ${steps} steps of seed ${seed}`, { timeout: 900_000 }, async () => {
  const db = await openTestDatabase();
  let others: Awaited<ReturnType<typeof askAsStrangers>> | undefined;
  const atEnd = async (broker: TestBroker, members: readonly number[]): Promise<void> => {
    others = await askAsStrangers(broker, members);
  };
  try {
    const report = await simulate({ db, seed, steps, auditEvery: 100, services: true, atEnd });
    expect(Object.keys(report.accepted)).toEqual(expect.arrayContaining(COMMANDS));
    const ends = (await query<{ ended: string }>(db.kysely, ENDS)).map(({ ended }) => ended);
    const usual = [
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
    expect(ends).toEqual(expect.arrayContaining(usual));
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
