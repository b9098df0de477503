/** The rule of copy trading; apart from the copies, because the rules load it. */
import * as z from "zod/mini";
import { Cents } from "./kernel/money.ts";

export const CopyRule = z.object({
  /** The least amount to follow a mentor with. */
  minimumCents: Cents,
  /** How far a copy may trade from the mentor's price to the follower's disadvantage, in millionths; further away nothing is bought. */
  slipPerMillion: z.int(),
  /** The most that all copies together may buy of an instrument in a session, in millionths of what has traded of it by then, or on a usual day. */
  volumePerMillion: z.int(),
  /** Followers of one mentor who have not stopped. */
  followers: z.int(),
  /** A purchase of a mentor that is older is not copied any more: after an outage the market has moved. */
  lateSeconds: z.int(),
});
export type CopyRule = z.infer<typeof CopyRule>;
