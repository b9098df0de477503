/** Evaluates price alerts on every market change and fires each due alert exactly once. */
import { fireAlert } from "./alerts-in-batch.ts";
import type { Database } from "#server/db/database.ts";
import type { AlertRegistry, WaitingAlert } from "./alert-registry.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { PriceRanges } from "#server/trading/triggers/price-range.ts";
import type { ReadPriceRange } from "#server/trading/triggers/price-range.ts";

export interface AlertMonitorDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  alerts: AlertRegistry;
  /** Epoch milliseconds. */
  now: () => number;
  /** Receives errors; the affected alerts are looked at again later. */
  report?: ((error: unknown) => void) | undefined;
}

/** Alerts submitted to the sequencer at once; bounds how long an order that arrives meanwhile waits. */
const MAX_IN_FLIGHT = 64;

async function load({ db, venue, alerts }: AlertMonitorDeps): Promise<void> {
  const waiting = await db.kysely
    .selectFrom("alert")
    .select(["id", "member_id", "code", "kind", "level"])
    .where("status", "=", "waiting")
    .orderBy("set_at")
    .execute();
  for (const { id, member_id, code, kind, level } of waiting) {
    const instrument = venue.instrument(code);
    if (instrument) alerts.put({ id, memberId: member_id, row: instrument.row, kind, level });
  }
}

/**
 * Loads the waiting alerts and starts evaluating them.
 * @returns a function that stops it; alerts already submitted are finished by the sequencer
 */
export async function startAlertMonitor(deps: AlertMonitorDeps): Promise<() => void> {
  const { venue, sequencer, alerts, now } = deps;
  const ranges = new PriceRanges({ tape: (row, after, limit) => venue.publicTape(row, after, limit) });
  let stopped = false;
  /** Whether rows may have changed without being evaluated: before the first pass, and while the market was closed or stale. */
  let missedChanges = true;

  /** Goes through the sequencer, so that all facts of a member are in one order. */
  const fire = (alert: WaitingAlert, price: number): Promise<void> =>
    sequencer
      .submit({
        memberIds: [alert.memberId],
        alertIds: [alert.id],
        decide: (batch) => fireAlert(batch, alert, price > 0 ? price : null),
      })
      .catch((error: unknown) => {
        deps.report?.(error);
        alerts.put(alert);
      });

  const fireAll = async (due: readonly WaitingAlert[], range: ReadPriceRange): Promise<void> => {
    for (let from = 0; from < due.length; from += MAX_IN_FLIGHT) {
      // Alerts left at shutdown are still `waiting` in the database.
      if (stopped) return;
      await Promise.all(due.slice(from, from + MAX_IN_FLIGHT).map((alert) => fire(alert, range(alert.kind).last)));
    }
  };

  /** Evaluates rows against their current prices, if the market is open and its prices are fresh. */
  const evaluate = (rows: Iterable<number>): void => {
    if (alerts.size === 0) return;
    const at = now();
    if (venue.phase(at) !== "open" || !venue.fresh(at)) {
      missedChanges = true;
      return;
    }
    const wanted = missedChanges ? alerts.rows() : rows;
    missedChanges = false;
    let since: number | null = null;
    for (const row of wanted) {
      if (!alerts.watches(row)) continue;
      const quote = venue.publicQuote(row);
      since ??= venue.state(at).opensAt;
      // A row unchanged since the open still has an earlier day's price.
      if (quote.at < since) continue;
      const range = ranges.look(quote, since);
      void fireAll(alerts.takeDue(row, range), range);
    }
  };

  await load(deps);
  const stops = [
    alerts.onAdd((row, first) => {
      if (first) ranges.begin(row);
      evaluate([row]);
    }),
    venue.onChange(evaluate),
    venue.onPhase((phase) => {
      if (phase === "open") evaluate(alerts.rows());
    }),
  ];
  evaluate(alerts.rows());
  return () => {
    stopped = true;
    for (const stop of stops) stop();
  };
}
