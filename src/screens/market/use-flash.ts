/** Sends flash orders: one at a time, with the same stored request and unknown-outcome path as the ticket. */
import { useEffect, useRef, useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { useRequest } from "#src/actors/request.ts";
import { haptic } from "#src/gateway/shell.ts";
import { fitted } from "#src/screens/ticket/choices.ts";
import type { Circumstances } from "#src/screens/ticket/choices.ts";
import { offeredUnits } from "#src/screens/ticket/closing.ts";
import { FIRST_DRAFT } from "#src/screens/ticket/draft.ts";
import type { Intent, Side } from "#src/screens/ticket/intent.ts";
import { useCircumstances } from "#src/screens/ticket/use-market.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { usePreferences } from "#src/streams/preferences.ts";
import { useSlideAbove } from "#src/streams/risk.ts";
import { useRule } from "#src/streams/rules.ts";
import { FLASH_GUARD_MS, flashKind, flashRefusal } from "./flash-rule.ts";
import type { FlashRefusal } from "./flash-rule.ts";

export interface FlashModel {
  intent: Intent | null;
  lots: number;
  limitCents: number;
  /** Sending, or asking for the outcome: further taps are ignored. */
  busy: boolean;
  request: ReturnType<typeof useRequest<"placeOrder">> | ReturnType<typeof useRequest<"closePosition">>;
  /** The orders of the last flash; empty before the first. */
  sent: readonly Order[];
  refused: FlashRefusal | null;
  send: (price: Price) => void;
}

/** The last flash, taken over by the screen; the request is then ready for the next. */
function useSent() {
  const [sent, setSent] = useState<readonly Order[]>([]);
  const take = (orders: readonly Order[]): void => {
    haptic("success");
    orders.forEach(takeOrder);
    setSent(orders);
  };
  return { sent, take };
}

/** What a flash order of a side does. */
export function flashIntent(side: Side, circumstances: Circumstances): Intent {
  return fitted({ ...FIRST_DRAFT, side }, { ...circumstances, remembered: flashKind(circumstances.remembered) }).intent;
}

export function useFlash(instrument: Instrument, side: Side): FlashModel {
  const { code, lotShares } = instrument;
  const rule = useRule(instrument);
  const { flash } = usePreferences();
  const slideAboveCents = useSlideAbove();
  const circumstances = useCircumstances(code, instrument, rule, null);
  const intent = circumstances && flashIntent(side, circumstances);
  const { sent, take } = useSent();
  const [refused, setRefused] = useState<FlashRefusal | null>(null);
  const lastAt = useRef(0);
  const opening = useRequest("placeOrder", { onAccepted: (order) => take([order]) });
  const closing = useRequest("closePosition", { onAccepted: ({ orders }) => take(orders) });
  const [closes, setCloses] = useState(false);
  const request = closes ? closing : opening;
  const { state, reset } = request;
  useEffect(() => {
    if (state === "accepted") reset();
  }, [state, reset]);
  const ready = [opening, closing].every((one) => one.state === "editing" || one.state === "refused" || one.state === "failed");
  const send = (price: Price): void => {
    if (!ready || !intent || Date.now() - lastAt.current < FLASH_GUARD_MS) return;
    const closable = intent.closes && offeredUnits(intent.closes.orders, "board", lotShares);
    const limits = { slideAboveCents, sendUpToCents: flash.limitCents };
    const why = flashRefusal({ price, lots: flash.lots, lotShares }, intent, closable, limits);
    setRefused(why);
    if (why !== null) return;
    lastAt.current = Date.now();
    setCloses(intent.closes !== null);
    const { direction, funding, leverage, dayTrade } = intent;
    const limit = { code, direction, funding, dayTrade, pricing: "limit", price, validity: "rod" };
    if (intent.closes) closing.submit({ ...limit, shares: flash.lots * lotShares, fixed: false, orderNos: [], reserve: false });
    else opening.submit({ ...limit, leverage, lots: flash.lots, market: "board", trigger: null, exits: [], reserve: false });
  };
  return { intent, lots: flash.lots, limitCents: flash.limitCents, busy: !ready, request, sent, refused, send };
}
