/**
 * Covers shorts before a register closes: members are told days ahead, and what they have not covered near the end of the last day the broker
 * buys back at market, then and on the days after it.
 */
import { formatDate, SECOND_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import { leaveNotice } from "#server/records/notice.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { squareOffAt } from "#server/trading/order-entry/day-trade-cutoff.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { tradingDayFrom } from "#server/venue/calendar/trading-calendar.ts";
import { coverWindowAt, coverWindows } from "#server/trading/order-entry/cover-windows.ts";
import { forceClose, isForceClosing, isSellable, submitForcedClose } from "./forced-close.ts";

export interface ShortCoverDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Runs the checks; tests run them by hand. */
  repeat?: typeof every | undefined;
  /** Reports errors; the position concerned is checked again a moment later. */
  report?: ((error: unknown) => void) | undefined;
}

const CHECK_EVERY_MS = SECOND_MS;
const TELL_EVERY_MS = 30 * SECOND_MS;

const isOpen = ({ status }: OrderRecord): boolean => status !== "closed" && status !== "cancelled";

/** Tells whether the broker may now cover a short whose day has come. What still sells more is due at once: on that day no short is opened. */
function isDue({ venue, sequencer }: ShortCoverDeps, { code, member_id: memberId, status }: OrderRecord, at: number): boolean {
  const row = venue.instrument(code)?.row;
  const rule = sequencer.rules.of(memberId).shortCover;
  const window = row === undefined ? null : coverWindowAt(venue, rule, row, at);
  if (!window) return false;
  if (status === "pending") return true;
  if (taipeiDay(venue.state(at).opensAt) > window.lastDay) return true;
  const coverAt = squareOffAt(venue, at, rule.coverSeconds);
  return coverAt !== null && at >= coverAt;
}

/** Tells whether anything can be done about a short now: an order to sell more is cancelled at any time, a position covered in trading. */
function canBeCovered(order: OrderRecord, venue: Venue, at: number): boolean {
  return !isForceClosing(order) && (order.status === "pending" || isSellable(order, venue, at));
}

/** Cancels what an order still sells, or covers what it sold. A position that is left by the first is covered in its turn. */
function cover(batch: Batch, order: OrderRecord): void {
  if (order.status === "pending") cancelRest(batch, order, "broker");
  else forceClose(batch, order, "shortCover");
}

const TELL = "INSERT INTO cover_notice (member_id, code, last_day) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING member_id";

class ShortCover {
  readonly #deps: ShortCoverDeps;
  readonly #open = new Map<string, OrderRecord>();
  /** What was told since the start, so that the database is not asked again and again. */
  readonly #told = new Set<string>();

  constructor(deps: ShortCoverDeps) {
    this.#deps = deps;
  }

  follow(orders: readonly OrderRecord[]): void {
    for (const order of orders) {
      if (order.direction === "fall" && isOpen(order)) this.#open.set(order.order_no, order);
      else this.#open.delete(order.order_no);
    }
  }

  /** Covers what is due. */
  async coverAll(): Promise<void> {
    const { venue, sequencer, now, report } = this.#deps;
    const at = now();
    const due = [...this.#open.values()].filter((order) => canBeCovered(order, venue, at) && isDue(this.#deps, order, at));
    // An order that was filled meanwhile is a position, which may be due later.
    const decide = (batch: Batch, order: OrderRecord): void => void (isDue(this.#deps, order, batch.at) && cover(batch, order));
    await Promise.all(due.map((order) => submitForcedClose(sequencer, order, decide).catch((error: unknown) => report?.(error))));
  }

  /** Tells members about the last days to cover that are near, each once. */
  async tellAll(): Promise<void> {
    const { venue, sequencer, now } = this.#deps;
    const at = now();
    const today = taipeiDay(venue.state(at).opensAt);
    for (const { member_id: memberId, code, filled_lots: filled, closed_lots: closed } of this.#open.values()) {
      const row = venue.instrument(code)?.row;
      if (row === undefined || filled <= closed) continue;
      const rule = sequencer.rules.of(memberId).shortCover;
      for (const { lastDay } of coverWindows(venue, rule, at).get(row) ?? []) {
        if (lastDay >= today && tradingDayFrom(lastDay, -rule.noticeDays) <= today) await this.#tell(memberId, code, lastDay, at);
      }
    }
  }

  async #tell(memberId: number, code: string, lastDay: number, at: number): Promise<void> {
    const key = `${memberId} ${code} ${lastDay}`;
    if (this.#told.has(key)) return;
    await this.#deps.db.transaction(async (tx) => {
      const fresh = await query(tx, TELL, [memberId, code, lastDay]);
      const values = { code, day: formatDate(taipeiMidnight(lastDay)) };
      if (fresh.length > 0) await leaveNotice(tx, memberId, at, { about: "coverDue", values });
    });
    this.#told.add(key);
  }
}

/**
 * Loads the open shorts, and checks them every second.
 * @returns a function that stops it
 */
export async function startShortCover(deps: ShortCoverDeps): Promise<() => Promise<void>> {
  const { db, sequencer, report, repeat = every } = deps;
  const shorts = new ShortCover(deps);
  const unfollow = sequencer.onOrders((orders) => shorts.follow(orders));
  const statuses = ["pending", "holding", "readyToClose"] as const;
  shorts.follow(await db.kysely.selectFrom("order").selectAll().where("direction", "=", "fall").where("status", "in", statuses).execute());
  await shorts.tellAll();
  const stops = [repeat(CHECK_EVERY_MS, () => shorts.coverAll(), report), repeat(TELL_EVERY_MS, () => shorts.tellAll(), report)];
  return async () => {
    unfollow();
    await Promise.all(stops.map((stop) => stop()));
  };
}
