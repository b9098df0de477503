/**
 * One day of a run: what its rule wants is bought and sold with ordinary orders, in the transaction that writes that the day is decided. Sales
 * go first. What could not be traded is wanted again the next day.
 */
import type { Instrument } from "#contract/instrument.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { price, worth } from "#contract/kernel/money.ts";
import type { RunOmission } from "#contract/strategy.ts";
import { missingFor } from "#contract/eligibility.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { RunRecord } from "#server/records/strategy.ts";
import { cashPurchase } from "#server/trading/order-entry/cash-purchase.ts";
import { limitPriceOf } from "#server/trading/order-entry/limit-price.ts";
import { placeOrder } from "#server/trading/order-entry/place.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { derivedRequestId } from "#server/trading/sequencer/derived-request-id.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { isByCalls, isTrading } from "#server/venue/venue.ts";
import { sellableLots, sellAll, sellLots } from "./run-sale.ts";
import { addTrade, openRuns, runIn, stepRun } from "./runs-in-batch.ts";
import type { Wanted } from "./rules.ts";
import { lotsOf } from "./sizing.ts";

/** A position that a run bought. */
export interface RunPosition {
  run_no: string;
  member_id: number;
  order_no: string;
  code: string;
}

/** The day of a run that is to be decided. */
export interface DueDay {
  run_no: string;
  member_id: number;
  day: number;
  wanted: Wanted;
  positions: readonly RunPosition[];
  /** Until then the round waits for an instrument that does not trade yet. */
  waitsUntil: number;
}

/** How long after the opening a call auction or a halt is waited for. */
export const WAITS_MS = 30 * MINUTE_MS;

const INVESTED = `SELECT coalesce(sum(open_cents * (filled_lots - closed_lots) / filled_lots), 0)::bigint AS cost,
  coalesce(sum(profit_cents), 0)::bigint AS profit
FROM strategy_trade AS trade JOIN "order" USING (order_no) WHERE trade.run_no = $1 AND trade.side = 'buy'`;

/** Whether an instrument trades now; one under disposition does by calls, for which only sales wait. */
const isTraded = ({ venue, at }: Batch, { row }: Instrument): boolean => isTrading(venue, row, at) && venue.fresh(at, row);

/** What a refusal of a purchase means for the run. */
function omissionOf(code: string): RunOmission {
  if (code === "FUND_DEBT_UNPAID") return "debt";
  if (code.startsWith("FUND_")) return "money";
  return code.startsWith("ACC_") || code.startsWith("RSK_") ? "restricted" : "untradable";
}

/** An instrument of which a run wants another part, in thousandths of its amount, than it was brought to. */
interface Change {
  code: string;
  perMille: number;
  instrument: Instrument | undefined;
}

/** What a change takes. */
interface Size {
  /** The board lots to buy, or with a minus to sell. */
  lots: number;
  /** What a purchase is limited to; null without a price. */
  limit: number | null;
  /** Whether the part is less than a lot: it is recorded as one that was left out. */
  isTooSmall: boolean;
}

class Round {
  readonly #batch: Batch;
  readonly #row: RunRecord;
  readonly #due: DueDay;
  /** What the run has realised, in cents. */
  readonly #profit: number;
  /** What may still be spent, in cents. */
  #left: number;
  /** The part of the amount, in thousandths, that each instrument was last brought to. */
  readonly #reached: Map<string, number>;

  constructor(batch: Batch, row: RunRecord, due: DueDay, { cost, profit }: { cost: number; profit: number }) {
    this.#batch = batch;
    this.#row = row;
    this.#due = due;
    this.#profit = profit;
    this.#left = row.amount_cents + Math.min(0, profit) - cost;
    this.#reached = new Map(Object.entries(row.wanted ?? {}));
  }

  #changes(): Change[] {
    const { wanted } = this.#due;
    return [...new Set([...wanted.keys(), ...this.#reached.keys(), ...this.#due.positions.map(({ code }) => code)])]
      .map((code) => ({ code, perMille: wanted.get(code) ?? 0, instrument: this.#batch.venue.instrument(code) }))
      .filter(({ code, perMille }) => perMille !== this.#reached.get(code));
  }

  #orders(code: string): OrderRecord[] {
    return this.#due.positions.flatMap((position) => {
      const order = position.code === code ? this.#batch.order(position.member_id, position.order_no) : undefined;
      return order && order.filled_lots > order.closed_lots ? [order] : [];
    });
  }

  /** Board lots that the run holds of an instrument. */
  #held(code: string, { lotShares }: Instrument): number {
    return Math.floor(
      this.#orders(code).reduce((sum, order) => sum + (order.filled_lots - order.closed_lots) * order.lot_shares, 0) / lotShares,
    );
  }

  /** Whether something has to be traded that does not trade yet, so that the round should wait. */
  #mustWait(): boolean {
    if (this.#batch.at >= this.#due.waitsUntil) return false;
    return this.#changes().some(({ instrument }) => instrument !== undefined && !isTraded(this.#batch, instrument));
  }

  /** Decides the day, unless the market or the round waits. */
  decide(): void {
    if (this.#batch.venue.phase(this.#batch.at) !== "open" || this.#mustWait()) return;
    const changes = this.#changes().map((change) => ({ ...change, ...this.#sizeOf(change) }));
    for (const { code, instrument, perMille, lots } of changes)
      if (instrument && lots <= 0 && (perMille === 0 ? this.#leave(code, instrument) : this.#reduce(code, instrument, -lots)))
        this.#reached.set(code, perMille);
    for (const { code, instrument, perMille, ...size } of changes)
      if (size.lots > 0 && this.#increase(code, instrument, size)) this.#reached.set(code, perMille);
    this.#row.wanted = Object.fromEntries(this.#reached);
    this.#row.decided_day = this.#due.day;
    this.#row.decided_at = this.#batch.at;
    stepRun(this.#batch, this.#row, "strategy.decided");
  }

  #sizeOf({ code, perMille, instrument }: Change): Size {
    if (!instrument) return { lots: 0, limit: null, isTooSmall: false };
    const { limitPerMillion } = this.#batch.rules.of(this.#row.member_id).strategy;
    const limit = limitPriceOf(this.#batch.venue, instrument, limitPerMillion, this.#batch.at);
    const held = this.#held(code, instrument);
    if (perMille === 0) return { lots: -held, limit, isTooSmall: false };
    if (limit === null) return { lots: 0, limit, isTooSmall: false };
    const lots = lotsOf(perMille, this.#row.amount_cents, this.#profit, worth(price(limit), instrument.lotShares));
    const isTooSmall = lots === 0 && held === 0;
    return { lots: isTooSmall ? 1 : lots - held, limit, isTooSmall };
  }

  /** Sells everything. @returns whether all of it went to the market */
  #leave(code: string, instrument: Instrument): boolean {
    return this.#orders(code)
      .map((order) => sellAll(this.#batch, this.#row, order, instrument))
      .every((gone) => gone === "all");
  }

  /** Sells the oldest first. @returns whether all of it went to the market */
  #reduce(code: string, instrument: Instrument, lots: number): boolean {
    let left = lots;
    for (const order of this.#orders(code)) {
      if (left === 0) break;
      const units = instrument.lotShares / order.lot_shares;
      const some = Math.min(left, Math.floor(sellableLots(this.#batch, order, instrument) / units));
      if (some > 0 && sellLots(this.#batch, this.#row, order, instrument, some * units)) left -= some;
    }
    return left === 0;
  }

  #leaveOut(code: string, lots: number, omission: RunOmission): boolean {
    addTrade(this.#batch, this.#row, { side: "buy", code, wanted_lots: lots, lots: 0, order_no: null, left_out: omission });
    return false;
  }

  /** Buys at the market up to the limit. @returns whether anything was got */
  #increase(code: string, instrument: Instrument | undefined, { lots, limit, isTooSmall }: Size): boolean {
    const { member_id: memberId, run_no: runNo, version } = this.#row;
    if (!instrument || limit === null || !isTraded(this.#batch, instrument)) return this.#leaveOut(code, lots, "untradable");
    if (isByCalls(this.#batch.venue, instrument.row, this.#batch.at)) return this.#leaveOut(code, lots, "calls");
    const debtCents = this.#batch.ledger.debt(memberId).owed;
    if (debtCents > 0) return this.#leaveOut(code, lots, "debt");
    if (missingFor("trade", { ...this.#batch.member(memberId), debtCents }).length > 0) return this.#leaveOut(code, lots, "restricted");
    if (isTooSmall) return this.#leaveOut(code, lots, "tooSmall");
    const lotCents = worth(price(limit), instrument.lotShares);
    const { maxLots } = this.#batch.rules.for(memberId, instrument, this.#batch.at);
    const most = Math.min(lots, maxLots, Math.floor(this.#left / lotCents));
    if (most <= 0) return this.#leaveOut(code, lots, "amount");
    // A run that is resumed decides the same day once more.
    const requestId = derivedRequestId("strategy", runNo, version, code);
    const ticket = {
      requestId,
      code: instrument.code,
      pricing: "limit",
      price: price(limit),
      lots: most,
      market: "board",
      validity: "ioc",
    } as const;
    try {
      const order = placeOrder(this.#batch, memberId, cashPurchase(ticket), "strategy");
      if (order.filled_lots === 0) return this.#leaveOut(code, most, "thin");
      this.#left -= order.open_cents;
      const { filled_lots: filled, order_no: orderNo } = order;
      addTrade(this.#batch, this.#row, { side: "buy", code, wanted_lots: most, lots: filled, order_no: orderNo, left_out: null });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#leaveOut(code, most, omissionOf(error.code));
    }
  }
}

/** Decides a day of a run, once. */
export function strategyRound(due: DueDay): QueuedCommand<void> {
  const { member_id: memberId, run_no: runNo, wanted, positions } = due;
  let invested = { cost: 0, profit: 0 };
  return {
    memberIds: [memberId],
    orderNos: positions.map(({ order_no: orderNo }) => orderNo),
    placements: wanted.size + positions.length,
    counterparties: (batch) => {
      if (!batch) return [];
      const codes = new Set([...wanted.keys(), ...positions.map(({ code }) => code)]);
      return [...codes].flatMap((code) => {
        const instrument = batch.venue.instrument(code);
        const lots = batch.rules.of(memberId).trade.maxLots;
        return instrument ? (["buy", "sell"] as const).map((side) => ({ row: instrument.row, side, limit: null, lots, memberId })) : [];
      });
    },
    prepare: async (tx, batch) => {
      await openRuns.read(tx, batch, memberId);
      const [sums] = await query<{ cost: number; profit: number }>(tx, INVESTED, [runNo]);
      invested = sums ?? invested;
    },
    decide: (batch) => {
      const row = runIn(batch, memberId, runNo);
      if (row?.status === "running" && row.decided_day !== due.day) new Round(batch, row, due, invested).decide();
    },
  };
}
