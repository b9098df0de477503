/**
 * Tests random steps of mentors, of members who follow them and of runs of strategies, between all others: the books agree, each signal acts
 * once, a stop is kept at the next look, the sums of a run or a copy are the ledger's, and in the end each can be ended.
 */
import process from "node:process";
import { expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import { sized } from "#tests/support/size.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { simulate } from "./simulate.ts";

const seed = Number(process.env["SIMULATION_SEED"] ?? 20_261_128);
const steps = Number(process.env["SIMULATION_STEPS"] ?? sized(800, 6_000));

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
];
const ENDS = `SELECT 'run ' || reason AS ended FROM strategy_run WHERE reason IS NOT NULL UNION SELECT 'copy ' || reason FROM copy WHERE reason IS NOT NULL
UNION SELECT 'run ' || side FROM strategy_trade WHERE lots > 0 UNION SELECT 'copy ' || side FROM copy_part WHERE shares > 0`;

it(`copies and strategies keep the books for ${steps} steps of seed ${seed}`, { timeout: 900_000 }, async () => {
  const db = await openTestDatabase();
  try {
    const report = await simulate({ db, seed, steps, auditEvery: 100, services: true });
    expect(Object.keys(report.accepted)).toEqual(expect.arrayContaining(COMMANDS));
    const ends = (await query<{ ended: string }>(db.kysely, ENDS)).map(({ ended }) => ended);
    const usual = ["run member", "run loss", "run buy", "run sell", "copy member", "copy loss", "copy buy", "copy sell"];
    expect(ends).toEqual(expect.arrayContaining(usual));
  } finally {
    await db.close();
  }
});
