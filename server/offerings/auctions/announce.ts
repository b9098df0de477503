/** Writes a row for each auction that the venue announces, with the commitment to what is sealed. */
import { capLotsOf } from "#contract/bid-price.ts";
import type { AuctionRule } from "#contract/auction.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { issuesWithRow } from "#server/offerings/announce.ts";
import type { Issue, IssueAuction } from "#server/venue/issue.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { Venue } from "#server/venue/venue.ts";
import { commitmentOf, seal } from "./sealed-book.ts";

const INSERT = `INSERT INTO auction (market, code, status, opens_at, closes_at, opens_bids_at, refunds_at, payable_until, allotted_at, trades_from,
  lots, lot_shares, minimum_price, most_price, cap_lots, terms, lead_broker, commitment)
VALUES ($1, $2, 'notStarted', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
ON CONFLICT (market, code) DO NOTHING RETURNING id`;
const OFFERED = "SELECT code, price IS NOT NULL AS priced FROM offering WHERE market = $1 AND code = ANY ($2)";
const SEAL = "INSERT INTO auction_sealed (auction_id, secret, crowd) VALUES ($1, $2, $3)";

type Auctioned = Issue & { auction: IssueAuction };
const isAuctioned = (issue: Issue): issue is Auctioned => issue.auction !== null;

async function announce(tx: Tx, venue: Venue, issue: Auctioned, { rule, at }: { rule: AuctionRule; at: number }): Promise<void> {
  const { auction, code } = issue;
  const instrument = venue.instruments[issue.row];
  const crowd = venue.offeringCrowd(code);
  if (!instrument || !crowd) throw new Error(`the venue does not know ${code}`);
  const book = seal(crowd.bids());
  const [row] = await query<{ id: number }>(tx, INSERT, [
    marketName(venue.state(at)),
    code,
    auction.opensAt,
    auction.closesAt,
    auction.openedAt,
    // The lottery's window opens on the next trading day: losers have their money for it. Winners pay until it closes.
    issue.opensAt,
    issue.closesAt,
    issue.allottedAt,
    issue.tradesFrom,
    auction.lots,
    instrument.lotShares,
    auction.minimumPrice,
    issue.price,
    capLotsOf(rule, auction.lots),
    JSON.stringify(rule),
    JSON.stringify(issue.leadBroker),
    commitmentOf(code, book),
  ]);
  if (row) await query(tx, SEAL, [row.id, book.secret, JSON.stringify(book.crowd)]);
}

export interface AnnounceDeps {
  db: Database;
  venue: Venue;
  /** The rule that auctions announced now keep. */
  rule: AuctionRule;
  report?: ((error: unknown) => void) | undefined;
}

/** Which of the codes have an offering in a market, and whether its price is set. */
async function readOffered(db: Database, market: string, codes: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await query<{ code: string; priced: boolean }>(db.kysely, OFFERED, [market, codes]);
  return new Map(rows.map(({ code, priced }) => [code, priced]));
}

/**
 * Writes the rows of all auctions that are not in `known` (codes), which it extends; of issues that are listed only where their offering still
 * waits for a price, because nobody held the auction in time. Where that offering has no row yet, it looks again on the next call. One that fails
 * does not stop the others.
 */
export async function announceAuctions({ db, venue, rule, report }: AnnounceDeps, known: Set<string>, at: number): Promise<void> {
  const unknown = venue
    .issues(at)
    .filter(isAuctioned)
    .filter(({ code }) => !known.has(code));
  if (unknown.length === 0) return;
  const listed = unknown.filter(({ tradesFrom }) => tradesFrom <= at).map(({ code }) => code);
  const offered = listed.length === 0 ? new Map<string, boolean>() : await readOffered(db, marketName(venue.state(at)), listed);
  const awaited = new Set(issuesWithRow(venue, at).map(({ code }) => code));
  for (const issue of unknown) {
    const { code, tradesFrom } = issue;
    const isPriced = offered.get(code);
    if (tradesFrom <= at && isPriced === undefined && awaited.has(code)) continue;
    try {
      if (tradesFrom > at || isPriced === false) await db.transaction((tx) => announce(tx, venue, issue, { rule, at }));
      known.add(code);
    } catch (error) {
      report?.(error);
    }
  }
}
