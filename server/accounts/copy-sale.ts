/**
 * Sales of copies: whenever the mentor holds less of an order than the copies of it do, or following is being stopped. All that is to be
 * sold of one instrument trades together at one average price, no further below the best bid than a copy may trade from its mentor: else a
 * mentor could empty a thin book and let an accomplice wait below it. What the market does not take at once stays in it at that limit, which
 * follows the market down.
 */
import { price, worth } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Instrument } from "#contract/instrument.ts";
import { proRata } from "#contract/pro-rata.ts";
import { MILLION } from "#contract/rule.ts";
import { tickSize } from "#contract/tick.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { CopyRecord } from "#server/records/copy.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { fillOrder } from "#server/trading/clearing/fills.ts";
import { freeLots, getBack } from "#server/trading/clearing/lendings-in-batch.ts";
import { tradeTogether } from "#server/trading/matching-engine/continuous.ts";
import { closeFor, enterMarket } from "#server/trading/order-entry/close.ts";
import { isForceClosing, isSellable } from "#server/trading/risk/forced-close.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { nextStatus, step } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Venue } from "#server/venue/venue.ts";
import { copiesIn, stepCopy } from "./copies-in-batch.ts";
import { markOf } from "./held-value.ts";

/** A copy of which more is held than of the mentor's order. */
export interface DueSale {
  copy_no: string;
  member_id: number;
  order_no: string;
  lead_no: string;
  code: string;
  /** The mentor's account. */
  mentor_id: number;
  /** The limit at which it is being sold already; null where it is not. */
  limit: number | null;
}

interface Lead {
  order_no: string;
  keep_lots: number;
  of_lots: number;
  sold_price: number | null;
}

const LEADS = "SELECT order_no, keep_lots, of_lots, sold_price FROM copy_lead WHERE order_no = ANY ($1::text[])";

/**
 * Copies whose share of what was bought is more than the mentor's, or that are to be sold whole. Of those being sold already only what rests at
 * a limit.
 */
export const DUE_SALES = `
SELECT part.copy_no, part.member_id, part.order_no, part.lead_no, part.code, mentor.member_id AS mentor_id,
  CASE WHEN held.close_cause = 'copy' THEN held.close_price END AS limit
FROM copy JOIN copy_part AS part USING (copy_no) JOIN mentor USING (mentor_no)
JOIN copy_lead AS lead ON lead.order_no = part.lead_no JOIN "order" AS held ON held.order_no = part.order_no
WHERE copy.status <> 'stopped' AND part.side = 'buy' AND held.status IN ('holding', 'readyToClose')
  AND held.filled_lots > held.closed_lots AND (held.status = 'holding' OR held.close_cause IN ('member', 'condition') OR (held.close_cause = 'copy' AND held.close_pricing = 'limit'))
  AND (copy.status = 'stopping' OR (held.filled_lots - held.closed_lots) * lead.of_lots::bigint > held.filled_lots * lead.keep_lots::bigint)
ORDER BY part.id`;

/** The units of a copy that stay: the mentor's part of the order, rounded down. */
function keepOf({ filled_lots: filled }: OrderRecord, { status }: CopyRecord, { keep_lots: keep, of_lots: of }: Lead): number {
  return status === "stopping" ? 0 : Math.floor((filled * keep) / of);
}

/**
 * The lowest price of a sale: so far below the best bid of the market, or below the last price where nobody bids, on a tick, within the day's
 * limits; null without a price.
 */
function floorOf(venue: Venue, code: string, slipPerMillion: number, at: number): Price | null {
  const instrument = venue.instrument(code);
  const from = instrument ? venue.quote(instrument.row).bid || markOf(venue, code) : 0;
  if (!instrument || from === 0) return null;
  const least = Math.ceil((from * (MILLION - slipPerMillion)) / MILLION);
  const tick = tickSize(instrument.kind, least);
  return price(Math.max(Math.ceil(least / tick) * tick, venue.limits(instrument.row, at)?.down ?? 0));
}

/** Whether there is something to do: what rests at a limit waits until the market has fallen below it. */
export function isSaleDue({ code, limit }: DueSale, venue: Venue, slipPerMillion: number, at: number): boolean {
  const floor = limit === null ? null : floorOf(venue, code, slipPerMillion, at);
  return limit === null || (floor !== null && floor < limit);
}

/** One order's part of a sale. */
interface Selling {
  row: CopyRecord;
  order: OrderRecord;
  lead: Lead;
  lots: number;
}

class Sale {
  readonly #batch: Batch;
  readonly #instrument: Instrument;
  /** The lowest price; null where there is none to go by. */
  readonly #floor: Price | null;

  constructor(batch: Batch, instrument: Instrument, slipPerMillion: number) {
    this.#batch = batch;
    this.#instrument = instrument;
    this.#floor = floorOf(batch.venue, instrument.code, slipPerMillion, batch.at);
  }

  /** What is to be sold of a copy now; null while it cannot be. The member's own close, at a price, makes way. */
  #selling(due: DueSale, lead: Lead): Selling | null {
    const batch = this.#batch;
    const row = copiesIn(batch).row(due.member_id, due.copy_no);
    const order = batch.order(due.member_id, due.order_no);
    if (!row || !order || row.status === "stopped" || !isSellable(order, batch.venue, batch.at)) return null;
    const lots = order.filled_lots - order.closed_lots - keepOf(order, row, lead);
    if (order.close_cause === "copy" && order.status === "readyToClose")
      return this.#floor !== null && order.close_price !== null && this.#floor < order.close_price
        ? { row, order, lead, lots: order.closing_lots }
        : null;
    if (lots <= 0 || isForceClosing(order)) return null;
    if (order.status === "readyToClose") cancelRest(batch, order, "closing");
    if (nextStatus(order.status, "order.closeRequested") === null) return null;
    if (freeLots(order) < lots) getBack(batch, order);
    return { row, order, lead, lots };
  }

  decide(some: readonly DueSale[], leads: ReadonlyMap<string, Lead>): void {
    const sellings = some.flatMap((due) => {
      const lead = leads.get(due.lead_no);
      return (lead && this.#selling(due, lead)) ?? [];
    });
    const changed = new Set<CopyRecord>();
    // An ex-event may have left units that are no lots of the board: they are closed one by one, as the broker closes any position.
    const isBoard = ({ order }: Selling): boolean => order.lot_shares === this.#instrument.lotShares;
    for (const one of sellings.filter((selling) => !isBoard(selling) && selling.lots === freeLots(selling.order)))
      if (closeFor(this.#batch, one.order, "copy")) changed.add(this.#tell(one, 0, null));
    const traders = new Set(some.flatMap((due) => [due.member_id, due.mentor_id]));
    for (const row of this.#sellTogether(sellings.filter(isBoard), traders)) changed.add(row);
    for (const row of changed) stepCopy(this.#batch, row, "copy.copied");
  }

  #sellTogether(sellings: readonly Selling[], traders: ReadonlySet<number>): CopyRecord[] {
    const total = sellings.reduce((sum, { lots }) => sum + lots, 0);
    const limit = this.#floor;
    if (total === 0 || limit === null) return [];
    const got = tradeTogether(this.#batch, this.#instrument, { row: this.#instrument.row, side: "sell", limit, lots: total }, traders);
    const given = proRata(
      got?.lots ?? 0,
      sellings.map(({ lots }) => lots),
    );
    return sellings.flatMap((selling, nth) => {
      const { order, lots } = selling;
      const isResting = order.status === "readyToClose";
      if (isResting) this.#lower(order, limit);
      else enterMarket(this.#batch, { order, lots, pricing: "limit", price: limit, market: "board", validity: "rod", cause: "copy" });
      const sold = given[nth] ?? 0;
      if (got && sold > 0) fillOrder(this.#batch, order, [{ price: got.average, lots: sold, level: 0, best: got.best, reason: "shared" }]);
      return isResting && sold === 0 ? [] : this.#tell(selling, sold, got && sold > 0 ? got.average : null);
    });
  }

  /** What rests follows the market down. */
  #lower(order: OrderRecord, limit: Price): void {
    order.close_price = limit;
    this.#batch.takeTurn(order);
    step(order, "order.amended");
    this.#batch.emitOrderFact("order.amended", order);
  }

  #tell({ row, order, lead, lots }: Selling, sold: number, average: number | null): CopyRecord {
    const mentorPrice = row.status === "stopping" ? null : lead.sold_price;
    const shares = sold * order.lot_shares;
    const slippage = mentorPrice === null || average === null ? 0 : worth(price(mentorPrice), shares) - worth(price(average), shares);
    row.slippage_cents += slippage;
    copiesIn(this.#batch).addPart(this.#batch, {
      copy_no: row.copy_no,
      member_id: row.member_id,
      lead_no: lead.order_no,
      from_n: null,
      side: "sell",
      at: this.#batch.at,
      code: order.code,
      mentor_price: mentorPrice,
      wanted_shares: lots * order.lot_shares,
      shares,
      price: average,
      order_no: order.order_no,
      left_out: null,
      slippage_cents: slippage,
    });
    return row;
  }
}

const slipOf = (rules: Batch["rules"], some: readonly DueSale[]): number => (some[0] ? rules.of(some[0].member_id).copy.slipPerMillion : 0);

/** Sells what is due of one instrument, in one batch. */
export function saleRound(code: string, some: readonly DueSale[]): QueuedCommand<void> {
  const memberIds = [...new Set(some.map((one) => one.member_id))];
  let leads = new Map<string, Lead>();
  return {
    memberIds,
    orderNos: some.map((one) => one.order_no),
    placements: some.length,
    counterparties: (batch) => {
      const instrument = batch?.venue.instrument(code);
      const limit = batch && floorOf(batch.venue, code, slipOf(batch.rules, some), batch.at);
      if (!batch || !instrument || limit === null) return [];
      return some.flatMap(({ member_id: memberId, order_no: orderNo }) => {
        const order = batch.order(memberId, orderNo);
        const lots = order ? order.filled_lots - order.closed_lots : 0;
        return lots === 0 ? [] : [{ row: instrument.row, side: "sell" as const, limit, lots, memberId }];
      });
    },
    prepare: async (tx: Tx, batch) => {
      await copiesIn(batch).read(tx, memberIds);
      const rows = await query<Lead>(tx, LEADS, [[...new Set(some.map((one) => one.lead_no))]]);
      leads = new Map(rows.map((row) => [row.order_no, row]));
    },
    decide: (batch) => {
      const instrument = batch.venue.instrument(code);
      if (instrument) new Sale(batch, instrument, slipOf(batch.rules, some)).decide(some, leads);
    },
  };
}
