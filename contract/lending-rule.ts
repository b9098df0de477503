/** The rule of securities lending. */
import * as z from "zod/mini";

export const LendingRule = z.object({
  /** The broker's part of a lending fee, per million; a short's borrow fee has it on top of the lender's rate. */
  brokerPerMillion: z.int(),
  /** The highest rate a year that shares are lent at. */
  mostPerMillion: z.int(),
  /** Days until lent shares are back after a recall, where the member made the offer. */
  noticeDays: z.int(),
});
export type LendingRule = z.infer<typeof LendingRule>;
