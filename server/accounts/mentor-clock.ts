/**
 * The clock of the broker's own mentors: every few minutes each decides by its published rule, on the market's own bars, and trades from its
 * account with ordinary orders. The request id comes from the decision's time, so that a restart repeats none.
 */
import { CANDLE_FIELDS, CANDLE_STRIDE } from "#contract/candle.ts";
import type { MentorStrategy } from "#contract/copy.ts";
import type { Body } from "#contract/endpoints.ts";
import type { RequestId } from "#contract/kernel/id.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { price, worth } from "#contract/kernel/money.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { cashPurchase } from "#server/trading/order-entry/cash-purchase.ts";
import { closeOrder, queriesOfClose } from "#server/trading/order-entry/close.ts";
import { placeOrder, queriesOfPlacement } from "#server/trading/order-entry/place.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import { derivedRequestId } from "#server/trading/sequencer/derived-request-id.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { lastOf } from "./held-value.ts";
import { decideFor, DECIDE_EVERY_MS, LONG_MINUTES, MENTOR_CODES, POSITIONS } from "./mentor-strategy.ts";

/** One of the broker's own. */
interface OwnMentor {
  mentor_no: string;
  member_id: number;
  strategy: MentorStrategy;
  capital_cents: number;
}

const OWN =
  "SELECT mentor_no, member_id, strategy, capital_cents FROM mentor WHERE strategy IS NOT NULL AND removed_at IS NULL ORDER BY mentor_no";
const HELD = `SELECT * FROM "order" WHERE member_id = $1 AND status = 'holding' ORDER BY order_no`;
const TICK_MS = SECOND_MS;
const CLOSE_AT = CANDLE_FIELDS.indexOf("close");

class MentorClock {
  readonly #deps: ClockDeps;
  #slot = 0;

  constructor(deps: ClockDeps) {
    this.#deps = deps;
  }

  async tick(): Promise<void> {
    const { db, venue, now } = this.#deps;
    const at = now();
    const slot = Math.floor(at / DECIDE_EVERY_MS);
    if (slot === this.#slot || venue.phase(at) !== "open" || !venue.fresh(at)) return;
    this.#slot = slot;
    const mentors = await query<OwnMentor>(db.kysely, OWN);
    if (mentors.length === 0) return;
    const closes = await this.#closes();
    for (const mentor of mentors) await this.#decide(mentor, slot, closes);
  }

  async #closes(): Promise<Map<string, number[]>> {
    const { venue } = this.#deps;
    const known = MENTOR_CODES.filter((code) => venue.instrument(code)?.tradable);
    const closes = new Map<string, number[]>();
    for (const code of known) {
      const { bars } = await venue.candles(code, "minute", null, LONG_MINUTES);
      closes.set(
        code,
        Array.from({ length: bars.length / CANDLE_STRIDE }, (_, nth) => bars[nth * CANDLE_STRIDE + CLOSE_AT] ?? 0),
      );
    }
    return closes;
  }

  async #decide(
    { mentor_no: mentorNo, member_id: memberId, strategy, capital_cents: capital }: OwnMentor,
    slot: number,
    closes: ReadonlyMap<string, number[]>,
  ): Promise<void> {
    const { db, venue, now } = this.#deps;
    const orders = await query<OrderRecord>(db.kysely, HELD, [memberId]);
    const held = orders.map((order) => ({
      orderNo: order.order_no,
      code: order.code,
      openedAt: order.bought_at ?? order.placed_at,
      price: (order.open_cents * 100) / (order.filled_lots * order.lot_shares),
    }));
    const { sell, buy } = decideFor(strategy, { at: now(), closes, held });
    for (const orderNo of sell) {
      const order = orders.find((one) => one.order_no === orderNo);
      if (order) await this.#sell(memberId, order, derivedRequestId("mentor", mentorNo, slot, "sell", orderNo));
    }
    const instrument = buy === null ? undefined : venue.instrument(buy);
    const last = buy === null ? 0 : lastOf(venue, buy);
    if (!instrument || last === 0) return;
    const lots = Math.floor(capital / POSITIONS / worth(price(last), instrument.lotShares));
    if (lots > 0) await this.#buy(memberId, instrument.code, lots, derivedRequestId("mentor", mentorNo, slot, "buy"));
  }

  /** A refusal is the market's or the account's answer, as any member gets it: the mentor does without. */
  async #carryOut(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  #buy(memberId: number, code: Code, lots: number, requestId: RequestId): Promise<void> {
    const { venue, sequencer } = this.#deps;
    const body = cashPurchase({ requestId, code, pricing: "market", price: null, lots, market: "board", validity: "ioc" });
    return this.#carryOut(() =>
      sequencer.command({
        endpoint: "placeOrder",
        memberId,
        body,
        counterparties: (batch) => (batch ? [] : queriesOfPlacement(venue, memberId, body)),
        decide: (batch) => placeOrder(batch, memberId, body),
      }),
    );
  }

  #sell(memberId: number, order: OrderRecord, requestId: RequestId): Promise<void> {
    const lots = order.filled_lots - order.closed_lots;
    const orderNo = order.order_no as OrderNo;
    const body: Body<"closeOrder"> = { requestId, orderNo, lots, pricing: "market", price: null, validity: "rod", fixed: false };
    return this.#carryOut(() =>
      this.#deps.sequencer.command({
        endpoint: "closeOrder",
        memberId,
        body,
        counterparties: (batch) => queriesOfClose(batch, memberId, body),
        decide: (batch) => closeOrder(batch, memberId, body),
      }),
    );
  }
}

/** Starts the clock. @returns a function that stops it, and resolves when it is at rest */
export function startMentorClock(deps: ClockDeps): () => Promise<void> {
  const clock = new MentorClock(deps);
  return (deps.repeat ?? every)(TICK_MS, () => clock.tick(), deps.report);
}
