/** Tests thousands of random steps of members, market, clock and crashes: after each the ledger matches the facts that the members received. */
import process from "node:process";
import { expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import { sized } from "#tests/support/size.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { simulate } from "./simulate.ts";

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

it(`the ledger stays consistent for ${steps} steps of seed ${seed}`, { timeout: 900_000 }, async () => {
  const db = await openTestDatabase();
  try {
    const report = await simulate({ db, seed, steps, auditEvery: 500 });
    expect(report.orders, "there was something to keep books of").toBeGreaterThan(steps / 50);
    expect(report.fills).toBeGreaterThan(steps / 50);
    for (const command of COMMANDS) expect(report.accepted[command], command).toBeGreaterThan(steps / 500);
    for (const command of ["lendShares", "offerShares", "recallShares", "withdrawLendingOffer"])
      expect(report.accepted[command] ?? 0, command).toBeGreaterThan(steps / 1000);
    const entered = await query(db.kysely, "SELECT FROM fact WHERE body ->> 'type' = 'order.entered'");
    expect(entered.length, "reserved orders went to the market").toBeGreaterThan(steps / 1000);
    expect(report.restarts).toBeGreaterThan(steps / 1000);
  } finally {
    await db.close();
  }
});
