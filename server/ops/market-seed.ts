/** The secret seed of the sandbox market: generated once, stored with the data, never exposed. */
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { drawSeed } from "#server/venue/keyed-random.ts";

/** Reads the seed, generating it at the first start. Two processes starting at once get the same seed. */
export async function marketSeed(db: Database): Promise<string> {
  await query(db.kysely, "INSERT INTO market_seed (seed) VALUES ($1) ON CONFLICT DO NOTHING", [drawSeed()]);
  const [kept] = await query<{ seed: string }>(db.kysely, "SELECT seed FROM market_seed");
  if (!kept) throw new Error("the market has no seed");
  return kept.seed;
}
