/** The member's executions of a day, across orders. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { Direction, Fill } from "./order.ts";
import { Funding } from "./rule.ts";

/** The newest executions of a day in one reply. */
export const MAX_FILLS = 500;

/** An execution with the order it belongs to. */
export const OrderFill = z.object({
  ...Fill.shape,
  orderNo: OrderNo,
  code: Code,
  direction: Direction,
  funding: Funding,
  dayTrade: z.boolean(),
  lotShares: z.int(),
  /** As in `Order`. */
  unitsPerWhole: z.optional(z.int()),
  /** Realised by a closing execution; zero for an opening one. */
  profitCents: Cents,
});
export type OrderFill = z.infer<typeof OrderFill>;

export const fillEndpoints = {
  listFills: endpoint({
    path: "/fills/list",
    access: "member",
    does: "List today's executions of the member's orders, newest first.",
    body: z.object({}),
    data: z.object({ fills: z.array(OrderFill) }),
    refusals: [],
  }),
};
