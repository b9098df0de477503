/** Handler of the equity curve: account value over a span, from the timed equity snapshots, ending now. */
import type { EquityPoint, EquityCurveSpan } from "#contract/equity-curve.ts";
import { cents } from "#contract/kernel/money.ts";
import { DAY_MS, TAIPEI_OFFSET_MS, epochMs, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import { valueAccounts } from "#server/trading/clearing/account-value.ts";
import type { Handlers } from "./handler.ts";

/** One equity snapshot in cents; `paid` is the total paid in until then. */
interface Row {
  at: number;
  total: number;
  paid: number;
}

/** Calendar days per span, today included. */
const DAYS: Record<EquityCurveSpan, number> = { day: 1, week: 7, month: 31, year: 366 };
/** Spans longer than a week show one value per day, its last; the value at midnight belongs to the day that ends. */
const BY_DAY: ReadonlySet<EquityCurveSpan> = new Set<EquityCurveSpan>(["month", "year"]);

const BEFORE = `SELECT at, total_cents AS total, paid_in_cents AS paid FROM worth WHERE member_id = $1 AND at <= $2 ORDER BY at DESC LIMIT 1`;
const SINCE = `SELECT at, total_cents AS total, paid_in_cents AS paid FROM worth WHERE member_id = $1 AND at > $2 AND at < $3 ORDER BY at`;
const LAST_OF_DAYS = `
SELECT DISTINCT ON (day) at, total_cents AS total, paid_in_cents AS paid
FROM (SELECT *, (at - 1 + ${TAIPEI_OFFSET_MS}) / ${DAY_MS} AS day FROM worth WHERE member_id = $1 AND at > $2 AND at < $3) AS points
ORDER BY day, at DESC`;

const OPENED = `SELECT at FROM ledger_tx WHERE member_id = $1 ORDER BY id LIMIT 1`;

/** Adds to each value what was paid in since the previous one; 0 for the first. */
function toPoints(rows: readonly Row[]): EquityPoint[] {
  return rows.map((row, nth) => ({
    at: epochMs(row.at),
    totalCents: cents(row.total),
    paidInCents: cents(row.paid - (rows[nth - 1]?.paid ?? row.paid)),
  }));
}

export function equityCurveHandlers({ db, venue, now }: { db: Database; venue: Venue; now: () => number }): Pick<Handlers, "readCurve"> {
  return {
    readCurve: ({ caller: { memberId } }, { span }) =>
      db.transaction(async (tx) => {
        await query(tx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        const at = now();
        const from = taipeiMidnight(taipeiDay(at) - DAYS[span] + 1);
        const before = await query<Row>(tx, BEFORE, [memberId, from]);
        const since = await query<Row>(tx, BY_DAY.has(span) ? LAST_OF_DAYS : SINCE, [memberId, from, at]);
        const value = (await valueAccounts(tx, venue, memberId, at))[0];
        const current = { at, total: value?.totalCents ?? 0, paid: value?.paidInCents ?? 0 };
        // Snapshots are stored on change only, so the last value before the span still holds at its start.
        const rows = [...before.map((row) => ({ ...row, at: from })), ...since, current];
        const [first = current] = rows;
        // Traded before the first snapshot: until then the account was worth what was paid in.
        if (before.length === 0 && first.total !== first.paid) {
          const [opened] = await query<{ at: number }>(tx, OPENED, [memberId]);
          if (opened && opened.at < first.at) rows.unshift({ at: opened.at, total: first.paid, paid: first.paid });
        }
        return { points: toPoints(rows) };
      }),
  };
}
