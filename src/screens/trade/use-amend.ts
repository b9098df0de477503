/** The model of amending an order: the draft of its resting part, and the request it becomes. */
import { useState } from "react";
import { typedPrice, typedUnits, worth } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request } from "#src/actors/request.ts";
import { haptic } from "#src/gateway/shell.ts";
import { closingAct } from "#src/screens/ticket/intent.ts";
import { confirmationFor } from "#src/screens/ticket/confirm-rule.ts";
import { FIRST_DRAFT, limitOf, lotsOf, settled, settledText, triggerOf } from "#src/screens/ticket/draft.ts";
import type { Draft, Ladder } from "#src/screens/ticket/draft.ts";
import { instrumentOf, useInstruments } from "#src/streams/instruments.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { useQuote } from "#src/streams/quotes.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import { useSlideAbove } from "#src/streams/risk.ts";
import { priceProblems } from "#src/screens/ticket/problems.ts";
import { restingOf } from "./resting-order.ts";
import { isReady } from "./unknown-outcome.tsx";

export interface AmendModel {
  view: QuoteView | null;
  draft: Draft;
  ladder: Ladder;
  /** Changes the draft and clears the errors of the named fields. */
  change: (next: Draft, ...fields: string[]) => void;
  request: Request<"amendOrder">;
  /** Whether it is confirmed by a slide, by the one rule of confirmation. */
  slides: boolean;
  send: () => void;
}

function draftOf(order: Order, ladder: Ladder, newPrice: Price | null, newTrigger: Price | null): Draft {
  const { trigger } = order;
  const { lots, price: ownPrice } = restingOf(order);
  const price = newPrice ?? ownPrice;
  return {
    ...FIRST_DRAFT,
    priceText: price === null ? "" : typedPrice(price, ladder.decimals),
    lotsText: typedUnits(lots, order.unitsPerWhole),
    entry:
      trigger && trigger.kind !== "trailing"
        ? { kind: trigger.kind, text: typedPrice(newTrigger ?? trigger.price, ladder.decimals) }
        : null,
  };
}

/** Whether the order as amended is confirmed by a slide. */
function useSlides(order: Order, draft: Draft): boolean {
  const slideAboveCents = useSlideAbove();
  const { direction, funding, lotShares, status } = order;
  const closes = status === "readyToClose" ? order : null;
  const at = limitOf(draft);
  const lots = lotsOf(draft, order.unitsPerWhole);
  const act = closes ? closingAct(order) : direction === "rise" ? "buy" : "short";
  const valueCents = at === null || lots === null ? null : worth(at, lots * lotShares, order.unitsPerWhole);
  const waits = order.trigger !== null;
  const pricing = restingOf(order).price === null && at === null ? "market" : "limit";
  return (
    // It is never sent without a press.
    confirmationFor(
      { pricing, waits, intent: { act, funding, closes, nothing: null }, valueCents },
      { slideAboveCents, sendUpToCents: null },
    ) === "slide"
  );
}

interface AmendOptions {
  /** The price to begin with; null for the order's own. */
  price: Price | null;
  /** The same for the price that a conditional order waits for. */
  trigger: Price | null;
  onAmended: () => void;
  onArrived: () => void;
}

/** The amend form of one order. `onArrived`: the broker has the amendment, but its answer was lost. Remount it for another order. */
export function useAmend(order: Order, { price, trigger, onAmended, onArrived }: AmendOptions): AmendModel {
  useInstruments();
  const instrument = instrumentOf(order.code);
  const ladder: Ladder = { kind: instrument?.kind ?? "stock", decimals: instrument?.decimals ?? 2 };
  const quoted = useQuote(order.code);
  // The limits of the session that it is reserved for are not known yet.
  const view = quoted && order.reservedFor !== undefined ? { ...quoted, limits: null } : quoted;
  const [draft, setDraft] = useState(() => draftOf(order, ladder, price, trigger));
  const resting = restingOf(order);
  const request = useRequest("amendOrder", {
    fields: ["lots", "price", "trigger"],
    check: (body) => priceProblems(body.price, view, ladder),
    onAccepted: (amended) => {
      haptic("success");
      takeOrder(amended);
      onAmended();
    },
    onArrived,
  });
  const send = (): void => {
    const final = settled(draft, ladder);
    setDraft(final);
    // A price just rounded to its tick must be seen before it is sent.
    if (final.snappedFrom !== null && final.priceText !== draft.priceText) return;
    if (!isReady(request)) return;
    const lots = lotsOf(final, order.unitsPerWhole);
    const price = limitOf(final);
    const wanted = final.entry && triggerOf(final.entry.kind, settledText(final.entry.text, ladder)).price;
    request.submit({
      orderNo: order.orderNo,
      lots: lots === resting.lots ? null : (lots ?? draft.lotsText),
      price: price === resting.price ? null : (price ?? (resting.price === null && draft.priceText === "" ? null : 0)),
      trigger: wanted === (order.trigger?.price ?? null) ? null : wanted,
    });
  };
  const change = (next: Draft, ...fields: string[]): void => {
    setDraft(next);
    for (const field of fields) request.edit(field);
  };
  return { view, draft, ladder, change, request, slides: useSlides(order, draft), send };
}
