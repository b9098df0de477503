/** A fund raising in a batch: its rows, its decision at the close, and its other steps. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { RaiseEventType } from "#contract/raise.ts";
import { MILLION } from "#contract/rule.ts";
import { advance } from "#machines/advance.ts";
import { raiseMachine } from "#machines/raise.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { RaiseRecord } from "#server/records/raise.ts";
import { stakesIn } from "#server/trading/clearing/stakes-in-batch.ts";
import { subscriptionsIn } from "#server/trading/clearing/subscriptions-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { FundFacts } from "#server/venue/issue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { memberLots } from "./raise-allotment.ts";
import type { MemberLots } from "./raise-allotment.ts";

const INSERT = `INSERT INTO raise (offering_no, status, crowd_lots, least_lots, distributions, yield_per_million, index_code, matures_at,
  last_traded_at, notice_at)
VALUES ($1, 'upcoming', $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`;
const MOVE = `UPDATE raise SET status = $2, asked_lots = $4, allotted_lots = $5, listing_price = $6
WHERE offering_no = $1 AND status = $3 RETURNING offering_no`;
/** A raising that failed is an offering that failed, however far the offering's own clock has moved it. */
const FAIL_OFFERING = "UPDATE offering SET phase = 'failed' WHERE offering_no = $1 AND phase NOT IN ('failed', 'void')";

/** A fund that was announced and has no row yet. */
export interface NewFund {
  id: number;
  offering_no: string;
  code: string;
  lots: number;
  closes_at: number;
}

/** Writes the row of an announced fund, with what others will ask for. @throws Error where its crowd is missing */
export async function announceRaise(
  { db, venue }: { db: Database; venue: Venue },
  { offering_no, code, lots, closes_at }: NewFund,
  minimumSizePerMillion: number,
  at: number,
): Promise<void> {
  const crowd = venue.offeringCrowd(code);
  // The market has forgotten a fund whose window closed long ago. Nobody has a stake in it.
  if (!crowd && at >= closes_at) return;
  if (!crowd) throw new Error(`no crowd in the raising of ${code}`);
  const { distributions = 0, yieldPerMillion = 0, indexCode = null, ...end }: Partial<FundFacts> = venue.issue(code)?.fund ?? {};
  const least = Math.ceil((lots * minimumSizePerMillion) / MILLION);
  const values = [offering_no, crowd.lotsAsked, least, distributions, yieldPerMillion, indexCode];
  await query(db.kysely, INSERT, [...values, end.maturesAt ?? null, end.lastTradedAt ?? null, end.noticeAt ?? null]);
}

/** Raisings announced by a version of the server that knew of no terms. */
const WITHOUT_TERM = `SELECT r.offering_no, o.code FROM raise AS r JOIN offering AS o USING (offering_no)
WHERE o.market = $1 AND r.matures_at IS NULL AND r.status NOT IN ('failed', 'terminated')`;
const SET_TERM = "UPDATE raise SET matures_at = $2, last_traded_at = $3, notice_at = $4 WHERE offering_no = $1";

/** Gives raisings the term that the market has for their funds. */
export async function adoptTerms({ db, venue }: { db: Database; venue: Venue }, market: string): Promise<void> {
  for (const { offering_no, code } of await query<{ offering_no: string; code: string }>(db.kysely, WITHOUT_TERM, [market])) {
    const end = venue.issue(code)?.fund;
    if (end && end.maturesAt !== null)
      await query(db.kysely, SET_TERM, [offering_no, end.maturesAt, end.lastTradedAt ?? null, end.noticeAt ?? null]);
  }
}

/** The next step of a raising by the clock; null for none. One of another market than `market` cannot come about. */
export function stepDue(row: RaiseRecord, at: number, market: string): RaiseEventType | "decide" | null {
  if (row.status === "upcoming") return at >= row.opens_at ? "raise.opened" : null;
  if (row.status === "raising") return at >= row.closes_at || row.market !== market ? "decide" : null;
  if (row.status === "raised") return at >= row.trades_from ? "raise.listed" : null;
  return row.status === "listed" && row.market === market && row.matures_at !== null && at >= row.matures_at ? "raise.terminated" : null;
}

/** Whether the holders of a fund are to know that it ends soon. */
export const isEnding = ({ status, notice_at, matures_at }: RaiseRecord, at: number): boolean =>
  status === "listed" && notice_at !== null && matures_at !== null && notice_at <= at && at < matures_at;

/** When the clock has to look at a raising again; infinity for never. */
export function nextMoment(row: RaiseRecord, at: number): number {
  const { status, opens_at, closes_at, allotted_at, trades_from, notice_at, matures_at } = row;
  const moments: Record<RaiseRecord["status"], (number | null)[]> = {
    upcoming: [opens_at],
    raising: [closes_at],
    raised: [allotted_at, trades_from],
    // Those who buy it late are told as well.
    listed: [allotted_at, notice_at, isEnding(row, at) ? at + MINUTE_MS : null, matures_at],
    failed: [],
    terminated: [allotted_at],
  };
  return Math.min(...moments[status].map((moment) => (moment !== null && moment > at ? moment : Number.POSITIVE_INFINITY)));
}

/** Applies a step. A row that has moved since it was read fails the batch. */
function apply(batch: Batch, row: RaiseRecord, type: RaiseEventType): void {
  const before = row.status;
  const status = advance(raiseMachine, before, type);
  if (!status) throw new Error(`${type} cannot happen to raising ${row.offering_no}, which is ${before}`);
  row.status = status;
  const values = [row.offering_no, status, before, row.asked_lots, row.allotted_lots, row.listing_price];
  batch.deferWrite(async (tx) => {
    const moved = await query(tx, MOVE, values);
    if (moved.length !== 1) throw new Error(`raising ${row.offering_no} is no longer ${before}`);
  });
}

/** Whether a raising cannot come about: too little is asked for, or its market is gone. */
export const isFailing = (row: RaiseRecord, askedByMembers: number, market: string): boolean =>
  row.market !== market || row.crowd_lots + askedByMembers < row.least_lots;

/** Decides at the close: it fails, or its stakes get what was reckoned for them. @throws Error where that is not what they hold */
function decide(batch: Batch, row: RaiseRecord, held: MemberLots, reckoned: MemberLots | null): void {
  const hasFailed = isFailing(row, held.asked, marketName(batch.venue.state(batch.at)));
  if (!hasFailed && (reckoned?.asked !== held.asked || reckoned.given !== held.given)) {
    throw new Error(`the stakes of raising ${row.offering_no} do not hold what was reckoned for them`);
  }
  row.asked_lots = row.crowd_lots + held.asked;
  row.allotted_lots = hasFailed ? 0 : Math.min(row.lots, row.asked_lots);
  apply(batch, row, hasFailed ? "raise.failed" : "raise.raised");
  if (hasFailed) failOffering(batch, row.offering_no);
}

/** Fails the offering of a raising that failed. A step of the offering's own clock that is later in the batch sees it. */
function failOffering(batch: Batch, offeringNo: string): void {
  const offering = subscriptionsIn(batch).offerings.get(offeringNo);
  if (offering && offering.phase !== "void") offering.phase = "failed";
  batch.deferWrite(async (tx) => {
    await query(tx, FAIL_OFFERING, [offeringNo]);
  });
}

/** The reference price of the first session, while it lasts. */
function listingPrice({ venue, at }: Batch, row: RaiseRecord): number | null {
  const instrument = row.market === marketName(venue.state(at)) ? venue.instrument(row.code) : undefined;
  if (!instrument || venue.state(row.trades_from).opensAt !== venue.state(at).opensAt) return null;
  const { reference } = venue.quote(instrument.row);
  return reference > 0 ? reference : null;
}

/** Takes the step of a raising that is due, if there is one when it is decided. `reckoned`: what `allotStakes` wrote after the close. */
export function moveRaise(offeringNo: string, reckoned: MemberLots | null = null): QueuedCommand<void> {
  let held: MemberLots = { asked: 0, given: 0 };
  return {
    memberIds: [],
    prepare: async (tx, batch) => {
      await stakesIn(batch).readRaise(tx, offeringNo);
      await subscriptionsIn(batch).readOffering(tx, offeringNo);
      // From the close on no command changes them: what was decided before is committed.
      held = await memberLots(tx, offeringNo);
    },
    decide: (batch) => {
      const row = stakesIn(batch).raises.get(offeringNo);
      const due = row && stepDue(row, batch.at, marketName(batch.venue.state(batch.at)));
      if (!row || !due) return;
      if (due === "decide") return decide(batch, row, held, reckoned);
      if (due === "raise.listed") row.listing_price = listingPrice(batch, row);
      apply(batch, row, due);
    },
  };
}
