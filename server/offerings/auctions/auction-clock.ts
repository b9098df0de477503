/** The clock of auctions: announces them, moves each through its steps, and takes the steps of bids and reminders when they are due. */
import { isAuctionFact } from "#contract/fact-kind.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import { announceAuctions } from "./announce.ts";
import { afterDowntime } from "#server/offerings/downtime.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import { auctionStep } from "./auction-step.ts";
import { prepareOpening } from "./awards.ts";
import { bidStep } from "./bid-step.ts";
import { reminder } from "./reminder.ts";

/** The most steps of bids, and of reminders, in one tick: members' commands wait behind them. */
const MOST = 256;
/** A step that failed is tried again after so long, so that it does not spoil every batch. */
const AGAIN_MS = 10 * SECOND_MS;
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

/** Never behind the listing: from then on everybody sees what a win is worth. What is not told yet is moved as well. */
const EXTEND = `UPDATE bid SET payable_until = moved.payable_until, due_at = CASE WHEN status = 'placed' THEN due_at
  ELSE least(moved.payable_until, CASE WHEN refunded_at IS NULL AND refund_cents > 0 THEN refunds_at END,
    CASE WHEN reminded_at IS NULL THEN (opened_at + moved.payable_until) / 2 END) END
FROM (SELECT bid.id AS no, greatest(bid.payable_until, least(bid.payable_until + $2::bigint - greatest($1::bigint, opened_at), trades_from)) AS payable_until
  FROM bid JOIN auction ON auction.id = auction_id
  WHERE bid.status IN ('placed', 'won') AND won_lots > 0 AND bid.payable_until > $1 AND auction.status = 'opened') AS moved
WHERE bid.id = no`;

/** Moves the deadlines of winners by the time that the server was off. */
const extendBids = (deps: Pick<ClockDeps, "db" | "now">): (() => Promise<void>) =>
  afterDowntime(deps, "auction", (tx, from, until) => query(tx, EXTEND, [from, until]));

/** When the clock has to look again. Before that a tick costs nothing. */
interface Look {
  at: number;
  /** Counts what could make it earlier. */
  changes: number;
}

async function takeStep({ db, sequencer, now }: ClockDeps, { what, id, member_id: memberId, bid_no: bidNo }: Due): Promise<void> {
  if (memberId === null) return sequencer.submit(auctionStep(id, await prepareOpening(db, id, now())));
  return sequencer.submit(what === "bid" && bidNo !== null ? bidStep(memberId, bidNo) : reminder(memberId, id));
}

/** What one tick does; ticks may overlap, also with those of another clock. */
export function auctionTick(deps: ClockDeps, look: Look = { at: 0, changes: 0 }): () => Promise<void> {
  const { db, venue, sequencer, now, report } = deps;
  const known = new Set<string>();
  const after = { bid: 0, reminder: 0 };
  /** When to try again what failed. */
  const again = new Map<string, number>();
  const tryStep = async (one: Due): Promise<void> => {
    const key = `${one.what} ${one.id}`;
    if (now() < (again.get(key) ?? 0)) return;
    again.delete(key);
    await takeStep(deps, one).catch((error: unknown) => {
      again.set(key, now() + AGAIN_MS);
      report?.(error);
    });
  };
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
    await Promise.all(due.map(tryStep));
  };
}

/** Starts the clock. @returns a function that stops it, and resolves when it is at rest */
export async function startAuctionClock(deps: ClockDeps): Promise<() => Promise<void>> {
  const look = { at: 0, changes: 0 };
  // A payment by hand may make the allotment due at once.
  const stopFollowing = deps.sequencer.onBatch(({ facts }) => {
    if (!facts.some(({ fact }) => isAuctionFact(fact))) return;
    look.at = 0;
    look.changes += 1;
  });
  const step = auctionTick(deps, look);
  const keepUp = extendBids(deps);
  const tick = async (): Promise<void> => {
    await keepUp();
    await step();
  };
  // What is overdue happens before the first call is answered; what fails is tried again like everything else.
  await tick().catch(deps.report);
  const stopTicking = (deps.repeat ?? every)(SECOND_MS, tick, deps.report);
  return () => {
    stopFollowing();
    return stopTicking();
  };
}
