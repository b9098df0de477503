/** What the sandbox market is drawn from, stored with the data: its secret seed, never exposed, and since when its present rules hold. */
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { drawSeed } from "#server/venue/keyed-random.ts";

/** Reads the seed, generating it at the first start. Two processes starting at once get the same seed. */
export async function marketSeed(db: Pick<Database, "kysely">): Promise<string> {
  await query(db.kysely, "INSERT INTO market_seed (seed) VALUES ($1) ON CONFLICT DO NOTHING", [drawSeed()]);
  const [kept] = await query<{ seed: string }>(db.kysely, "SELECT seed FROM market_seed");
  if (!kept) throw new Error("the market has no seed");
  return kept.seed;
}

/** When the market was given its present rules of prices, in epoch milliseconds; null when it never had others. */
export async function marketChangedAt(db: Pick<Database, "kysely">): Promise<number | null> {
  const [change] = await query<{ at: string }>(db.kysely, "SELECT at::text AS at FROM market_change");
  return change ? Number(change.at) : null;
}
