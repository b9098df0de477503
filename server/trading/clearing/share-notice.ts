/** Tells who holds a share that it is split or pays a stock dividend: some trading days before the ex-date, and when it has happened. */
import { grouped } from "#contract/kernel/money.ts";
import { formatDate, SECOND_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import { leaveNotice } from "#server/records/notice.ts";
import { tradingDayFrom } from "#server/venue/calendar/trading-calendar.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface ShareNoticeDeps {
  db: Database;
  venue: Venue;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Runs the checks; tests run them by hand. */
  repeat?: typeof every | undefined;
  /** Reports errors; the members concerned are told a moment later. */
  report?: ((error: unknown) => void) | undefined;
}

const TELL_EVERY_MS = 30 * SECOND_MS;
/** From how many trading days before the ex-date holders are told. */
const NOTICE_DAYS = 5;
/** How many days ahead registers are looked up: more than the notice, with the longest holidays. */
const AHEAD_DAYS = 45;
const MILLION = 1_000_000;

const UNTOLD = `SELECT DISTINCT held.member_id AS "memberId", coming.code, coming.day, coming.free
FROM unnest($1::text[], $2::integer[], $3::integer[]) AS coming (code, day, free) JOIN "order" AS held ON held.code = coming.code
WHERE held.status IN ('pending', 'holding', 'readyToClose') AND held.filled_lots > held.closed_lots AND held.direction = 'rise'
AND NOT EXISTS (SELECT FROM share_notice AS told WHERE told.member_id = held.member_id AND told.code = coming.code AND told.ex_day = coming.day)`;
const TELL = "INSERT INTO share_notice (member_id, code, ex_day) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING member_id";

interface Coming {
  code: string;
  day: number;
  free: number;
}

/** The ex-dates near enough to be told on which shares change. */
function comingOf(venue: Venue, now: number): Coming[] {
  const today = taipeiDay(venue.state(now).opensAt);
  return venue.bookClosures(today, today + AHEAD_DAYS).flatMap(({ row, ex }): Coming[] => {
    const code = venue.instruments[row]?.code;
    if (!code || !ex || ex.freeMillionths === 0 || ex.day <= today || tradingDayFrom(ex.day, -NOTICE_DAYS) > today) return [];
    return [{ code, day: ex.day, free: ex.freeMillionths }];
  });
}

/** Tells every holder who was not told yet, each once. */
async function tellAll({ db, venue, now }: ShareNoticeDeps): Promise<void> {
  const at = now();
  const coming = comingOf(venue, at);
  if (coming.length === 0) return;
  const columns = [coming.map(({ code }) => code), coming.map(({ day }) => day), coming.map(({ free }) => free)];
  for (const { memberId, code, day, free } of await query<Coming & { memberId: number }>(db.kysely, UNTOLD, columns)) {
    const shares = grouped(String(Math.round(1000 * (1 + free / MILLION))));
    await db.transaction(async (tx) => {
      const fresh = await query(tx, TELL, [memberId, code, day]);
      const values = { code, shares, day: formatDate(taipeiMidnight(day)) };
      if (fresh.length > 0) await leaveNotice(tx, memberId, at, { about: "sharesDue", values });
    });
  }
}

/** Tells now and twice a minute. @returns a function that stops it */
export async function startShareNotices(deps: ShareNoticeDeps): Promise<() => Promise<void>> {
  await tellAll(deps);
  return (deps.repeat ?? every)(TELL_EVERY_MS, () => tellAll(deps), deps.report);
}

/** What became of a member's shares of an instrument, told once per batch, however many orders hold them. */
interface Change {
  memberId: number;
  code: string;
  before: number;
  after: number;
}

const changes = new WeakMap<Batch, Map<string, Change>>();

async function writeChanges(tx: Tx, at: number, all: Iterable<Change>): Promise<void> {
  for (const { memberId, code, before, after } of all) {
    const values = { code, before: grouped(String(before)), after: grouped(String(after)) };
    await leaveNotice(tx, memberId, at, { about: "sharesChanged", values });
  }
}

/** Adds to what the member is told when the batch is written: the shares of one order before and after an event. */
export function tellChange(batch: Batch, order: OrderRecord, before: number, after: number): void {
  const { member_id: memberId, code } = order;
  let told = changes.get(batch);
  if (!told) {
    const all = new Map<string, Change>();
    told = all;
    changes.set(batch, all);
    batch.deferWrite((tx) => writeChanges(tx, batch.at, all.values()));
  }
  const key = `${memberId} ${code}`;
  const sum = told.get(key) ?? { memberId, code, before: 0, after: 0 };
  told.set(key, { ...sum, before: sum.before + before, after: sum.after + after });
}
