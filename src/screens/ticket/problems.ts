/** Checks an order for what the schema cannot know: daily limits, money, lots, and triggers already reached. */
import { unitsPerWhole } from "#contract/instrument.ts";
import { entryReached, exitReached } from "#contract/condition.ts";
import type { Asked } from "#contract/endpoints.ts";
import { limitRefusal } from "#contract/limit-price.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { RefusalParams } from "#contract/kernel/reply.ts";
import type { Trigger } from "#contract/order.ts";
import { onTick, tickSize } from "#contract/tick.ts";
import { typedPrice } from "#contract/kernel/money.ts";
import type { Problem } from "#machines/request.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import type { Ladder } from "./draft.ts";
import type { Estimate } from "./estimate.ts";

/** What an order is checked against. */
export interface Known {
  view: QuoteView | null;
  estimate: Estimate | null;
  available: number;
  ladder: Ladder;
  maxLots: number;
}

type Order = Pick<Asked<"placeOrder">, "direction" | "pricing" | "price" | "lots" | "trigger" | "exits">;

const problem = (field: string, code: RefusalCode, params: RefusalParams = {}): Problem => ({ field, code, params });

/** A trigger price must be on a tick; the distance of a trailing stop need not. */
function offTick(field: string, { kind, price }: Trigger, ladder: Ladder): Problem | null {
  if (kind === "trailing" || onTick(ladder.kind, price)) return null;
  return problem(field, "TRD_PRICE_OFF_TICK", { n: typedPrice(tickSize(ladder.kind, price), ladder.decimals) });
}

/** Checks an entry trigger: not reached already, and on a tick. */
function triggerProblem({ trigger, direction }: Order, last: number, ladder: Ladder): Problem | null {
  if (!trigger) return null;
  const range = { last, high: last, low: last };
  if (last > 0 && entryReached(trigger.kind, direction, trigger.price, range)) return problem("trigger", "TRD_TRIGGER_PASSED");
  return offTick("trigger", trigger, ladder);
}

/** Exits are compared with the opening price: the limit, the trigger price, or the market. */
export function exitProblem(exits: readonly Trigger[], direction: Order["direction"], from: number, ladder: Ladder): Problem | null {
  const range = { last: from, high: from, low: from };
  for (const exit of exits) {
    if (from > 0 && exit.kind !== "trailing" && exitReached(exit.kind, direction, exit.price, null, range)) {
      return problem("exits", "TRD_TRIGGER_PASSED");
    }
    const off = offTick("exits", exit, ladder);
    if (off) return off;
  }
  return null;
}

/** What is wrong with a limit price, as a list of at most one. */
export function priceProblems(price: number | null, view: QuoteView | null, { kind }: Ladder): Problem[] {
  const refusal = price === null ? null : limitRefusal(kind, view?.limits ?? null, price);
  return refusal ? [problem("price", refusal.code, refusal.params)] : [];
}

/** The first problem of an order the schema accepted, as a list of at most one. */
export function problemsOf(body: Order, { view, estimate, available, ladder, maxLots }: Known): Problem[] {
  const outside = priceProblems(body.price, view, ladder);
  if (outside.length > 0) return outside;
  if (body.lots > maxLots) return [problem("lots", "TRD_LOTS_MAX", { n: maxLots / unitsPerWhole(ladder) })];
  const last = view?.quote.last ?? 0;
  const entry = triggerProblem(body, last, ladder);
  if (entry) return [entry];
  const exit = exitProblem(body.exits ?? [], body.direction, body.price ?? body.trigger?.price ?? last, ladder);
  if (exit) return [exit];
  return estimate && estimate.neededCents > available ? [problem("lots", "FUND_AVAILABLE_INSUFFICIENT")] : [];
}

/** The first problem of a close: more than can be closed is refused here, before it could be anything else than a close. */
export function closeProblems(
  { shares, price }: Pick<Asked<"closePosition">, "shares" | "price">,
  { view, ladder, mostShares }: Pick<Known, "view" | "ladder"> & { mostShares: number },
): Problem[] {
  if (shares > mostShares) return [problem("shares", "TRD_SELL_EXCEEDS")];
  return priceProblems(price, view, ladder);
}
