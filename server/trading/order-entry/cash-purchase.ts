/** The order of a plain purchase paid in cash, as the broker places it for a member: without leverage, trigger or exits. */
import type { Body } from "#contract/endpoints.ts";

type Ticket = Body<"placeOrder">;

export const cashPurchase = (order: Pick<Ticket, "requestId" | "code" | "pricing" | "price" | "lots" | "market" | "validity">): Ticket => ({
  ...order,
  direction: "rise",
  funding: "cash",
  leverage: 1,
  dayTrade: false,
  trigger: null,
  exits: [],
});
