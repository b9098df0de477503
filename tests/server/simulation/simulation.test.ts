/** Tests thousands of random steps of members, market, clock and crashes: after each the ledger matches the facts that the members received. */
import process from "node:process";
import { expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { sized } from "#tests/support/size.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { simulate } from "./simulate.ts";
import type { Report } from "./begin.ts";

/** Repeats a failing seed: `SIMULATION_SEED=7 npx vitest run --project server tests/server/simulation`. */
const seed = Number(process.env["SIMULATION_SEED"] ?? 20_261_129);
const steps = Number(process.env["SIMULATION_STEPS"] ?? sized(2_000, 10_000));

/** Commands that a run must have carried out many times. */
const COMMANDS = [
  "quoteConversion",
  "acceptConversion",
  "transferFunds",
  "offerLoan",
  "drawLoan",
  "repayLoan",
  "submitDeposit",
  "submitCryptoDeposit",
  "requestWithdrawal",
  "buyBlock",
  "checkIn",
  "redeemVoucher",
];
const LENDING = ["lendShares", "offerShares", "recallShares", "withdrawLendingOffer"];

/** What the run has seen less often than it must, of each command and event. */
async function rare(db: Database, { orders, fills, accepted, restarts }: Report): Promise<string[]> {
  const entered = await query(db.kysely, "SELECT FROM fact WHERE body ->> 'type' = 'order.entered'");
  const seen: (readonly [string, number, number])[] = [
    ...COMMANDS.map((command) => [command, accepted[command] ?? 0, steps / 500] as const),
    ...LENDING.map((command) => [command, accepted[command] ?? 0, steps / 1000] as const),
    ["reserved orders sent to the market", entered.length, steps / 1000],
    ["restarts", restarts, steps / 1000],
    ["orders", orders, steps / 50],
    ["fills", fills, steps / 50],
  ];
  return seen.flatMap(([what, times, least]) => (times > least ? [] : [`${what}: ${times}, at least ${least}`]));
}

it(`the ledger stays consistent for ${steps} steps of seed ${seed}`, { timeout: 900_000 }, async () => {
  const db = await openTestDatabase();
  try {
    const enough = async (so: Report): Promise<boolean> => (await rare(db, so)).length === 0;
    const report = await simulate({ db, seed, steps, auditEvery: 500, enough });
    expect(await rare(db, report)).toEqual([]);
  } finally {
    await db.close();
  }
});
