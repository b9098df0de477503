/** Seat accounts: a commission of the member's own, after a review. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Application } from "./review.ts";
import { RewardRule } from "./reward.ts";

export const seatEndpoints = {
  readSeat: endpoint({
    path: "/seat/read",
    access: "member",
    does: "Read the member's application for a seat account, the commission they pay, and that of a seat.",
    body: z.object({}),
    data: z.object({
      application: z.nullable(Application),
      /** Commission per million that the member pays on stocks now, and the broker's list commission. */
      feePerMillion: z.int(),
      listPerMillion: z.int(),
      rule: RewardRule,
    }),
    refusals: [],
  }),
};
