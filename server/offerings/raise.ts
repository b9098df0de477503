/** A fund raising in a batch: its rows, its decision at the close, and its other steps. */
import { proRata } from "#contract/pro-rata.ts";
import type { RaiseEventType } from "#contract/raise.ts";
import { MILLION } from "#contract/rule.ts";
import { advance } from "#machines/advance.ts";
import { raiseMachine } from "#machines/raise.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { RaiseRecord } from "#server/records/raise.ts";
import { stakesIn } from "#server/trading/clearing/stakes-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { Venue } from "#server/venue/venue.ts";

/** Funds that were announced and have no row yet. */
const MISSING = `SELECT offering_no, code, lots, closes_at FROM offering LEFT JOIN raise USING (offering_no)
WHERE market = $1 AND kind = 'fund' AND price IS NOT NULL AND raise.offering_no IS NULL ORDER BY id`;
const INSERT = `INSERT INTO raise (offering_no, status, crowd_lots, least_lots, distributions, yield_per_million, index_code, matures_at)
VALUES ($1, 'upcoming', $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`;
const MOVE = `UPDATE raise SET status = $2, asked_lots = $4, allotted_lots = $5, listing_price = $6
WHERE offering_no = $1 AND status = $3 RETURNING offering_no`;
const ALLOT = `UPDATE stake SET allotted_lots = given.lots FROM json_to_recordset($1::json) AS given (stake_no text, lots bigint)
WHERE stake.stake_no = given.stake_no AND stake.status = 'subscribed'`;
/** A raising that failed is an offering that failed. */
const FAIL_OFFERING = "UPDATE offering SET phase = 'failed' WHERE offering_no = $1 AND phase = 'closed'";
const ASKED = "SELECT stake_no, lots FROM stake WHERE offering_no = $1 AND status = 'subscribed' ORDER BY id";

/** Writes a row for each announced fund, with what others will ask for. One that fails is reported and stops no other. */
export async function announceRaises(
  { db, venue, report }: { db: Database; venue: Venue; report?: ((error: unknown) => void) | undefined },
  minimumSizePerMillion: number,
  at: number,
): Promise<void> {
  const market = marketName(venue.state(at));
  const rows = await query<{ offering_no: string; code: string; lots: number; closes_at: number }>(db.kysely, MISSING, [market]);
  for (const { offering_no, code, lots, closes_at } of rows) {
    try {
      const crowd = venue.offeringCrowd(code);
      // The market has forgotten a fund whose window closed long ago. Nobody has a stake in it.
      if (!crowd && at >= closes_at) continue;
      if (!crowd) throw new Error(`no crowd in the raising of ${code}`);
      const { distributions = 0, yieldPerMillion = 0, indexCode = null, maturesAt = null } = venue.issue(code)?.fund ?? {};
      const least = Math.ceil((lots * minimumSizePerMillion) / MILLION);
      await query(db.kysely, INSERT, [offering_no, crowd.lotsAsked, least, distributions, yieldPerMillion, indexCode, maturesAt]);
    } catch (error) {
      report?.(error);
    }
  }
}

/** The next step of a raising by the clock; null for none. */
export function stepDue(row: RaiseRecord, at: number): RaiseEventType | "decide" | null {
  if (row.status === "upcoming") return at >= row.opens_at ? "raise.opened" : null;
  if (row.status === "raising") return at >= row.closes_at ? "decide" : null;
  if (row.status === "raised") return at >= row.trades_from ? "raise.listed" : null;
  return row.status === "listed" && row.matures_at !== null && at >= row.matures_at ? "raise.terminated" : null;
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

/** Decides at the close: it fails below its least size, else everybody gets their part, the simulated crowd as one. */
function decide(batch: Batch, row: RaiseRecord, stakes: readonly { stake_no: string; lots: number }[]): void {
  const asks = [row.crowd_lots, ...stakes.map(({ lots }) => lots)];
  const asked = asks.reduce((sum, lots) => sum + lots, 0);
  const hasFailed = asked < row.least_lots;
  row.asked_lots = asked;
  row.allotted_lots = hasFailed ? 0 : Math.min(row.lots, asked);
  apply(batch, row, hasFailed ? "raise.failed" : "raise.raised");
  if (hasFailed) {
    batch.deferWrite(async (tx) => {
      await query(tx, FAIL_OFFERING, [row.offering_no]);
    });
    return;
  }
  const given = proRata(row.lots, asks);
  const lots = JSON.stringify(stakes.map(({ stake_no }, nth) => ({ stake_no, lots: given[nth + 1] ?? 0 })));
  batch.deferWrite(async (tx) => {
    await query(tx, ALLOT, [lots]);
  });
}

/** The reference price of the first session, while it lasts. */
function listingPrice({ venue, at }: Batch, row: RaiseRecord): number | null {
  const instrument = venue.instrument(row.code);
  if (!instrument || venue.state(row.trades_from).opensAt !== venue.state(at).opensAt) return null;
  const { reference } = venue.quote(instrument.row);
  return reference > 0 ? reference : null;
}

/** Takes the step of a raising that is due, if there is one when it is decided. */
export function moveRaise(offeringNo: string): QueuedCommand<void> {
  let stakes: { stake_no: string; lots: number }[] = [];
  return {
    memberIds: [],
    prepare: async (tx, batch) => {
      await stakesIn(batch).readRaise(tx, offeringNo);
      // From the close on no command changes them: what was decided before is committed.
      stakes = await query(tx, ASKED, [offeringNo]);
    },
    decide: (batch) => {
      const row = stakesIn(batch).raises.get(offeringNo);
      const due = row && stepDue(row, batch.at);
      if (!row || !due) return;
      if (due === "decide") return decide(batch, row, stakes);
      if (due === "raise.listed") row.listing_price = listingPrice(batch, row);
      apply(batch, row, due);
    },
  };
}
