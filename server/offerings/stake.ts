/** Stakes in a batch: the member's subscription and withdrawal, and what the clock does to them after the close. */
import { feeOf } from "#contract/fee.ts";
import { cents, formatMoney, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { OfferingRule } from "#contract/offering-kind.ts";
import type { RaiseRule } from "#contract/raise-rule.ts";
import { MOST_STAKES } from "#contract/raise.ts";
import { termsOf } from "#contract/rule.ts";
import { readSigned } from "#server/accounts/agreements.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { giveBack, reserve } from "#server/ledger/reserve.ts";
import { lotBounds, valueOf } from "#server/records/raise.ts";
import type { RaiseRecord, StakeRecord } from "#server/records/raise.ts";
import { allot } from "#server/trading/clearing/allot.ts";
import { isOpen, releaseStake, returnStake, stakesIn, stepStake } from "#server/trading/clearing/stakes-in-batch.ts";
import { checkRisk } from "#server/trading/order-entry/risk-check.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { marketName } from "#server/venue/market-name.ts";
import { numberFor } from "./commitment.ts";

/** What a subscription reads under the member's lock. */
interface StakeReads {
  nextId: number;
  agreements: "subscription"[];
  /** Null for none of that code. */
  offeringNo: string | null;
}

interface Asked {
  requestId: string;
  code: string;
  lots: number;
}

const FIND = "SELECT offering_no FROM raise JOIN offering USING (offering_no) WHERE market = $1 AND code = $2";
const CENTS = 100;

/** Reads what `subscribe` decides on. */
export async function prepareStake(tx: Tx, batch: Batch, memberId: number, code: string): Promise<StakeReads> {
  const market = marketName(batch.venue.state(batch.at));
  const [found] = await query<{ offering_no: string }>(tx, FIND, [market, code]);
  if (found) await stakesIn(batch).readOf(tx, memberId, found.offering_no);
  const [number] = await query<{ id: number }>(tx, "SELECT nextval('stake_no') AS id");
  if (!number) throw new Error("no number for a stake");
  const signed = (await readSigned(tx, memberId)).some(({ kind }) => kind === "subscription");
  return { nextId: number.id, agreements: signed ? ["subscription"] : [], offeringNo: found?.offering_no ?? null };
}

/** The handling fee of a value. */
export const raiseFee = ({ feePerMillion, feeMinimumCents }: RaiseRule, valueCents: number) =>
  feeOf({ feePerMillion, feeMinimumCents }, cents(valueCents));

/** The raising, if it takes subscriptions now. */
function openRaise(batch: Batch, offeringNo: string | null, { channels }: OfferingRule): RaiseRecord {
  const raise = offeringNo === null ? undefined : stakesIn(batch).raises.get(offeringNo);
  if (!raise) throw new Refusal("GEN_NOT_FOUND", {}, "code");
  if (!channels.includes("fund")) throw new Refusal("TRD_RAISE_ENDED", {}, "code");
  if (isOpen(raise, batch.at)) return raise;
  if (batch.at < raise.closes_at) throw new Refusal("TRD_NOT_SUBSCRIBE_TIME", {}, "code");
  throw new Refusal("TRD_RAISE_ENDED", {}, "code");
}

/** Decides a subscription. @throws Refusal one of `subscribeRaise`'s */
export function subscribe(
  batch: Batch,
  memberId: number,
  { code: _code, requestId, lots }: Asked,
  { proven, agreements, offeringNo, nextId }: StakeReads & { proven: boolean },
): StakeRecord {
  const debtCents = batch.ledger.debt(memberId).owed;
  checkEligible("subscribe", { ...batch.member(memberId), fundPassword: proven, agreements, debtCents });
  const { raise: rule, offering: offeringRule } = batch.rules.of(memberId);
  const raise = openRaise(batch, offeringNo, offeringRule);
  const { least, most } = lotBounds(raise, rule);
  if (lots < least) throw new Refusal("TRD_PRODUCT_MIN", { n: grouped(String(Math.ceil(rule.minimumCents / CENTS))) }, "lots");
  if (stakesIn(batch).timesOf(memberId, raise.offering_no) >= MOST_STAKES) throw new Refusal("GEN_LIST_FULL", { n: MOST_STAKES }, "code");
  const others = stakesIn(batch).rowsOf(memberId, raise.offering_no);
  const asked = others.reduce((sum, row) => sum + (row.status === "subscribed" ? row.lots : 0), 0);
  if (asked + lots > most) throw new Refusal("TRD_RAISE_QUOTA_INSUFFICIENT", {}, "lots");
  const value = valueOf(raise, lots);
  checkRisk(batch, memberId, value);
  const fee = raiseFee(rule, value);
  if (batch.ledger.balance(memberId, "available") < value + fee) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "lots");
  reserve(batch.ledger, memberId, value + fee);
  const row: StakeRecord = {
    stake_no: numberFor("E", { offeringNo: raise.offering_no, requestId, memberId }),
    id: nextId,
    member_id: memberId,
    offering_no: raise.offering_no,
    request_id: requestId,
    status: "subscribed",
    lots,
    allotted_lots: null,
    result_at: null,
    price: raise.price,
    value_cents: value,
    fee_cents: fee,
    reserved_cents: value + fee,
    reason: null,
    subscribed_at: batch.at,
    ended_at: null,
    order_no: null,
    version: 0,
  };
  stakesIn(batch).changed(batch, row, "stake.subscribed", null);
  return row;
}

/** Withdraws before the close. @throws Refusal one of `withdrawStake`'s */
export function withdraw(batch: Batch, memberId: number, stakeNo: string): StakeRecord {
  const row = stakesIn(batch).row(memberId, stakeNo);
  if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "stakeNo");
  if (row.status !== "subscribed") throw new Refusal("TRD_ORDER_NOT_PENDING", {}, "stakeNo");
  if (!isOpen(stakesIn(batch).raiseOf(row), batch.at)) throw new Refusal("TRD_RAISE_ENDED", {}, "stakeNo");
  releaseStake(batch, row);
  stepStake(batch, row, "stake.withdrawn", { reason: "member" });
  return row;
}

/** Whether a raising is of a market that is gone: its fund will not be listed. */
const isOtherMarket = (batch: Batch, { market }: RaiseRecord): boolean => market !== marketName(batch.venue.state(batch.at));

/** Tells what the close decided: everything is back where the raising failed or nothing was left, else the money for the rest. */
export function tellResult(batch: Batch, row: StakeRecord, messageNo: number): void {
  if (row.status !== "subscribed" || row.result_at !== null) return;
  const raise = stakesIn(batch).raiseOf(row);
  const hasFailed = raise.status === "failed";
  if (!hasFailed && row.allotted_lots === null) throw new Error(`stake ${row.stake_no} has no result`);
  row.result_at = batch.at;
  const allotted = hasFailed ? 0 : (row.allotted_lots ?? 0);
  row.allotted_lots = allotted;
  const isLost = hasFailed || isOtherMarket(batch, raise);
  if (allotted === 0 || isLost) return returnStake(batch, row, "stake.returned", isLost ? "failed" : "notAllotted", messageNo);
  row.value_cents = valueOf(raise, allotted);
  row.fee_cents = Math.min(row.fee_cents, raiseFee(batch.rules.of(row.member_id).raise, row.value_cents));
  const back = row.reserved_cents - row.value_cents - row.fee_cents;
  giveBack(batch.ledger, row.member_id, back);
  row.reserved_cents -= back;
  const values = {
    code: raise.code,
    lots: grouped(String(allotted)),
    asked: grouped(String(row.lots)),
    amount: formatMoney(back),
    day: formatDateTime(raise.trades_from),
  };
  stepStake(batch, row, "stake.allotted", { told: { messageNo, notice: { about: "stakeAllotted", values } } });
}

/** Delivers what was allotted as a position that is locked until the listing. Takes one order number. */
export function deliver(batch: Batch, row: StakeRecord, messageNo: number): void {
  if (row.status !== "subscribed" || row.result_at === null) return;
  const raise = stakesIn(batch).raiseOf(row);
  if (isOtherMarket(batch, raise)) return returnStake(batch, row, "stake.returned", "failed", messageNo);
  const instrument = batch.venue.instrument(raise.code);
  if (!instrument) throw new Error(`stake ${row.stake_no} is in ${raise.code}, which the venue does not know`);
  const choice = { market: "board", funding: "cash", leverage: 1, dayTrade: false } as const;
  const order = allot(batch, {
    memberId: row.member_id,
    requestId: row.request_id,
    instrument,
    shares: (row.allotted_lots ?? 0) * raise.lot_shares,
    price: row.price,
    feeCents: row.fee_cents,
    terms: termsOf(batch.rules.for(row.member_id, instrument, batch.at), instrument, choice),
    origin: "raise",
    lockedUntil: Math.max(raise.trades_from, batch.at),
    payFrom: "reserved",
    payTo: "issuers",
    reason: "offering",
  });
  row.order_no = order.order_no;
  row.reserved_cents = 0;
  stepStake(batch, row, "stake.delivered");
}

/** Ends a stake whose position is closed: sold, or redeemed at the end of the fund. */
export function endSold(batch: Batch, row: StakeRecord): void {
  const order = row.order_no === null ? undefined : batch.order(row.member_id, row.order_no);
  if (row.status !== "inProgress" || order?.status !== "closed") return;
  stepStake(batch, row, "stake.terminated", { reason: order.close_cause === "redemption" ? "matured" : "sold" });
}
