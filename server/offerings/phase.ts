/** Moves an offering to its next phase in a batch, once, and publishes what belongs to it. */
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { OfferingPhase, OfferingStep } from "#contract/offering-kind.ts";
import { advance } from "#machines/advance.ts";
import { offeringMachine } from "#machines/offering.ts";
import { query } from "#server/db/database.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import { subscriptionsIn } from "#server/trading/clearing/subscriptions-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Drawn } from "./draw.ts";

/** A row that is no longer in the phase it was decided on changes nothing, and the batch fails. */
const MOVE = `UPDATE offering SET phase = $2, payable_from = $4, payable_until = $5, allotted_at = $6, secret = $7, winning_lots = $8,
  result_hash = $9, result_at = $10 WHERE offering_no = $1 AND phase = $3 RETURNING id`;

/** When a phase ends by the clock alone; null where it does not. */
function endsAt(row: OfferingRecord): number | null {
  const ends: Partial<Record<OfferingPhase, number | null>> = {
    // A capital increase gets its price on the ex-date.
    upcoming: row.price === null ? (row.ex_at ?? row.opens_at) : row.opens_at,
    open: row.closes_at,
    // What is not drawn is delivered.
    closed: row.drawn_at ?? row.allotted_at,
    drawn: row.allotted_at,
    allotted: row.trades_from,
  };
  return ends[row.phase] ?? null;
}

/** Whether the next phase of an offering has come. One without a price waits for its auction. */
export function isDue(row: OfferingRecord, at: number): boolean {
  const end = endsAt(row);
  return end !== null && at >= end && (row.phase !== "upcoming" || row.price !== null);
}

/** When winners who have not paid are reminded: halfway through the time to pay. */
export const remindAt = ({ payable_from: from, payable_until: until }: Pick<OfferingRecord, "payable_from" | "payable_until">): number =>
  from === null ? until : Math.floor((from + until) / 2);

/** When the clock has to look at an offering again: its next phase, or before it the reminder of the payments and their deadline. */
export function nextMoment(row: OfferingRecord, at: number): number {
  const end = endsAt(row) ?? Number.POSITIVE_INFINITY;
  if (row.phase !== "drawn") return end;
  return Math.min(end, ...[remindAt(row), row.payable_until].filter((moment) => at < moment));
}

/** The time to pay that a draw in time leaves. */
const timeToPayOf = ({ drawn_at, payable_until }: OfferingRecord): number => Math.max(0, payable_until - (drawn_at ?? payable_until));

/** Payments after a late draw end this long before the listing, from which on everybody sees what a win is worth. */
const BEFORE_LISTING_MS = MINUTE_MS;

/** Whether a draw now leaves its winners less than a quarter of their time to pay before the listing. Where nobody applied it never does. */
export function isTooLate(row: OfferingRecord, at: number): boolean {
  return (row.applications ?? 0) > 0 && at + timeToPayOf(row) / 4 > row.trades_from - BEFORE_LISTING_MS;
}

/** A draw that is late leaves as much time to pay as one in time, if the listing allows it. */
function publishDraw(batch: Batch, row: OfferingRecord, { secret, result, winningLots }: Drawn, payAfterSeconds: number): void {
  const timeToPay = timeToPayOf(row);
  // Where no member takes part, nobody has to pay, and nothing is delayed.
  if ((row.applications ?? 0) > 0) {
    const latest = Math.max(row.payable_until, row.trades_from - BEFORE_LISTING_MS);
    row.payable_until = Math.min(Math.max(row.payable_until, batch.at + timeToPay), latest);
    row.allotted_at = Math.max(row.allotted_at, row.payable_until);
  }
  const left = Math.max(0, row.payable_until - batch.at);
  row.payable_from = batch.at + Math.min(payAfterSeconds * SECOND_MS, Math.floor(Math.min(timeToPay, left) / 4));
  row.secret = secret;
  row.winning_lots = winningLots;
  row.result_hash = result.resultHash;
  row.result_at = batch.at;
}

/** Takes an offering one step on, if it is still in the phase it was read in. `drawn`: what a draw publishes. */
export function moveOffering(
  { offering_no: offeringNo, phase }: OfferingRecord,
  type: OfferingStep,
  drawn: { held: Drawn; payAfterSeconds: number } | null = null,
): QueuedCommand<void> {
  return {
    memberIds: [],
    prepare: (tx, batch) => subscriptionsIn(batch).readOffering(tx, offeringNo),
    decide: (batch) => {
      const row = subscriptionsIn(batch).offerings.get(offeringNo);
      if (row?.phase !== phase) return;
      const next = advance(offeringMachine, phase, type);
      if (!next) throw new Error(`${type} cannot happen to offering ${offeringNo}, which is ${phase}`);
      row.phase = next;
      if (drawn) publishDraw(batch, row, drawn.held, drawn.payAfterSeconds);
      const { payable_from, payable_until, allotted_at, secret, winning_lots, result_hash, result_at } = row;
      const values = [payable_from, payable_until, allotted_at, secret, winning_lots, result_hash, result_at];
      batch.deferWrite(async (tx) => {
        const moved = await query(tx, MOVE, [offeringNo, next, phase, ...values]);
        if (moved.length !== 1) throw new Error(`offering ${offeringNo} is no longer ${phase}`);
      });
    },
  };
}
