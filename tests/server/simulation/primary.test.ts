/**
 * Tests random steps of members in offerings, auctions, raisings, capital increases, blocks and savings plans, between all others: after each
 * the ledger matches what the members were told, and nobody has or gets more than they may. The secrets of draws are no part of the seed.
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

const seed = Number(process.env["SIMULATION_SEED"] ?? 20_261_125);
const steps = Number(process.env["SIMULATION_STEPS"] ?? sized(1_200, 8_000));

/** Commands that are accepted in every run, and how rows may end. */
const COMMANDS = ["applySubscription", "placeBid", "subscribeRaise", "buyBlock", "startSavingsPlan"];
const ENDS = `SELECT 'application ' || status AS ended FROM subscription UNION SELECT 'bid ' || status FROM bid
UNION SELECT 'stake ' || status FROM stake UNION SELECT 'block ' || status FROM block_order
UNION SELECT 'right' FROM entitlement WHERE settled_at IS NOT NULL UNION SELECT 'month' FROM savings_run
UNION SELECT kind FROM ledger_tx WHERE kind = 'redemption'`;

const USUAL = ["application paid", "block holding", "right", "month", "redemption"];
const endsOf = async (db: Database): Promise<string[]> => (await query<{ ended: string }>(db.kysely, ENDS)).map(({ ended }) => ended);

/** Commands and ends that the run has not seen. */
async function missing(db: Database, { accepted }: Report): Promise<string[]> {
  const ends = await endsOf(db);
  const among = [/^bid (?:paid|lost|forfeited)$/, /^stake (?:inProgress|terminated|returned)$/].filter(
    (one) => !ends.some((end) => one.test(end)),
  );
  return [...COMMANDS.filter((command) => !(command in accepted)), ...USUAL.filter((end) => !ends.includes(end)), ...among.map(String)];
}

it(`offerings keep the books for ${steps} steps of seed ${seed}`, { timeout: 900_000 }, async () => {
  const db = await openTestDatabase();
  let others: Awaited<ReturnType<typeof askAsStrangers>> | undefined;
  const atEnd = async (broker: TestBroker, members: readonly number[]): Promise<void> => {
    others = await askAsStrangers(broker, members);
  };
  try {
    const enough = async (so: Report): Promise<boolean> => (await missing(db, so)).length === 0;
    const report = await simulate({ db, seed, steps, auditEvery: 200, primary: true, enough, atEnd });
    expect(await missing(db, report)).toEqual([]);
    expect(others?.told).toEqual([]);
    for (const name of ["withdrawSubscription", "payBid", "withdrawStake", "cancelBlock", "changeSavingsPlan"])
      expect(others?.untried, "asked for as strangers").not.toContain(name);
  } finally {
    await db.close();
  }
});
