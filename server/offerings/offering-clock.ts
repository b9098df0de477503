/** The clock of offerings: announces them and moves each through its phases when they are due, also those missed while the server was off. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import { isDrawn } from "#contract/offering-kind.ts";
import type { OfferingStep } from "#contract/offering-kind.ts";
import { query } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import { isOfMarket } from "#server/venue/market-name.ts";
import { announceOfferings, takeAuctionPrice } from "./announce.ts";
import { holdDraw, listAtClose } from "./draw.ts";
import { eachSubscription } from "./each-member.ts";
import { deliver, giveAllBack, remind, tellResult } from "./outcome.ts";
import { isDue, isTooLate, moveOffering, nextMoment, remindAt } from "./phase.ts";
import { sendReminders } from "./reminder.ts";
import { extendPayments } from "./downtime.ts";
import { setIncreasePrice, settleRights } from "./increase.ts";
import { collect } from "./subscription.ts";

const ONE = "SELECT * FROM offering WHERE offering_no = $1";
/** Those on their way, and those that are over but for an application that failed. */
const MOVING = `SELECT offering_no FROM offering WHERE phase NOT IN ('listed', 'void', 'failed')
UNION SELECT offering_no FROM subscription WHERE status IN ('subscribing', 'won') OR (status = 'paid' AND order_no IS NULL)
UNION SELECT offering_no FROM entitlement WHERE settled_at IS NULL`;
const PUBLISH_LIST = `UPDATE offering SET crowd_key = $2, crowd_lots = $3, member_lots = $4, applications = $5, list_hash = $6
WHERE offering_no = $1 AND phase = 'closed' AND list_hash IS NULL`;
/** An application that failed is tried again after so long. */
const AGAIN_MS = 10 * SECOND_MS;

const STEP: Partial<Record<OfferingRecord["phase"], OfferingStep>> = {
  upcoming: "offering.opened",
  open: "offering.closed",
  closed: "offering.allotted",
  drawn: "offering.allotted",
  allotted: "offering.listed",
};

const VOIDABLE: readonly OfferingRecord["phase"][] = ["upcoming", "open", "closed", "drawn"];

/** Publishes the list of a closed offering. @returns whether there is one; without its secret there is none, and the draw will be void */
async function publishList({ db }: ClockDeps, row: OfferingRecord): Promise<boolean> {
  const list = await listAtClose(db, row);
  if (!list) return false;
  await query(db.kysely, PUBLISH_LIST, [row.offering_no, list.crowdKey, list.crowdLots, list.memberLots, list.applications, list.listHash]);
  return true;
}

async function draw({ db, sequencer, now, report }: ClockDeps, row: OfferingRecord): Promise<void> {
  if (isTooLate(row, now())) return sequencer.submit(moveOffering(row, "offering.voided"));
  const held = await holdDraw(db, row);
  if (!held) report?.(new Error(`the draw of offering ${row.offering_no} is void: its secret or its list is not the published one`));
  const { payAfterSeconds } = sequencer.rules.of(0).offering;
  await sequencer.submit(held ? moveOffering(row, "offering.drawn", { held, payAfterSeconds }) : moveOffering(row, "offering.voided"));
}

/** Gives back what all applications of an offering hold that are not delivered. @returns how many failed */
async function giveBackToAll(deps: ClockDeps, offeringNo: string): Promise<number> {
  let failed = 0;
  for (const where of ["subscribing", "won", "undelivered"] as const) {
    failed += await eachSubscription(deps, offeringNo, where, giveAllBack);
  }
  return failed;
}

/** Whether an offering goes on with its market. The raising of a fund decides on its own. */
const isOffered = ({ venue, now }: ClockDeps, row: OfferingRecord): boolean => row.kind === "fund" || isOfMarket(row, venue, now());

/** What is due with the rights of a capital increase after its close, and with what was bought. @returns how many failed */
async function serveHolders(deps: ClockDeps, row: OfferingRecord): Promise<number> {
  const { offering_no: offeringNo, phase } = row;
  if (phase !== "closed" && phase !== "allotted" && phase !== "listed") return 0;
  if (!isOffered(deps, row)) return phase === "closed" ? 0 : giveBackToAll(deps, offeringNo);
  const failed = await settleRights(deps, row);
  return deps.now() < row.allotted_at ? failed : failed + (await eachSubscription(deps, offeringNo, "undelivered", deliver, 1));
}

/** What is due with the applications of an offering that is drawn or void. @returns how many failed */
async function serveMembers(deps: ClockDeps, row: OfferingRecord): Promise<number> {
  const { offering_no: offeringNo, phase } = row;
  if (phase === "void") return (await giveBackToAll(deps, offeringNo)) + (await settleRights(deps, row));
  if (row.kind === "increase") return serveHolders(deps, row);
  if (phase !== "drawn" && phase !== "allotted" && phase !== "listed") return 0;
  if (!isOffered(deps, row)) return phase === "drawn" ? 0 : giveBackToAll(deps, offeringNo);
  let failed = await eachSubscription(deps, offeringNo, "subscribing", tellResult);
  if (deps.now() < row.payable_until && deps.now() >= remindAt(row))
    failed += await eachSubscription(deps, offeringNo, "unreminded", remind);
  if (deps.now() >= row.payable_until) failed += await eachSubscription(deps, offeringNo, "won", collect);
  if (deps.now() >= row.allotted_at) failed += await eachSubscription(deps, offeringNo, "undelivered", deliver, 1);
  return failed;
}

/** Settles the price that nobody has set when the window should open: of the auction that is over, else, where its issue is gone, void. */
async function settlePrice(deps: ClockDeps, row: OfferingRecord): Promise<boolean> {
  const { db, venue, sequencer, now } = deps;
  if (row.kind === "increase") return setIncreasePrice(deps, row);
  if (venue.issue(row.code)) return db.transaction((tx) => takeAuctionPrice(tx, venue, row, now()));
  await sequencer.submit(moveOffering(row, "offering.voided"));
  return true;
}

/** Takes one step of an offering. @returns whether there may be another */
async function step(deps: ClockDeps, row: OfferingRecord): Promise<boolean> {
  if (!isOffered(deps, row) && VOIDABLE.includes(row.phase)) {
    await deps.sequencer.submit(moveOffering(row, "offering.voided"));
    return true;
  }
  if (row.phase === "upcoming" && row.price === null && deps.now() >= (row.ex_at ?? row.opens_at)) return settlePrice(deps, row);
  if (row.phase === "open") await sendReminders(deps, row);
  if (row.phase === "closed" && isDrawn(row.kind) && row.list_hash === null && (await publishList(deps, row))) return true;
  if (!isDue(row, deps.now())) return false;
  const type = STEP[row.phase];
  if (row.phase === "closed" && isDrawn(row.kind)) await draw(deps, row);
  else if (type) await deps.sequencer.submit(moveOffering(row, type));
  return true;
}

/** Moves one offering as far as it is due. @returns when to look at it again */
async function moveOn(deps: ClockDeps, offeringNo: string): Promise<number> {
  for (;;) {
    // The time before the look: a moment that passes meanwhile is still to come, and is not missed.
    const at = deps.now();
    const [row] = await query<OfferingRecord>(deps.db.kysely, ONE, [offeringNo]);
    if (!row) return Number.POSITIVE_INFINITY;
    const failed = await serveMembers(deps, row);
    if (await step(deps, row)) continue;
    const next = nextMoment(row, at);
    return failed > 0 || next <= at ? at + AGAIN_MS : next;
  }
}

/** Makes a clock. `isStopped`: whether to go on with no other offering. @returns one tick of it, which announces what is new and does what is due */
export function offeringClock(deps: ClockDeps, isStopped = (): boolean => false): () => Promise<void> {
  const { db, now, report } = deps;
  const known = new Set<string>();
  /** When to look at each offering again. Before that a tick costs nothing. */
  const due = new Map<string, number>();
  let isStarted = false;
  const follow = async (): Promise<void> => {
    const rows = await query<{ offering_no: string }>(db.kysely, MOVING, []);
    for (const { offering_no } of rows) if (!due.has(offering_no)) due.set(offering_no, 0);
    isStarted = true;
  };
  return async () => {
    const before = known.size;
    await announceOfferings(deps, known, now());
    if (known.size > before || !isStarted) await follow();
    for (const [offeringNo, at] of due) {
      if (isStopped()) return;
      if (now() < at) continue;
      // One that fails does not stop the others.
      const next = await moveOn(deps, offeringNo).catch((error: unknown) => {
        report?.(error);
        return now() + SECOND_MS;
      });
      if (next === Number.POSITIVE_INFINITY) due.delete(offeringNo);
      else due.set(offeringNo, next);
    }
  };
}

/** Starts the clock. @returns a function that stops it, and resolves when it is at rest */
export function startOfferingClock(deps: ClockDeps): () => Promise<void> {
  let isStopped = false;
  const { repeat = every, report } = deps;
  const keepUp = extendPayments(deps);
  const tick = offeringClock(deps, () => isStopped);
  const run = async (): Promise<void> => {
    await keepUp();
    await tick();
  };
  const stopTicking = repeat(SECOND_MS, run, report);
  return () => {
    isStopped = true;
    return stopTicking();
  };
}
