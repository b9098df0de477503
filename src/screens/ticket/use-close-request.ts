/** The request that closes a position, for every form that closes one: its body, its checks, and what was sent. */
import { useState } from "react";
import type { Asked } from "#contract/endpoints.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import type { PositionKey } from "#contract/position.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request, Typed } from "#src/actors/request.ts";
import { haptic } from "#src/gateway/shell.ts";
import { takeOrder } from "#src/streams/orders.ts";
import type { ClosingPart, ClosingPlan } from "./closing.ts";
import { limitOf } from "./draft.ts";
import type { Draft } from "./draft.ts";
import { closeProblems } from "./problems.ts";
import type { Known } from "./problems.ts";

/** A close under review or sent. */
export type CloseBody = Asked<"closePosition">;

/** The close of a position as typed; validation reports what is missing or wrong. `orderNos`: empty for the oldest first. */
export function closeBodyOf(
  { code, direction, funding, dayTrade }: PositionKey,
  draft: Draft,
  { shares }: Pick<ClosingPlan, "shares">,
  reserve: boolean,
  orderNos: readonly OrderNo[] = [],
): Typed<"closePosition"> {
  return {
    code,
    direction,
    funding,
    dayTrade,
    shares: shares > 0 ? shares : draft.lotsText,
    pricing: draft.pricing,
    price: draft.pricing === "limit" ? limitOf(draft) : null,
    validity: draft.validity,
    fixed: draft.market === "fixed",
    orderNos: [...orderNos],
    reserve,
  };
}

export interface CloseRequest {
  request: Request<"closePosition">;
  /** The orders as they were when the close was sent: its fills may be pushed before the answer arrives. */
  sent: readonly ClosingPart[];
  send: (body: Typed<"closePosition">, skipReview?: boolean) => void;
}

/** `plan`: what is to be closed now; null while nothing is. */
export function useCloseRequest(plan: ClosingPlan | null, { view, ladder }: Pick<Known, "view" | "ladder">): CloseRequest {
  const [sent, setSent] = useState<readonly ClosingPart[]>([]);
  const request = useRequest("closePosition", {
    reviews: true,
    fields: ["price", "lots", "shares"],
    check: (body) => closeProblems(body, { view, ladder, mostShares: plan ? plan.most * plan.unitShares : 0 }),
    onAccepted: ({ orders }) => {
      haptic("success");
      orders.forEach(takeOrder);
    },
  });
  const send = (body: Typed<"closePosition">, skipReview = false): void => {
    setSent(plan?.parts ?? []);
    request.submit(body, skipReview);
  };
  return { request, sent, send };
}
