/** The clock of futures and options: before a day's first decision positions are settled for the day before, expired ones for good, and margin is called for. */
import { lowerLots } from "#contract/futures-price.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { eachPart, startEachFeeDay } from "#server/trading/clearing/fee-day.ts";
import type { FeeDayDeps } from "#server/trading/clearing/fee-day.ts";
import { inParts } from "#server/trading/sequencer/queued-command.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import { putNotice, takeMessageNo } from "#server/accounts/notice.ts";
import {
  closeAll,
  futuresOf,
  heldOf,
  markPosition,
  readFutures,
  setHeld,
  stepFutures,
  takeFuturesNo,
} from "#server/trading/futures/futures-in-batch.ts";
import { closesBetween, dividendsBetween, finalPrice, indexLevels, settledBefore } from "#server/trading/futures/contracts.ts";
import { contractsOf, marginIn } from "#server/trading/futures/margin.ts";
import { nextOptionDay, prepareOptionDay } from "#server/accounts/options/option-day.ts";
import { call, restore } from "./margin-call.ts";
import { beginDay } from "./settlement-days.ts";
import type { SettlementNumbers, SettlementPrices } from "./settlement-days.ts";

export interface FuturesClockDeps extends FeeDayDeps {
  db: Database;
}

const HELD = `(SELECT member_id, mark_day, expiry_day, expiry_opens_at, expiry_closes_at FROM futures_position WHERE status IN ('open', 'called')
UNION ALL SELECT member_id, mark_day, expiry_day, expiry_opens_at, expiry_closes_at FROM option_position WHERE status IN ('open', 'called'))`;
const DUE = `SELECT member_id, min(mark_day)::integer AS since FROM ${HELD} AS held WHERE mark_day < $1 GROUP BY member_id ORDER BY member_id`;
const EXPIRED = `SELECT DISTINCT expiry_day, expiry_opens_at, expiry_closes_at FROM ${HELD} AS held WHERE expiry_day < $1`;

/** Settles an expired position for good. */
function settle(batch: Batch, row: FuturesRecord, price: number, [tradeNo, messageNo]: readonly [number, number]): void {
  const { code } = row;
  closeAll(batch, row, price, "settlement", tradeNo);
  const notice = { about: "futuresSettled" as const, values: { code, price: String(price) } };
  stepFutures(batch, row, "futures.settled", putNotice(batch, row.member_id, messageNo, notice));
}

/** The next day of a member's futures: how many had one, and whether days between were missed. */
function nextFuturesDay(batch: Batch, memberId: number, day: number, prices: SettlementPrices, numbers: SettlementNumbers) {
  return beginDay(futuresOf(batch, memberId), day, prices, numbers, {
    adjust: (row, points) => setHeld(row, lowerLots(heldOf(row), points)),
    mark: (row, settlement) => markPosition(batch, row, settledBefore(settlement.close, row.expiry_day, settlement.day)),
    marked: (row) => stepFutures(batch, row, "futures.marked"),
    settle: (row, final, taken) => settle(batch, row, final, taken),
  });
}

/** Calls for margin, or ends a call, by what the settlement has left. A call whose day was missed lasts for this one: nobody could meet it. */
function reviewMargin(batch: Batch, memberId: number, day: number, messageNo: number, missed: boolean): void {
  const { futures, options } = contractsOf(batch, memberId);
  const open = [...futures, ...options];
  if (open.length === 0) return;
  if (missed) for (const row of open) if (row.called_day !== null) row.called_day = day;
  const { initialCents, maintenanceCents } = marginIn(batch, memberId);
  // By the settlement prices alone: what the new day has moved counts from its end on.
  const wallet = batch.ledger.balance(memberId, "futures");
  if (wallet >= initialCents) restore(batch, memberId);
  else if (wallet < maintenanceCents) call(batch, memberId, day, messageNo, initialCents - wallet);
}

/** The next day of some members. */
function nextDayOf(memberIds: readonly number[], day: number, prices: SettlementPrices): QueuedCommand<void> {
  const numbers: SettlementNumbers = new Map();
  const callNos = new Map<number, number>();
  return {
    memberIds: [...memberIds],
    prepare: async (tx, batch) => {
      for (const memberId of memberIds) {
        await readFutures(tx, batch, memberId);
        callNos.set(memberId, await takeMessageNo(tx));
        for (const row of futuresOf(batch, memberId))
          if (row.expiry_day < day) numbers.set(row.position_no, [await takeFuturesNo(tx), await takeMessageNo(tx)]);
        await prepareOptionDay(tx, batch, memberId, day, numbers);
      }
    },
    decide: (batch) => {
      for (const memberId of memberIds) {
        const futures = nextFuturesDay(batch, memberId, day, prices, numbers);
        const options = nextOptionDay(batch, memberId, day, prices, numbers);
        if (futures.count + options.count > 0)
          reviewMargin(batch, memberId, day, callNos.get(memberId) ?? 0, futures.missed || options.missed);
      }
    },
  };
}

/** Registers the settlement with the sequencer: who trades in the first moment of a day has paid for the one before. @returns a function that stops it */
export function startFuturesClock(deps: FuturesClockDeps): Promise<() => void> {
  const { db, venue } = deps;
  return startEachFeeDay(deps, async (day, serve) => {
    const waiting = await query<{ member_id: number; since: number }>(db.kysely, DUE, [day]);
    const due = waiting.map(({ member_id: memberId }) => memberId);
    const index = due.length > 0 ? indexLevels(venue) : null;
    // Without an index nothing is settled; the days are settled with the next one.
    if (!index) return;
    const since = Math.min(...waiting.map((one) => one.since));
    const known = async <Item>(asked: Promise<Item[]>): Promise<Item[]> =>
      asked.catch((error: unknown) => {
        deps.report?.(error);
        return [];
      });
    const missed = await known(closesBetween(venue, since, day, deps.now()));
    const daily = [...missed.map(({ begins, close }) => ({ day: begins, close })), { day, close: index.close }];
    const final = new Map<number, number>();
    const expired = await query<{ expiry_day: number; expiry_opens_at: number; expiry_closes_at: number }>(db.kysely, EXPIRED, [day]);
    for (const { expiry_day: expiryDay, expiry_opens_at: opensAt, expiry_closes_at: closesAt } of expired) {
      // The close of its own day where that is known: the index may have moved for days since.
      const close = daily.find((settlement) => settlement.day > expiryDay)?.close ?? index.close;
      // What has no price yet is settled with the next day: everybody else's day must begin.
      const price = await finalPrice(venue, { opensAt, closesAt }, close).catch((error: unknown) => deps.report?.(error));
      if (typeof price === "number") final.set(expiryDay, price);
    }
    const dividends = [...(await known(dividendsBetween(venue, since, day))), { day, points: index.dividend }];
    const prices = { daily, dividends, final };
    await eachPart(inParts(due), (some) => serve(nextDayOf(some, day, prices)), deps.report);
  });
}
