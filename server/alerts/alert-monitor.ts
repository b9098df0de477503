/** Price alerts meet the market: whenever a row changes, those of its alerts whose moment has come fire, each once. */
import { fireAlert } from "./alerts-in-batch.ts";
import type { Database } from "#server/db/database.ts";
import type { AlertRegistry, WaitingAlert } from "./alert-index.ts";
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
  /** Told of faults; the alerts concerned are judged again at their row's next change. */
  report?: ((error: unknown) => void) | undefined;
}

/** So many stand in the counter's line at once; orders that come meanwhile wait for no more. */
const MAX_TOGETHER = 64;

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
 * Load what waits, and begin to judge.
 * @returns how to stop; what is firing is finished by the counter
 */
export async function startAlertMonitor(deps: AlertMonitorDeps): Promise<() => void> {
  const { venue, sequencer, alerts, now } = deps;
  const sights = new PriceRanges(venue);
  let stopped = false;
  /** Whether rows have changed that were not judged: before the first look, and while the market was closed or silent. */
  let behind = true;

  /** In the line of all commands: what a member is told stays in one order, whoever tells it. */
  const fire = (alert: WaitingAlert, price: number): Promise<void> =>
    sequencer
      .submit({
        memberIds: [alert.memberId],
        alertIds: [alert.id],
        decide: (batch) => fireAlert(batch, alert.memberId, alert.id, price > 0 ? price : null),
      })
      .catch((error: unknown) => {
        deps.report?.(error);
        alerts.put(alert);
      });

  const fireAll = async (due: readonly WaitingAlert[], sight: ReadPriceRange): Promise<void> => {
    for (let from = 0; from < due.length; from += MAX_TOGETHER) {
      // Those left when the house closes still wait in its books.
      if (stopped) return;
      await Promise.all(due.slice(from, from + MAX_TOGETHER).map((alert) => fire(alert, sight(alert.kind).last)));
    }
  };

  /** Judge rows by what they are now, if that is a price of an open, living market. */
  const judge = (rows: Iterable<number>): void => {
    if (alerts.size === 0) return;
    const at = now();
    if (venue.phase(at) !== "open" || !venue.fresh(at)) {
      behind = true;
      return;
    }
    const wanted = behind ? alerts.rows() : rows;
    behind = false;
    let since: number | null = null;
    for (const row of wanted) {
      if (!alerts.watches(row)) continue;
      const quote = venue.quote(row);
      since ??= venue.state(at).opensAt;
      // Of a row that has not changed since the market opened there is only an older day's price.
      if (quote.at < since) continue;
      const sight = sights.look(quote, since);
      void fireAll(alerts.takeDue(row, sight), sight);
    }
  };

  await load(deps);
  const stops = [
    alerts.onAdd((row, first) => {
      if (first) sights.begin(row);
      judge([row]);
    }),
    venue.onChange(judge),
    venue.onPhase((phase) => {
      if (phase === "open") judge(alerts.rows());
    }),
  ];
  judge(alerts.rows());
  return () => {
    stopped = true;
    for (const stop of stops) stop();
  };
}
