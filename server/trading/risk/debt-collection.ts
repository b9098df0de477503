/** Sells positions of a member who owes the broker money, until the proceeds have paid the debt. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { valuationOf } from "#server/trading/clearing/valuation.ts";
import { holdingsOf } from "#server/trading/clearing/holdings-in-batch.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import type { Venue } from "#server/venue/venue.ts";
import { every } from "#server/kernel/every.ts";
import { isSellable, isForceClosing, forceClose, submitForcedClose } from "./forced-close.ts";

export interface DebtCollectionDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports errors; the member concerned is checked again at the next change. */
  report?: ((error: unknown) => void) | undefined;
}

/** How often debtors whose positions do not change are checked: money may have come from elsewhere. */
const LOOK_EVERY_MS = MINUTE_MS;

/** A member with a debt, and the rows of their positions. */
interface Debtor {
  rows: Set<number>;
  queued: boolean;
  /** Something changed during the check. */
  missed: boolean;
}

/** The proceeds of closing a position, including its collateral. */
const equityOf = (order: OrderRecord, venue: Venue): number => valuationOf(order, venue, 0).net + order.collateral_cents;

/**
 * The position to sell for a debt: the smallest that pays it, so that the member keeps as much as possible; if none does, the largest. A
 * resting sale is not counted, because it may not be filled.
 */
export function nextToSell(orders: readonly OrderRecord[], owedCents: number, venue: Venue, at: number): OrderRecord | undefined {
  const worthwhile = orders
    .filter((order) => !isForceClosing(order) && isSellable(order, venue, at))
    .map((order) => ({ order, equity: equityOf(order, venue) }))
    .filter(({ equity }) => equity > 0)
    .toSorted((a, b) => a.equity - b.equity || (a.order.order_no < b.order.order_no ? -1 : 1));
  return (worthwhile.find(({ equity }) => equity >= owedCents) ?? worthwhile.at(-1))?.order;
}

/**
 * Loads the members with debts and starts collecting.
 * @returns a function that stops it; sales in progress are finished by the sequencer
 */
export async function startDebtCollection(deps: DebtCollectionDeps): Promise<() => void> {
  const { db, venue, sequencer, now } = deps;
  const debtors = new Map<number, Debtor>();
  let stopped = false;

  const sellFor = async (memberId: number, debtor: Debtor): Promise<void> => {
    const orders = await holdingsOf(db.kysely, [memberId]);
    const { debt, unsettled } = await readBalances(db.kysely, memberId);
    debtor.rows = new Set(orders.flatMap((order) => venue.instrument(order.code)?.row ?? []));
    if (debt === 0) debtors.delete(memberId);
    // Unsettled money pays on its settlement day and cannot be spent before.
    const owedCents = 0 - debt - unsettled;
    const due = owedCents > 0 && venue.phase(now()) === "open" ? nextToSell(orders, owedCents, venue, now()) : undefined;
    if (!due) return;
    await submitForcedClose(sequencer, due, (batch, order) => {
      if (batch.ledger.debt(memberId).owed > batch.ledger.balance(memberId, "unsettled")) forceClose(batch, order, "debt");
    });
  };

  const look = async (memberId: number): Promise<void> => {
    const debtor = debtors.get(memberId);
    if (!debtor || stopped) return;
    if (debtor.queued) {
      debtor.missed = true;
      return;
    }
    debtor.queued = true;
    debtor.missed = false;
    await sellFor(memberId, debtor).catch((error: unknown) => (stopped ? undefined : deps.report?.(error)));
    debtor.queued = false;
    if (debtor.missed) void look(memberId);
  };

  const owes = (memberId: number): void => {
    if (!debtors.has(memberId)) debtors.set(memberId, { rows: new Set(), queued: false, missed: false });
    void look(memberId);
  };

  const onRound = (batch: Batch): void => {
    // Only for changes: a batch without any would trigger the next one endlessly.
    for (const memberId of new Set(batch.facts.map((one) => one.memberId))) {
      if (batch.ledger.debt(memberId).owed > 0) owes(memberId);
    }
  };

  const onChange = (changed: readonly number[]): void => {
    for (const [memberId, { rows }] of debtors) if (changed.some((row) => rows.has(row))) void look(memberId);
  };

  const lookAtAll = (): Promise<unknown> => Promise.all([...debtors.keys()].map(look));
  const stops = [sequencer.onBatch(onRound), venue.onChange(onChange), venue.onPhase(() => void lookAtAll())];
  const owing = await query<{ member_id: number }>(db.kysely, "SELECT member_id FROM pocket WHERE watched AND kind = 'debt'");
  for (const { member_id } of owing) owes(member_id);
  stops.push(every(LOOK_EVERY_MS, lookAtAll, deps.report));
  return () => {
    stopped = true;
    for (const stop of stops) stop();
  };
}
