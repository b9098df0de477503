/** The member's commands of securities lending, each decided on rows read under the member's lock. */
import type { Body } from "#contract/endpoints.ts";
import { demandRate, mostLendingRate, RATE_STEP } from "#contract/lending-fee.ts";
import type { Instrument } from "#contract/instrument.ts";
import { grouped, price, worth } from "#contract/kernel/money.ts";
import type { Cents, Price } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { LendingRecord } from "#server/records/lending.ts";
import { freeLots, lendingsIn, lentRefusal, openLending, stepLending, withdrawOffer } from "#server/trading/clearing/lendings-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { isMinorIn } from "#server/trading/sequencer/of-age.ts";
import { isOriginLocked } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";
import type { DemandListing } from "#server/venue/venue.ts";
import { readSigned } from "./agreements.ts";

const SHORTED = `SELECT DISTINCT code FROM "order"
WHERE member_id = $1 AND direction = 'fall' AND status IN ('pending', 'holding', 'readyToClose')`;
const TAKE = `INSERT INTO lending_demand (demand_id, lots, taken, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (demand_id) DO UPDATE SET taken = lending_demand.taken + excluded.taken`;
const CENTS = 100;

/** Codes that the member sells short, as of the batch's beginning. */
const shorted = new SharedRows<string[]>(async (tx, _batch, memberId) =>
  (await query<{ code: string }>(tx, SHORTED, [memberId])).map(({ code }) => code),
);
/** Lots taken of the demands that a batch has read, by all members. */
const takenIn = new WeakMap<Batch, Map<string, number>>();

const takenOf = (batch: Batch): Map<string, number> => {
  const known = takenIn.get(batch) ?? new Map<string, number>();
  takenIn.set(batch, known);
  return known;
};

/** Reads how much of a demand is taken, unless the batch knows. */
export async function readTaken(tx: Tx, batch: Batch, demandId: string): Promise<void> {
  const taken = takenOf(batch);
  if (taken.has(demandId)) return;
  const [row] = await query<{ taken: number }>(tx, "SELECT taken FROM lending_demand WHERE demand_id = $1", [demandId]);
  taken.set(demandId, row?.taken ?? 0);
}

export const leftOf = (batch: Batch, demand: DemandListing): number => demand.lots - (takenOf(batch).get(demand.demandId) ?? 0);

/** What a new offer or loan reads under the member's lock. */
export interface LendingReads {
  nextId: number;
  agreements: "lending"[];
  shorted: string[];
}

export async function prepareLending(tx: Tx, batch: Batch, memberId: number): Promise<LendingReads> {
  const [number] = await query<{ id: number }>(tx, "SELECT nextval('lending_no') AS id");
  if (!number) throw new Error("no number for a loan of shares");
  const signed = (await readSigned(tx, memberId)).some(({ kind }) => kind === "lending");
  return { nextId: number.id, agreements: signed ? ["lending"] : [], shorted: await shorted.read(tx, batch, memberId) };
}

/** The highest rate at which a member's shares are lent now. */
export const mostRateOf = (batch: Pick<Batch, "rules" | "at">, memberId: number, instrument: Instrument): number =>
  mostLendingRate(batch.rules.for(memberId, instrument, batch.at).borrowPerMillion, batch.rules.of(memberId).lending);

/** Whether the member sells the code short, or has just ordered to. */
const isShort = (batch: Batch, memberId: number, code: string, before: readonly string[]): boolean =>
  before.includes(code) ||
  batch
    .ordersOfMember(memberId)
    .some((one) => one.code === code && one.direction === "fall" && one.status !== "closed" && one.status !== "cancelled");

/** The lots and what they are worth at the latest close, checked in the order of the endpoint's list. */
function checkShares(
  batch: Batch,
  memberId: number,
  { orderNo, lots }: { orderNo: string; lots: number },
  reads: LendingReads,
): { order: OrderRecord; instrument: Instrument; close: Price; value: Cents } {
  const order = batch.order(memberId, orderNo);
  if (!order) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "orderNo");
  if (order.status !== "holding") throw new Refusal("TRD_ORDER_NOT_HOLDING", {}, "orderNo");
  if (order.locked) throw new Refusal("TRD_POSITION_LOCKED", {}, "orderNo");
  const instrument = batch.venue.instrument(order.code);
  // Shares that secure a loan of the broker are not the member's to lend; borrowers take whole lots.
  const own = order.direction === "rise" && order.funding === "cash" && !order.day_trade && !isOriginLocked(order, batch.at);
  if (!instrument?.shortable || !own || order.lot_shares !== instrument.lotShares || instrument.lotShares === 1)
    throw new Refusal("TRD_LEND_INELIGIBLE", {}, "orderNo");
  if (isShort(batch, memberId, order.code, reads.shorted)) throw new Refusal("TRD_LEND_SHORT", {}, "orderNo");
  if (lots > order.filled_lots - order.closed_lots) throw new Refusal("TRD_SELL_EXCEEDS", {}, "lots");
  if (lots > freeLots(order)) throw lentRefusal(order, "lots");
  const close = batch.venue.previousClose(instrument.row);
  if (close <= 0) throw new Refusal("TRD_STOCK_PRICE_UNAVAILABLE", {}, "orderNo");
  return { order, instrument, close: price(close), value: worth(price(close), lots * order.lot_shares) };
}

function newRow(
  batch: Batch,
  order: OrderRecord,
  lots: number,
  id: number,
  terms: Pick<LendingRecord, "rate_per_million" | "days" | "notice_days" | "reference_price" | "value_cents">,
): LendingRecord {
  return {
    lending_no: `Q${id}`,
    id,
    member_id: order.member_id,
    order_no: order.order_no,
    code: order.code,
    status: "offered",
    lots,
    lot_shares: order.lot_shares,
    ...terms,
    broker_per_million: batch.rules.of(order.member_id).lending.brokerPerMillion,
    demand_id: null,
    offered_at: batch.at,
    started_at: null,
    due_day: null,
    fee_day: batch.venue.feeDay(batch.at),
    recalled_at: null,
    ended_at: null,
    reason: null,
    fee_cents: 0,
    paid_cents: 0,
    version: 0,
  };
}

/** Gives offered lots to a borrower, at the borrower's rate: it is never below the offer's. */
export function lendTo(batch: Batch, row: LendingRecord, demand: DemandListing, rate: number): void {
  const day = batch.venue.feeDay(batch.at);
  row.rate_per_million = rate;
  row.notice_days = demand.noticeDays;
  row.demand_id = demand.demandId;
  row.started_at = batch.at;
  row.fee_day = day;
  row.due_day = day + row.days;
  const taken = takenOf(batch);
  taken.set(demand.demandId, (taken.get(demand.demandId) ?? 0) + row.lots);
  const values = [demand.demandId, demand.lots, row.lots, batch.at];
  batch.deferWrite(async (tx) => {
    await query(tx, TAKE, values);
  });
}

function checkMember(batch: Batch, memberId: number, { agreements }: LendingReads): void {
  checkEligible("lend", { ...batch.member(memberId), minor: isMinorIn(batch, memberId), agreements });
}

/** Lends to a borrower. @throws Refusal one of `lendShares`'s */
export function lend(batch: Batch, memberId: number, body: Body<"lendShares">, reads: LendingReads): LendingRecord {
  checkMember(batch, memberId, reads);
  const demand = batch.venue.lending.demand(body.demandId, batch.at);
  const shares = checkDemand(batch, memberId, body, demand, reads);
  const { order, instrument, close, value } = shares;
  const { days, noticeDays } = shares.demand;
  const rate = demandRate(mostRateOf(batch, memberId, instrument), shares.demand.partPerMille);
  const terms = { rate_per_million: rate, days, notice_days: noticeDays, reference_price: close, value_cents: value };
  const row = newRow(batch, order, body.lots, reads.nextId, terms);
  openLending(batch, order, row);
  lendTo(batch, row, shares.demand, rate);
  stepLending(batch, row, "lending.lent");
  return row;
}

function checkDemand(batch: Batch, memberId: number, body: Body<"lendShares">, demand: DemandListing | null, reads: LendingReads) {
  if (!demand) throw new Refusal("TRD_LEND_CLOSED", {}, "demandId");
  const shares = checkShares(batch, memberId, body, reads);
  if (shares.instrument.row !== demand.row) throw new Refusal("TRD_LEND_INELIGIBLE", {}, "orderNo");
  if (body.lots > leftOf(batch, demand)) throw new Refusal("TRD_LEND_QUOTA_FULL", {}, "lots");
  if (shares.value < demand.minimumCents) throw new Refusal("TRD_LEND_MIN", { n: grouped(String(demand.minimumCents / CENTS)) }, "lots");
  return { ...shares, demand };
}

/** Offers at a rate of the member's own. @throws Refusal one of `offerShares`'s */
export function offer(batch: Batch, memberId: number, body: Body<"offerShares">, reads: LendingReads): LendingRecord {
  checkMember(batch, memberId, reads);
  if (!batch.venue.lending.isOpen(batch.at)) throw new Refusal("TRD_LEND_CLOSED");
  const { order, instrument, close, value } = checkShares(batch, memberId, body, reads);
  const most = mostRateOf(batch, memberId, instrument);
  if (body.ratePerMillion < RATE_STEP || body.ratePerMillion > most || body.ratePerMillion % RATE_STEP !== 0)
    throw new Refusal("VAL_LEND_RATE", { n: most / 10_000 }, "ratePerMillion");
  const { noticeDays } = batch.rules.of(memberId).lending;
  const terms = {
    rate_per_million: body.ratePerMillion,
    days: body.days,
    notice_days: noticeDays,
    reference_price: close,
    value_cents: value,
  };
  const row = newRow(batch, order, body.lots, reads.nextId, terms);
  openLending(batch, order, row);
  stepLending(batch, row, "lending.offered");
  return row;
}

function ownRow(batch: Batch, memberId: number, lendingNo: string): LendingRecord {
  const row = lendingsIn(batch).row(memberId, lendingNo);
  if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "lendingNo");
  return row;
}

/** Withdraws an offer. @throws Refusal GEN_NOT_FOUND, TRD_LEND_NOT_OFFERED */
export function withdraw(batch: Batch, memberId: number, lendingNo: string): LendingRecord {
  const row = ownRow(batch, memberId, lendingNo);
  const order = batch.order(memberId, row.order_no);
  if (row.status !== "offered" || !order) throw new Refusal("TRD_LEND_NOT_OFFERED", {}, "lendingNo");
  withdrawOffer(batch, order, row);
  return row;
}

/** Recalls lent shares. @throws Refusal GEN_NOT_FOUND, TRD_LEND_NOT_LENT */
export function recall(batch: Batch, memberId: number, lendingNo: string): LendingRecord {
  const row = ownRow(batch, memberId, lendingNo);
  if (row.status !== "inProgress" || row.due_day === null) throw new Refusal("TRD_LEND_NOT_LENT", {}, "lendingNo");
  row.due_day = Math.min(row.due_day, batch.venue.feeDay(batch.at) + row.notice_days);
  row.recalled_at = batch.at;
  stepLending(batch, row, "lending.recalled");
  return row;
}
