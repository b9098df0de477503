/**
 * One purchase of a mentor, copied to all followers in one round: each is admitted as an ordinary order of its member; together they trade
 * once, get one average price, and share what there was pro rata, with the largest remainder and a drawn order among equals.
 */
import type { CopyOmission, CopyValuation } from "#contract/copy.ts";
import { needOf } from "#contract/fee.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { RequestId } from "#contract/kernel/id.ts";
import { price, worth } from "#contract/kernel/money.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { proRata } from "#contract/pro-rata.ts";
import { MILLION, termsOf } from "#contract/rule.ts";
import { tickSize } from "#contract/tick.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { CopyPartRecord, CopyRecord } from "#server/records/copy.ts";
import { fillOrder } from "#server/trading/clearing/fills.ts";
import { tradeTogether } from "#server/trading/matching-engine/continuous.ts";
import type { SharedExecution } from "#server/trading/matching-engine/continuous.ts";
import { cashPurchase } from "#server/trading/order-entry/cash-purchase.ts";
import { acceptOrder, checkPlacement } from "#server/trading/order-entry/place.ts";
import type { Placement } from "#server/trading/order-entry/place.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { derivedRequestId } from "#server/trading/sequencer/derived-request-id.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { isByCalls } from "#server/venue/venue.ts";
import { copiesIn, stepCopy } from "./copies-in-batch.ts";
import { copyValuations, heldByCopies, isBeyondStop, markOf } from "./held-value.ts";
import type { HeldSum } from "./held-value.ts";

/** What one order of a mentor traded in one moment and was not decided yet. */
export interface Act {
  mentor_no: string;
  /** The mentor's account. */
  member_id: number;
  capital_cents: number;
  order_no: string;
  from_n: number;
  to_n: number;
  at: number;
  side: "open" | "close";
  code: string;
  lots: number;
  lot_shares: number;
  /** The sum of lots × price. */
  value: number;
  copyable: boolean;
}

const DECIDED = "SELECT FROM copy_act WHERE order_no = $1 AND from_n = $2";
const HELD = `SELECT filled_lots - closed_lots AS keep, filled_lots AS "of" FROM "order" WHERE order_no = $1`;
const ACT = "INSERT INTO copy_act (order_no, from_n, to_n, mentor_no, at, decided_at) VALUES ($1, $2, $3, $4, $5, $6)";
const LEAD = `INSERT INTO copy_lead (order_no, mentor_no, keep_lots, of_lots) VALUES ($1, $2, $3, $4)
ON CONFLICT (order_no) DO UPDATE SET keep_lots = excluded.keep_lots, of_lots = excluded.of_lots`;
const SOLD = "UPDATE copy_lead SET keep_lots = $2, of_lots = $3, sold_price = $4 WHERE order_no = $1";

/** What all copies have bought of an instrument since a moment, in shares. */
const BOUGHT = "SELECT coalesce(sum(shares), 0)::bigint AS shares FROM copy_part WHERE side = 'buy' AND code = $1 AND at >= $2";

/** The average price of an act. */
export const mentorPriceOf = ({ value, lots }: Pick<Act, "value" | "lots">): number => Math.round(value / lots);

/** The highest price of a copy: so far above the mentor's, on a tick, within the day's limits. */
function limitOf({ venue, at }: Pick<Batch, "venue" | "at">, { kind, row }: Instrument, act: Act, slipPerMillion: number): number {
  const most = Math.floor((mentorPriceOf(act) * (MILLION + slipPerMillion)) / MILLION);
  const tick = tickSize(kind, most);
  return Math.min(Math.floor(most / tick) * tick, venue.limits(row, at)?.up ?? most);
}

/** The lots that copies may still buy in this session: a part of what has traded or of a usual day, less what they have bought of it. */
function roomOf(
  { venue, rules }: Pick<Batch, "venue" | "rules">,
  act: Act,
  { row, lotShares }: Instrument,
  { bought, usual }: { bought: number; usual: number },
): number {
  const most = Math.floor((Math.max(usual, venue.quote(row).volume) * rules.of(act.member_id).copy.volumePerMillion) / MILLION);
  return Math.max(0, most - Math.ceil(bought / lotShares));
}

/** What a refusal of a copy means to its member. */
function omissionOf(code: string): CopyOmission {
  if (code === "FUND_DEBT_UNPAID") return "debt";
  if (code.startsWith("FUND_")) return "money";
  if (code.startsWith("ACC_") || code.startsWith("RSK_")) return "restricted";
  return code === "TRD_CONTRACT_MIN" ? "tooSmall" : "untradable";
}

/** One follower's part of the act. */
interface Wish {
  row: CopyRecord;
  requestId: RequestId;
  /** In proportion to the amount. */
  wanted: number;
  /** Of those, what the amount still pays for. */
  lots: number;
  /** At its stop-loss it buys nothing more, also before it stops: that would only add costs to the loss. */
  isAtLoss: boolean;
}

/** The lots that what is left of the amount pays for, fee included. */
function affordable(
  batch: Batch,
  { member_id: memberId, amount_cents: amount }: CopyRecord,
  instrument: Instrument,
  limit: number,
  most: number,
  { costCents: cost, realisedCents: profit }: CopyValuation,
): number {
  const left = amount + Math.min(0, profit) - cost;
  const rule = batch.rules.for(memberId, instrument, batch.at);
  const terms = termsOf(rule, instrument, { market: "board", funding: "cash", leverage: 1, dayTrade: false });
  let lots = Math.min(most, rule.maxLots, Math.max(0, Math.floor(left / worth(price(limit), instrument.lotShares))));
  while (lots > 0 && needOf(terms, "rise", worth(price(limit), lots * instrument.lotShares)) > left) lots -= 1;
  return lots;
}

class Purchase {
  readonly #batch: Batch;
  readonly #act: Act;
  readonly #instrument: Instrument;
  readonly #limit: number;
  /** The most that is bought, in lots. */
  readonly #room: number;

  constructor(batch: Batch, act: Act, instrument: Instrument, bounds: { limit: number; room: number }) {
    this.#batch = batch;
    this.#act = act;
    this.#instrument = instrument;
    this.#limit = bounds.limit;
    this.#room = bounds.room;
  }

  /** Decides the act for some followers; `omitted` says why none of them buys. */
  decide(rows: readonly CopyRecord[], held: readonly HeldSum[], omitted: CopyOmission | null): void {
    const copyNos = rows.map((row) => row.copy_no);
    const valuations = copyValuations(this.#batch.venue, held, copyNos, markOf);
    const wishes = rows.flatMap((row, nth) => (valuations[nth] ? [this.#wish(row, valuations[nth])] : []));
    const admitted = wishes.filter((wish) => {
      const placement = omitted ?? this.#admit(wish);
      if (typeof placement === "string") this.#leaveOut(wish, placement);
      return typeof placement !== "string";
    });
    // Among equal remainders the first get a lot more: who is first is drawn for every act.
    const drawn = admitted.toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1));
    const total = drawn.reduce((sum, { lots }) => sum + lots, 0);
    if (total === 0) return;
    const { row } = this.#instrument;
    const traders = new Set([this.#act.member_id, ...drawn.map((wish) => wish.row.member_id)]);
    const most = Math.min(total, this.#room);
    const want = { row, side: "buy" as const, limit: price(this.#limit), lots: most };
    const got = most === 0 ? null : tradeTogether(this.#batch, this.#instrument, want, traders);
    const lack = most < total && (got?.lots ?? 0) === most ? "volume" : "thin";
    const given = proRata(
      got?.lots ?? 0,
      drawn.map(({ lots }) => lots),
    );
    // All are admitted to what they get before the first of them is booked: the orders of a batch make each check dearer.
    const placements = drawn.map((wish, nth) => ((given[nth] ?? 0) === 0 ? lack : this.#admit({ ...wish, lots: given[nth] ?? 0 })));
    for (const [nth, wish] of drawn.entries()) {
      const placement = placements[nth] ?? lack;
      if (!got || typeof placement === "string") this.#leaveOut(wish, typeof placement === "string" ? placement : lack);
      else this.#buy(wish, placement, got);
    }
  }

  #wish(row: CopyRecord, valuation: CopyValuation): Wish {
    const { lots, lot_shares: lotShares, capital_cents: capital } = this.#act;
    const shares = Number((BigInt(lots * lotShares) * BigInt(row.amount_cents)) / BigInt(capital));
    const wanted = Math.floor(shares / this.#instrument.lotShares);
    const most = affordable(this.#batch, row, this.#instrument, this.#limit, wanted, valuation);
    return {
      row,
      requestId: derivedRequestId("copy", this.#act.order_no, this.#act.from_n, row.copy_no),
      wanted,
      lots: most,
      isAtLoss: isBeyondStop(row, valuation),
    };
  }

  /** Runs all checks of a placement for a follower's lots. */
  #admit({ row, requestId, wanted, lots, isAtLoss }: Wish): Placement | CopyOmission {
    if (isAtLoss) return "stop";
    if (wanted === 0) return "tooSmall";
    if (lots === 0) return "amount";
    try {
      const order = { requestId, code: this.#instrument.code, price: price(this.#limit), lots };
      return checkPlacement(this.#batch, row.member_id, cashPurchase({ ...order, pricing: "limit", market: "board", validity: "ioc" }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return omissionOf(error.code);
    }
  }

  #buy(wish: Wish, placement: Placement, { average, best }: SharedExecution): void {
    const { row } = wish;
    const { lots } = placement.body;
    const order = acceptOrder(this.#batch, row.member_id, placement, "copy");
    fillOrder(this.#batch, order, [{ price: price(average), lots, level: 0, best: price(best), reason: "shared" }]);
    const shares = lots * this.#instrument.lotShares;
    const slippage = worth(price(average), shares) - worth(price(mentorPriceOf(this.#act)), shares);
    row.copied += 1;
    row.slippage_cents += slippage;
    this.#tell(wish, { shares, price: average, order_no: order.order_no, left_out: null, slippage_cents: slippage });
  }

  #leaveOut(wish: Wish, omission: CopyOmission): void {
    wish.row.left_out += 1;
    this.#tell(wish, { shares: 0, price: null, order_no: null, left_out: omission, slippage_cents: 0 });
  }

  #tell({ row, wanted }: Wish, outcome: Pick<CopyPartRecord, "shares" | "price" | "order_no" | "left_out" | "slippage_cents">): void {
    const { order_no: leadNo, from_n: fromN, code } = this.#act;
    copiesIn(this.#batch).addPart(this.#batch, {
      copy_no: row.copy_no,
      member_id: row.member_id,
      lead_no: leadNo,
      from_n: fromN,
      side: "buy",
      at: this.#batch.at,
      code,
      mentor_price: mentorPriceOf(this.#act),
      wanted_shares: wanted * this.#instrument.lotShares,
      ...outcome,
    });
    stepCopy(this.#batch, row, "copy.copied");
  }
}

/** Writes that an act is decided, and how much of its order the mentor still holds. */
function conclude(batch: Batch, act: Act, { keep, of }: { keep: number; of: number }): void {
  batch.deferWrite(async (tx) => {
    await query(tx, ACT, [act.order_no, act.from_n, act.to_n, act.mentor_no, act.at, batch.at]);
    if (act.side === "close") await query(tx, SOLD, [act.order_no, keep, of, mentorPriceOf(act)]);
    else if (act.copyable) await query(tx, LEAD, [act.order_no, act.mentor_no, keep, of]);
  });
}

const isLate = (act: Act, { at, rules }: Pick<Batch, "at" | "rules">): boolean =>
  at - act.at > rules.of(act.member_id).copy.lateSeconds * SECOND_MS;

/**
 * Whether a purchase may be waited for: its instrument is in a call, halted, or without fresh prices, and it is not late yet. None is of a stock
 * that is traded by calls alone: it would always be late.
 */
export function mustWait(act: Act, { venue, at, rules }: Pick<Batch, "venue" | "at" | "rules">): boolean {
  const instrument = venue.instrument(act.code);
  if (act.side === "close" || !act.copyable || !instrument || isLate(act, { at, rules })) return false;
  if (isByCalls(venue, instrument.row, at)) return false;
  return venue.matching(instrument.row, at) !== "continuous" || !venue.fresh(at, instrument.row);
}

/**
 * Decides an act, once, in one batch for all followers: a purchase is copied. Of a sale it is written how much the mentor still holds; the
 * copies are sold by `saleRound`, which does not end before they are. `hasWaited`: its instrument did not trade when it was looked at before;
 * `usual`: the lots that trade on a usual day.
 */
export function actRound(
  act: Act,
  followerIds: readonly number[],
  { hasWaited, usual }: { hasWaited: boolean; usual: number },
): QueuedCommand<void> {
  const buys = act.side === "open" && act.copyable;
  const memberIds = buys ? followerIds : [];
  let isDecided = false;
  let held = { keep: 0, of: 1 };
  let sums: HeldSum[] = [];
  let bought = 0;
  return {
    memberIds: [...memberIds],
    placements: memberIds.length,
    counterparties: (batch) => {
      const instrument = batch?.venue.instrument(act.code);
      if (!batch || !instrument) return [];
      const limit = limitOf(batch, instrument, act, batch.rules.of(act.member_id).copy.slipPerMillion);
      return memberIds.map((memberId) => ({ row: instrument.row, side: "buy" as const, limit, lots: act.lots, memberId }));
    },
    prepare: async (tx: Tx, batch) => {
      isDecided = (await query(tx, DECIDED, [act.order_no, act.from_n])).length > 0;
      const [row] = await query<{ keep: number; of: number }>(tx, HELD, [act.order_no]);
      held = row ?? held;
      await copiesIn(batch).read(tx, memberIds);
      const copyNos = copiesIn(batch)
        .followersOf(act.mentor_no)
        .map((copy) => copy.copy_no);
      const [before] = await query<{ shares: number }>(tx, BOUGHT, [act.code, batch.venue.state(batch.at).opensAt]);
      bought = before?.shares ?? 0;
      sums = await heldByCopies(tx, memberIds.length === 0 ? [] : copyNos);
    },
    decide: (batch) => {
      if (isDecided) return;
      const instrument = batch.venue.instrument(act.code);
      if (buys && instrument) {
        const limit = limitOf(batch, instrument, act, batch.rules.of(act.member_id).copy.slipPerMillion);
        const rows = copiesIn(batch)
          .followersOf(act.mentor_no)
          .filter((row) => row.status === "following" && row.copies_from <= act.at && row.until_at > batch.at);
        const tooLate = isLate(act, batch) ? (hasWaited ? "halted" : "late") : null;
        // What the mentor has sold meanwhile is not bought any more.
        new Purchase(batch, act, instrument, { limit, room: roomOf(batch, act, instrument, { bought, usual }) }).decide(
          rows,
          sums,
          held.keep === 0 ? "sold" : isByCalls(batch.venue, instrument.row, batch.at) ? "calls" : tooLate,
        );
      }
      conclude(batch, act, held);
    },
  };
}
