/** What the schema cannot know of an order: limits of the day, money, lots, and triggers that have been reached already. */
import { entryReached, exitReached } from "#contract/condition.ts";
import type { Asked } from "#contract/endpoints.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { RefusalParams } from "#contract/kernel/reply.ts";
import type { Trigger } from "#contract/order.ts";
import { onTick, tickSize } from "#contract/tick.ts";
import { typedPrice } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Problem } from "#machines/request.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import type { Choices } from "./choices.ts";
import { outside } from "./draft.ts";
import type { Ladder } from "./draft.ts";
import type { Estimate } from "./estimate.ts";

interface Known {
  view: QuoteView | null;
  estimate: Estimate | null;
  available: number;
  ladder: Ladder;
  maxLots: number;
  choices: Choices | null;
}

type Order = Pick<Asked<"placeOrder">, "direction" | "pricing" | "price" | "lots" | "trigger" | "exits">;

const problem = (field: string, code: RefusalCode, params: RefusalParams = {}): Problem => ({ field, code, params });

/** A price to be waited for lies on a tick; how far a trailing one may fall back need not. */
function offTick(field: string, { kind, price }: Trigger, ladder: Ladder): Problem | null {
  if (kind === "trailing" || onTick(ladder.kind, price)) return null;
  return problem(field, "TRD_PRICE_OFF_TICK", { n: typedPrice(tickSize(ladder.kind, price), ladder.decimals) });
}

/** A trigger that would go off at once, or does not lie on a tick. */
function ofTrigger({ trigger, direction }: Order, last: number, ladder: Ladder): Problem | null {
  if (!trigger) return null;
  const sight = { last, high: last, low: last };
  if (last > 0 && entryReached(trigger.kind, direction, trigger.price, sight)) return problem("trigger", "TRD_TRIGGER_PASSED");
  return offTick("trigger", trigger, ladder);
}

/** Exits are measured against where the position is opened: its limit, the price it waits for, or the market. */
export function exitProblem(exits: readonly Trigger[], direction: Order["direction"], from: number, ladder: Ladder): Problem | null {
  const sight = { last: from, high: from, low: from };
  for (const exit of exits) {
    if (from > 0 && exit.kind !== "trailing" && exitReached(exit.kind, direction, exit.price, null, sight)) {
      return problem("exits", "TRD_TRIGGER_PASSED");
    }
    const off = offTick("exits", exit, ladder);
    if (off) return off;
  }
  return null;
}

/** The first problem of an order the schema accepted. */
export function problemsOf(body: Order, { view, estimate, available, ladder, maxLots, choices }: Known): Problem[] {
  if (choices?.direction[body.direction]) return [problem("direction", choices.direction[body.direction] ?? "TRD_NOT_SHORTABLE")];
  if (body.price !== null && outside(body.price as Price, view?.limits ?? null)) return [problem("price", "TRD_PRICE_LIMIT_EXCEEDED")];
  if (body.lots > maxLots) return [problem("lots", "TRD_LOTS_MAX", { n: maxLots })];
  const last = view?.quote.last ?? 0;
  const waiting = ofTrigger(body, last, ladder);
  if (waiting) return [waiting];
  const leaving = exitProblem(body.exits ?? [], body.direction, body.price ?? body.trigger?.price ?? last, ladder);
  if (leaving) return [leaving];
  return estimate && estimate.neededCents > available ? [problem("lots", "FUND_AVAILABLE_INSUFFICIENT")] : [];
}
