/** The clock of block purchases: takes each step when it is due, also those missed while the server was off, and tells sellers what is taken. */
import { isOpenBlockOrder } from "#contract/block-order.ts";
import { isBlockOrderFact } from "#contract/fact-kind.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { blocks } from "#server/trading/clearing/blocks-in-batch.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import { applyStep, stepDue } from "./purchase.ts";

type Verdict = "approved" | "rejected";
const OPEN = "SELECT block_no, member_id FROM block_order WHERE status IN ('pending', 'review')";
const VERDICT = "SELECT verdict FROM review_verdict WHERE kind = 'block' AND subject = $1";

/** One step of a purchase, if it is due. */
function blockStep(memberId: number, blockNo: string): QueuedCommand<void> {
  let messageNo = 0;
  let verdict: Verdict | null = null;
  return {
    memberIds: [memberId],
    placements: 1,
    prepare: async (tx, batch) => {
      await batch.part(blocks).read(tx, blockNo);
      const [number] = await query<{ id: number }>(tx, "SELECT nextval('message_no') AS id", []);
      messageNo = number?.id ?? 0;
      const [row] = await query<{ verdict: Verdict }>(tx, VERDICT, [blockNo]);
      verdict = row?.verdict ?? null;
    },
    decide: (batch) => {
      const row = batch.part(blocks).order(memberId, blockNo);
      const due = row && stepDue(batch, row, verdict);
      if (row && due) applyStep(batch, row, due, messageNo);
    },
  };
}

/** Starts the clock. @returns a function that stops it, and resolves when it is at rest */
export async function startBlockClock({ db, venue, sequencer, now, report, repeat = every }: ClockDeps): Promise<() => Promise<void>> {
  /** Purchases on their way. Without any, a tick costs nothing. */
  const open = new Map<string, number>();
  const follow = (batch: Batch): void => {
    for (const { memberId, fact } of batch.facts) {
      if (!isBlockOrderFact(fact)) continue;
      if (isOpenBlockOrder(fact.block)) open.set(fact.block.blockNo, memberId);
      else open.delete(fact.block.blockNo);
    }
    for (const [offerId, shares] of batch.part(blocks).taken) venue.blocks.setTaken(offerId, shares);
  };
  const stopFollowing = sequencer.onBatch(follow);
  for (const { block_no, member_id } of await query<{ block_no: string; member_id: number }>(db.kysely, OPEN, []))
    open.set(block_no, member_id);
  const offers = await query<{ offer_id: string; taken: number }>(
    db.kysely,
    "SELECT offer_id, taken FROM block_offer WHERE closes_at > $1",
    [now()],
  );
  for (const { offer_id, taken } of offers) venue.blocks.setTaken(offer_id, taken);
  const tick = async (): Promise<void> => {
    const steps = [...open].map(([blockNo, memberId]) => blockStep(memberId, blockNo));
    await Promise.all(steps.map((step) => sequencer.submit(step).catch((error: unknown) => report?.(error))));
  };
  const stopTicking = repeat(SECOND_MS, tick, report);
  return () => {
    stopFollowing();
    return stopTicking();
  };
}
