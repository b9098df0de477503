/**
 * Tests random steps of members in offerings, auctions, raisings, capital increases, blocks and savings plans, between all others: after each
 * the ledger matches what the members were told, and nobody has or gets more than they may. The secrets of draws are no part of the seed.
 */
import process from "node:process";
import { expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import { sized } from "#tests/support/size.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { simulate } from "./simulate.ts";
import { askAsStrangers } from "./strangers.ts";

const seed = Number(process.env["SIMULATION_SEED"] ?? 20_261_125);
const steps = Number(process.env["SIMULATION_STEPS"] ?? sized(1_200, 8_000));

/** Commands that are accepted in every run, and how rows may end. */
const COMMANDS = ["applySubscription", "placeBid", "subscribeRaise", "buyBlock", "startSavingsPlan"];
const ENDS = `SELECT 'application ' || status AS ended FROM subscription UNION SELECT 'bid ' || status FROM bid
UNION SELECT 'stake ' || status FROM stake UNION SELECT 'block ' || status FROM block_order
UNION SELECT 'right' FROM entitlement WHERE settled_at IS NOT NULL UNION SELECT 'month' FROM savings_run
UNION SELECT kind FROM ledger_tx WHERE kind = 'redemption'`;

it(`offerings keep the books for ${steps} steps of seed ${seed}`, { timeout: 900_000 }, async () => {
  const db = await openTestDatabase();
  let others: Awaited<ReturnType<typeof askAsStrangers>> | undefined;
  const atEnd = async (broker: TestBroker, members: readonly number[]): Promise<void> => {
    others = await askAsStrangers(broker, members);
  };
  try {
    const report = await simulate({ db, seed, steps, auditEvery: 200, primary: true, atEnd });
    expect(Object.keys(report.accepted)).toEqual(expect.arrayContaining(COMMANDS));
    const ends = (await query<{ ended: string }>(db.kysely, ENDS)).map(({ ended }) => ended);
    expect(ends).toEqual(expect.arrayContaining(["application paid", "block holding", "right", "month", "redemption"]));
    for (const end of [/^bid (?:paid|lost|forfeited)$/, /^stake (?:inProgress|terminated|returned)$/])
      expect(ends).toContainEqual(expect.stringMatching(end));
    expect(others?.told).toEqual([]);
    for (const name of ["withdrawSubscription", "payBid", "withdrawStake", "cancelBlock", "changeSavingsPlan"])
      expect(others?.untried, "asked for as strangers").not.toContain(name);
  } finally {
    await db.close();
  }
});
