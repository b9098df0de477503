/** Restates the levels of waiting price alerts on the ex-date of a split or a stock dividend, before anything fires on its prices. */
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { Instrument } from "#contract/instrument.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { toTick } from "#contract/tick.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { lockMember } from "#server/db/member-lock.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import type { AlertRecord } from "#server/records/alert.ts";
import { leaveNotice } from "#server/records/notice.ts";
import { beforeEachTradingDay } from "#server/trading/clearing/start-of-day.ts";
import type { AlertMonitorDeps } from "./alert-monitor.ts";

type Waiting = Pick<AlertRecord, "id" | "kind" | "level" | "price_day">;

/** Percentages of a day's reference need no change. */
const KINDS = "('above', 'below', 'volume')";
const CODES = `SELECT DISTINCT code FROM alert WHERE status = 'waiting' AND kind IN ${KINDS} AND price_day < $1`;
const MEMBERS = `SELECT DISTINCT member_id FROM alert WHERE code = $1 AND status = 'waiting' AND kind IN ${KINDS} AND price_day < $2 ORDER BY member_id`;
const WAITING = `SELECT id, kind, level, price_day FROM alert
WHERE member_id = $1 AND code = $2 AND status = 'waiting' AND kind IN ${KINDS} AND price_day < $3`;
const RESTATE = "UPDATE alert SET level = $3, price_day = $4 WHERE member_id = $1 AND id = $2";

const MILLION = 1_000_000;
const changesShares = ({ freeMillionths, closeBefore }: CorporateAction): boolean => freeMillionths > 0 && closeBefore > 0;

/** A level in the prices or lots after the events that it has not seen yet, the oldest first. */
function restated({ kind: what, level, price_day: day }: Waiting, { kind }: Instrument, events: readonly CorporateAction[]): number {
  return events
    .filter(({ at }) => taipeiDay(at) > day)
    .reduce((before, { reference, closeBefore, freeMillionths }) => {
      if (what === "volume") return Math.round((before * (MILLION + freeMillionths)) / MILLION);
      return toTick(kind, Math.round((before * reference) / closeBefore));
    }, level);
}

interface Subject {
  instrument: Instrument;
  /** The events that change its shares, up to the day; the oldest first. */
  events: readonly CorporateAction[];
  day: number;
}

async function restateIn(tx: Tx, memberId: number, { instrument, events, day }: Subject, at: number): Promise<Waiting[]> {
  await lockMember(tx, memberId);
  const waiting = await query<Waiting>(tx, WAITING, [memberId, instrument.code, day]);
  const due = waiting.filter(({ price_day: since }) => events.some((event) => taipeiDay(event.at) > since));
  const moved = due.map((one) => ({ ...one, level: restated(one, instrument, events) }));
  for (const { id, level } of moved) await query(tx, RESTATE, [memberId, id, level, day]);
  if (moved.length > 0)
    await leaveNotice(tx, memberId, at, { about: "alertsAdjusted", values: { code: instrument.code, n: String(moved.length) } });
  return moved;
}

/** Restates the alerts of one instrument, member by member; those in memory follow once theirs are committed. */
async function restate({ db, alerts, now }: AlertMonitorDeps, subject: Subject): Promise<void> {
  const { instrument, day } = subject;
  for (const { member_id: memberId } of await query<{ member_id: number }>(db.kysely, MEMBERS, [instrument.code, day])) {
    const moved = await db.transaction((tx) => restateIn(tx, memberId, subject, now()));
    for (const { id, kind, level } of moved) {
      alerts.remove(memberId, id);
      alerts.add({ id, memberId, row: instrument.row, kind, level });
    }
  }
}

/** Restates every alert for the events up to a trading day, those missed while the server was down included. */
async function restateAll(deps: AlertMonitorDeps, day: number): Promise<void> {
  const { db, venue, report } = deps;
  for (const { code } of await query<{ code: string }>(db.kysely, CODES, [day])) {
    const instrument = venue.instrument(code);
    if (!instrument) continue;
    try {
      const events = (await venue.actions(code)).filter((event) => changesShares(event) && taipeiDay(event.at) <= day);
      if (events.length > 0) await restate(deps, { instrument, events, day });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      // An alert is no reason to keep the market closed. Those of this instrument are restated at the next start.
      report?.(error);
    }
  }
}

/** Registers with the sequencer, after the positions. @returns a function that stops it */
export function startAlertAdjustment(deps: AlertMonitorDeps): Promise<() => void> {
  return beforeEachTradingDay(deps, (day) => restateAll(deps, day));
}
