/** The clock of auctions: announces them, moves each through its steps, and takes the steps of bids and reminders when they are due. */
import { isAuctionFact } from "#contract/fact-kind.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { announceAuctions } from "./announce.ts";
import { auctionStep } from "./auction-step.ts";
import { prepareOpening } from "./awards.ts";
import { bidStep } from "./bid-step.ts";
import { reminder } from "./reminder.ts";

export interface AuctionClockDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; the step is tried again later. */
  report?: ((error: unknown) => void) | undefined;
}

/** The most steps of bids, and of reminders, in one tick: members' commands wait behind them. */
const MOST = 256;
/** Rules that hold for everybody, and no member's own. */
const NOBODY = 0;

interface Due {
  what: "auction" | "bid" | "reminder";
  id: number;
  member_id: number | null;
  bid_no: string | null;
}

/** From a place on, so that rows whose step fails again and again do not keep the others from theirs. */
const DUE = `
SELECT 'auction' AS what, id, NULL::bigint AS member_id, NULL AS bid_no FROM auction
WHERE (status = 'notStarted' AND opens_at <= $1) OR (status = 'bidding' AND closes_at <= $1) OR (status = 'closed' AND opens_bids_at <= $1)
UNION ALL (SELECT 'bid', id, member_id, bid_no FROM bid WHERE due_at <= $1 AND id > $2 ORDER BY id LIMIT $4)
UNION ALL (SELECT 'bid', bid.id, member_id, bid_no FROM bid JOIN auction ON auction.id = auction_id
  WHERE auction.status = 'voided' AND bid.status = 'placed' AND bid.id > $2 ORDER BY bid.id LIMIT $4)
UNION ALL (SELECT 'reminder', auction_booking.id, member_id, NULL FROM auction_booking JOIN auction ON auction.id = auction_id
  WHERE told_at IS NULL AND status <> 'notStarted' AND auction_booking.id > $3 ORDER BY auction_booking.id LIMIT $4)`;

/** When something is due next, where nothing is now. */
const NEXT = `
SELECT least(
  (SELECT min(CASE status WHEN 'notStarted' THEN opens_at WHEN 'bidding' THEN closes_at ELSE opens_bids_at END)
   FROM auction WHERE status IN ('notStarted', 'bidding', 'closed')),
  (SELECT min(due_at) FROM bid WHERE due_at IS NOT NULL)) AS at`;

/** When the clock has to look again. Before that a tick costs nothing. */
interface Look {
  at: number;
  /** Counts what could make it earlier. */
  changes: number;
}

async function takeStep({ db, sequencer, now }: AuctionClockDeps, { what, id, member_id: memberId, bid_no: bidNo }: Due): Promise<void> {
  if (memberId === null) return sequencer.submit(auctionStep(id, await prepareOpening(db, id, now())));
  return sequencer.submit(what === "bid" && bidNo !== null ? bidStep(memberId, bidNo) : reminder(memberId, id));
}

/** What one tick does; ticks may overlap, also with those of another clock. */
export function auctionTick(deps: AuctionClockDeps, look: Look = { at: 0, changes: 0 }): () => Promise<void> {
  const { db, venue, sequencer, now, report } = deps;
  const known = new Set<string>();
  const after = { bid: 0, reminder: 0 };
  /** Where the next tick goes on: behind a full page, else at the beginning. */
  const goOn = (what: "bid" | "reminder", due: readonly Due[]): void => {
    const page = due.filter((one) => one.what === what);
    after[what] = page.length < MOST ? 0 : Math.max(...page.map(({ id }) => id));
  };
  return async () => {
    const before = known.size;
    await announceAuctions({ db, venue, rule: sequencer.rules.of(NOBODY).auction, report }, known, now());
    if (known.size === before && now() < look.at) return;
    const due = await query<Due>(db.kysely, DUE, [now(), after.bid, after.reminder, MOST]);
    goOn("bid", due);
    goOn("reminder", due);
    look.at = 0;
    if (due.length === 0 && after.bid === 0 && after.reminder === 0) {
      const { changes } = look;
      const [next] = await query<{ at: number | null }>(db.kysely, NEXT);
      if (look.changes === changes) look.at = next?.at ?? Number.POSITIVE_INFINITY;
    }
    await Promise.all(due.map((one) => takeStep(deps, one).catch((error: unknown) => report?.(error))));
  };
}

/** Starts the clock. @returns a function that stops it, and resolves when it is at rest */
export async function startAuctionClock(deps: AuctionClockDeps): Promise<() => Promise<void>> {
  const look = { at: 0, changes: 0 };
  // A payment by hand may make the allotment due at once.
  const stopFollowing = deps.sequencer.onBatch(({ facts }) => {
    if (!facts.some(({ fact }) => isAuctionFact(fact))) return;
    look.at = 0;
    look.changes += 1;
  });
  const tick = auctionTick(deps, look);
  await tick();
  const stopTicking = every(SECOND_MS, tick, deps.report);
  return () => {
    stopFollowing();
    return stopTicking();
  };
}
