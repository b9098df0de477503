/** The secret the sandbox market is drawn from: made once, kept with the data, and told to nobody. */
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { drawSeed } from "#server/venue/keyed-random.ts";

/** The data's own seed, drawn at the first start. Of two processes that draw one at once, both get that of the first. */
export async function marketSeed(db: Database): Promise<string> {
  await query(db.kysely, "INSERT INTO market_seed (seed) VALUES ($1) ON CONFLICT DO NOTHING", [drawSeed()]);
  const [kept] = await query<{ seed: string }>(db.kysely, "SELECT seed FROM market_seed");
  if (!kept) throw new Error("the market has no seed");
  return kept.seed;
}
