/** Writes a row for each issue that the venue announces, with the commitment of its draw, and the price that an auction has set. */
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import type { Increase, Issue } from "#server/venue/issue.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { Venue } from "#server/venue/venue.ts";
import { commit } from "./commitment.ts";

/** How many issues that are listed already get a row, so that the list of a new server is not empty. */
const PAST = 6;

const INSERT = `INSERT INTO offering (offering_no, id, market, code, kind, phase, names, board, category, lead_broker, price,
  provisional_price, lots, lot_shares, auction, announced_at, opens_at, closes_at, drawn_at, payable_until, allotted_at, trades_from)
SELECT 'S' || next.id, next.id, $1, $2, $3, 'upcoming', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19
FROM (SELECT nextval('offering_no') AS id) AS next ON CONFLICT DO NOTHING RETURNING offering_no`;
const INSERT_INCREASE = `INSERT INTO offering (offering_no, id, market, code, kind, phase, names, board, category, lead_broker, price,
  provisional_price, lots, lot_shares, announced_at, opens_at, closes_at, payable_until, allotted_at, trades_from, ex_at, ratio_per_million)
SELECT 'S' || next.id, next.id, $1, $2, 'increase', 'upcoming', $3, $4, $5, $6, NULL, $7, $8, 1, $9, $10, $11, $12, $13, $14, $15, $16
FROM (SELECT nextval('offering_no') AS id) AS next ON CONFLICT DO NOTHING`;
const KEEP_SECRET = "INSERT INTO offering_secret (offering_no, secret, crowd_key, crowd_lots) VALUES ($1, $2, $3, $4)";
const PUBLISH = "UPDATE offering SET secret_hash = $2, crowd_hash = $3, committed_at = $4 WHERE offering_no = $1 AND secret_hash IS NULL";
/**
 * An opening of the bids that is late moves the window and what follows it, so that nobody has less time; but never behind the listing, from
 * which on everybody sees what a share is worth: the window is shorter then, or has passed.
 */
const SET_PRICE = `UPDATE offering SET price = $3, opens_at = greatest(opens_at, least($4::bigint, closes_at + moved)),
  closes_at = closes_at + moved, drawn_at = drawn_at + moved, payable_until = payable_until + moved, allotted_at = allotted_at + moved
FROM (SELECT offering_no AS no, greatest(0, least($4::bigint - opens_at, trades_from - allotted_at)) AS moved
  FROM offering WHERE market = $1 AND code = $2) AS found
WHERE offering_no = no AND price IS NULL AND phase = 'upcoming' RETURNING offering_no, kind`;
/** What an auction that is over has set. */
const AUCTION_PRICE = `SELECT coalesce((outcome->>'price')::bigint, minimum_price) AS price FROM auction
WHERE market = $1 AND code = $2 AND status IN ('opened', 'voided')`;

/** Lots that the simulated crowd applies for at a price. */
function crowdLots(venue: Venue, code: string, kind: string, price: number): number {
  const crowd = venue.offeringCrowd(code);
  if (!crowd) throw new Error(`no crowd in the offering of ${code}`);
  return kind === "placement" ? crowd.lotsAsked : crowd.applications(price);
}

/** Commits to a secret and to the crowd of an offering whose price is set. A fund has no draw. */
async function publishCommitment(tx: Tx, venue: Venue, offeringNo: string, at: number, issue: Pick<Issue, "code" | "kind" | "price">) {
  if (issue.kind === "fund") return;
  const made = commit(crowdLots(venue, issue.code, issue.kind, issue.price));
  await query(tx, KEEP_SECRET, [offeringNo, made.secret, made.crowdKey, made.crowdLots]);
  await query(tx, PUBLISH, [offeringNo, made.secretHash, made.crowdHash, at]);
}

/** The share that is auctioned and offered: another market has other issues with the same codes. */
export interface Auctioned {
  market: string;
  code: string;
}

/**
 * Sets the price of the lottery after an auction, in price units, once, and commits to its draw. Call it in the transaction that opens the
 * bids, before the window opens. @returns the number of the offering; null when it has a price, or there is none
 */
export async function setOfferingPrice(
  tx: Tx,
  venue: Venue,
  { market, code }: Auctioned,
  price: number,
  at: number,
): Promise<string | null> {
  const [row] = await query<{ offering_no: string; kind: Issue["kind"] }>(tx, SET_PRICE, [market, code, price, at]);
  if (!row) return null;
  await publishCommitment(tx, venue, row.offering_no, at, { code, kind: row.kind, price });
  return row.offering_no;
}

/** Takes the price of an auction that was over before its offering had a row, or when nobody could set it. @returns whether there was one */
export async function takeAuctionPrice(tx: Tx, venue: Venue, auctioned: Auctioned, at: number): Promise<boolean> {
  const [over] = await query<{ price: number }>(tx, AUCTION_PRICE, [auctioned.market, auctioned.code]);
  return over !== undefined && (await setOfferingPrice(tx, venue, auctioned, over.price, at)) !== null;
}

/** Writes the row of an issue, once. @returns its number; null when it has one */
async function announce(tx: Tx, venue: Venue, issue: Issue, at: number): Promise<string | null> {
  const { zh, zhCn, en, auction } = issue;
  const instrument = venue.instruments[issue.row];
  if (!instrument) throw new Error(`no instrument in row ${issue.row}`);
  const market = marketName(venue.state(at));
  const [row] = await query<{ offering_no: string }>(tx, INSERT, [
    market,
    issue.code,
    issue.kind,
    JSON.stringify({ zh, zhCn, en }),
    issue.board,
    issue.category,
    JSON.stringify(issue.leadBroker),
    auction ? null : issue.price,
    issue.price,
    issue.lots,
    instrument.lotShares,
    auction && JSON.stringify(auction),
    issue.announcedAt,
    issue.opensAt,
    issue.closesAt,
    issue.drawnAt,
    issue.payableUntil,
    issue.allottedAt,
    issue.tradesFrom,
  ]);
  if (!row) return null;
  if (auction) await takeAuctionPrice(tx, venue, { market, code: issue.code }, at);
  else await publishCommitment(tx, venue, row.offering_no, at, issue);
  return row.offering_no;
}

const MILLION = 1_000_000;

/** Writes the row of a capital increase, once. Its price is set on the ex-date. */
async function announceIncrease(tx: Tx, venue: Venue, one: Increase, at: number): Promise<void> {
  const instrument = venue.instrument(one.code);
  if (!instrument) throw new Error(`no instrument ${one.code}`);
  const { zh, zhCn, en, board, category, issuedThousands } = instrument;
  await query(tx, INSERT_INCREASE, [
    marketName(venue.state(at)),
    one.code,
    JSON.stringify({ zh, zhCn, en }),
    board,
    category,
    JSON.stringify(one.leadBroker),
    one.provisionalPrice,
    Math.max(1, Math.floor((issuedThousands * 1_000 * one.ratioPerMillion) / MILLION)),
    one.announcedAt,
    one.opensAt,
    one.closesAt,
    one.payableUntil,
    one.allottedAt,
    one.tradesFrom,
    one.exAt,
    one.ratioPerMillion,
  ]);
}

/** The issues whose offering needs a row: those that are not listed, and the latest of the others. */
export function issuesWithRow(venue: Venue, at: number): readonly Issue[] {
  const issues = venue.issues(at);
  const listed = issues.filter(({ tradesFrom }) => tradesFrom <= at).toSorted((a, b) => b.tradesFrom - a.tradesFrom);
  const past = new Set(listed.slice(PAST));
  return issues.filter((issue) => !past.has(issue));
}

/** Writes the rows of all announced issues and capital increases that are not in `known`, which it extends. One that fails does not stop the others. */
export async function announceOfferings(
  { db, venue, report }: { db: Database; venue: Venue; report?: ((error: unknown) => void) | undefined },
  known: Set<string>,
  at: number,
): Promise<void> {
  const announced = [
    ...issuesWithRow(venue, at).map((issue) => ({ key: issue.code, write: (tx: Tx) => announce(tx, venue, issue, at) })),
    ...venue.increases(at).map((one) => ({ key: `${one.code} ${one.exAt}`, write: (tx: Tx) => announceIncrease(tx, venue, one, at) })),
  ];
  for (const { key, write } of announced) {
    if (known.has(key)) continue;
    try {
      await db.transaction<unknown>(write);
      known.add(key);
    } catch (error) {
      report?.(error);
    }
  }
}
