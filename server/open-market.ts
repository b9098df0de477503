/** Opens the venue with what the database knows of the market: its seed, its rules' age and the codes that members hold. */
import type { Logger } from "pino";
import { FEW_SESSIONS } from "#server/api/http/health.ts";
import type { ServerConfig } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { heldCodes } from "#server/ops/held-codes.ts";
import { marketChangedAt, marketSeed } from "#server/ops/market-seed.ts";
import { openVenueOf } from "#server/venue/feed/open.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import type { Venue } from "#server/venue/venue.ts";

/** What a market is drawn from. */
interface Market {
  seed: Seed;
  changedAt: number | null;
  /** Codes that have to be in its table. */
  held: string[];
}

/** An open venue and what it was drawn from. */
export interface OpenMarket extends Market {
  venue: Venue;
}

async function readMarket(db: Pick<Database, "kysely">, { venue }: ServerConfig): Promise<Market> {
  const held = venue.newIssues === true ? await heldCodes(db) : [];
  return { seed: venue.seed ?? (await marketSeed(db)), changedAt: await marketChangedAt(db), held };
}

/** Whether an open venue is the market that would be opened now: a code that it was opened with and does not list would not be listed now either. */
const isSame = ({ venue, ...open }: OpenMarket, market: Market): boolean =>
  open.seed === market.seed &&
  open.changedAt === market.changedAt &&
  market.held.every((code) => venue.instrument(code) !== undefined || open.held.includes(code));

/** Whether its table has rows for the new issues of the next sessions: they are allocated when it is opened. */
const hasRows = ({ venue }: OpenMarket): boolean => (venue.issueSessionsLeft(Date.now()) ?? Infinity) >= FEW_SESSIONS;

/**
 * Opens the configured venue, or goes on with `open` where that is still the same market.
 * @throws FeedFailed with a message for the operator when the feed cannot be opened
 */
export async function openMarket(
  db: Pick<Database, "kysely">,
  config: ServerConfig,
  log: Logger,
  open: OpenMarket | null = null,
): Promise<OpenMarket> {
  const market = await readMarket(db, config);
  if (open && isSame(open, market) && hasRows(open)) return open;
  await open?.venue.stop();
  return { ...market, venue: await openVenueOf(config.feed, { ...config.venue, ...market }, log) };
}
