/** Handlers of self-imposed risk limits: stricter limits apply at once, looser ones from the next day. */
import type { Answer } from "#contract/endpoints.ts";
import { cents } from "#contract/kernel/money.ts";
import { HOUR_MS, MINUTE_MS, epochMs, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Handlers } from "./handler.ts";
import { lockMember } from "#server/db/member-lock.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { futuresToday } from "#server/trading/futures/futures-value.ts";
import { optionsToday } from "#server/trading/futures/option-value.ts";
import { valuationOf } from "#server/trading/clearing/valuation.ts";
import { limitsAt } from "#server/trading/order-entry/risk-check.ts";
import type { Easing } from "#server/trading/order-entry/risk-check.ts";
import { holdingsOf } from "#server/trading/clearing/holdings-in-batch.ts";

export interface RiskHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Pick<Sequencer, "countCommand">;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Lock time of the shared demo member: long enough to try the lock, short enough not to block other visitors. */
const SHARED_LOCK_MS = 5 * MINUTE_MS;

/** Tells whether a limit is looser than another; null (no limit) is the loosest. */
const isLooser = (wanted: number | null, current: number | null): boolean => current !== null && (wanted === null || wanted > current);

const centsOrNull = (amount: number | null) => (amount === null ? null : cents(amount));

async function traderOf(tx: Tx, memberId: number) {
  const columns = [
    "max_order_cents",
    "daily_loss_cents",
    "slide_above_cents",
    "locked_until",
    "easing",
    "profit_day",
    "day_profit_cents",
  ] as const;
  const row = await tx.selectFrom("trader").select(columns).where("member_id", "=", memberId).executeTakeFirstOrThrow();
  return { ...row, easing: row.easing as Easing | null };
}

async function readRisk(tx: Tx, { venue, now }: RiskHandlerDeps, memberId: number): Promise<Answer<"readRisk">> {
  const at = now();
  const trader = await traderOf(tx, memberId);
  const { maxOrderCents, dailyLossCents } = limitsAt(trader, at);
  const { easing, slide_above_cents: slideAbove, locked_until: lockedUntil } = trader;
  const day = taipeiDay(at);
  const realised = trader.profit_day === day ? trader.day_profit_cents : 0;
  const midnight = taipeiMidnight(day);
  const futures = await futuresToday(tx, venue, memberId, at);
  const options = await optionsToday(tx, venue, memberId, at);
  const held = await holdingsOf(tx, [memberId]);
  const profit = held.reduce((sum, order) => sum + valuationOf(order, venue, midnight).today, realised + futures + options);
  return {
    maxOrderCents: centsOrNull(maxOrderCents),
    dailyLossCents: centsOrNull(dailyLossCents),
    lockedUntil: lockedUntil !== null && at < lockedUntil ? epochMs(lockedUntil) : null,
    slideAboveCents: centsOrNull(slideAbove),
    easing:
      easing && at < easing.at
        ? { maxOrderCents: centsOrNull(easing.maxOrderCents), dailyLossCents: centsOrNull(easing.dailyLossCents), at: epochMs(easing.at) }
        : null,
    lossCents: cents(Math.max(0, -profit)),
  };
}

export function riskHandlers(deps: RiskHandlerDeps): Pick<Handlers, "readRisk" | "setRisk" | "lockTrading"> {
  const { db, sequencer, now } = deps;
  return {
    readRisk: ({ caller: { memberId } }) =>
      db.transaction(async (tx) => {
        // One snapshot for all reads: otherwise a close between two of them would be counted as realised and open, or as neither.
        await query(tx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        return readRisk(tx, deps, memberId);
      }),
    async setRisk({ caller: { memberId, shared } }, body) {
      sequencer.countCommand(memberId);
      return db.transaction(async (tx) => {
        // Under the lock that every order takes, so that no order is checked against half of the change.
        await lockMember(tx, memberId);
        const at = now();
        const current = limitsAt(await traderOf(tx, memberId), at);
        const personal = shared !== true;
        const wait =
          personal && (isLooser(body.maxOrderCents, current.maxOrderCents) || isLooser(body.dailyLossCents, current.dailyLossCents));
        const easing: Easing = {
          maxOrderCents: body.maxOrderCents,
          dailyLossCents: body.dailyLossCents,
          // If that is not a trading day, nothing can be opened before the next one anyway.
          at: taipeiMidnight(taipeiDay(at) + 1),
        };
        const kept = (wanted: number | null, before: number | null): number | null =>
          personal && isLooser(wanted, before) ? before : wanted;
        await tx
          .updateTable("trader")
          .set({
            max_order_cents: kept(body.maxOrderCents, current.maxOrderCents),
            daily_loss_cents: kept(body.dailyLossCents, current.dailyLossCents),
            slide_above_cents: body.slideAboveCents,
            easing: wait ? JSON.stringify(easing) : null,
          })
          .where("member_id", "=", memberId)
          .execute();
        return readRisk(tx, deps, memberId);
      });
    },
    async lockTrading({ caller: { memberId, shared } }, { hours }) {
      sequencer.countCommand(memberId);
      return db.transaction(async (tx) => {
        await lockMember(tx, memberId);
        const until = now() + (shared ? SHARED_LOCK_MS : hours * HOUR_MS);
        const { locked_until: before } = await traderOf(tx, memberId);
        if ((before ?? 0) < until) await tx.updateTable("trader").set({ locked_until: until }).where("member_id", "=", memberId).execute();
        return readRisk(tx, deps, memberId);
      });
    },
  };
}
