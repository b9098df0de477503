/** Corporate actions: dividends, rights and splits, with the resulting reference prices (domain.md 2.5). */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { Price } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

export const ACTION_KINDS = ["dividend", "stockDividend", "rights", "split"] as const;
export const ActionKind = z.enum(ACTION_KINDS);
export type ActionKind = z.infer<typeof ActionKind>;

/** One ex-event. Ratios are new shares per share held, in millionths. */
export const CorporateAction = z.object({
  /** Taipei midnight of the ex-date. */
  at: EpochMs,
  kind: ActionKind,
  /** Cash per share, in price units; 0 for none. */
  cash: Price,
  /** When it is paid to those who held the share before the ex-date; absent where it is paid on the ex-date. */
  paysAt: z.optional(EpochMs),
  /** Free new shares per share (stock dividend; a 1:4 split is 3,000,000). */
  freeMillionths: z.int(),
  /** Rights: new shares offered per share held, and the subscription price of one. */
  rightsMillionths: z.int(),
  rightsPrice: Price,
  /** The previous close and the unrounded reference price; earlier prices are adjusted by the factor `reference / closeBefore`. */
  closeBefore: Price,
  reference: Price,
});
export type CorporateAction = z.infer<typeof CorporateAction>;

/**
 * An ex-date to come, as its issuer has announced it. New shares are known beforehand; what is paid in cash, and the price of rights, follow from
 * the close before.
 */
export const ExDate = z.object({ at: EpochMs, kind: ActionKind, freeMillionths: z.int() });
export type ExDate = z.infer<typeof ExDate>;

/** Price adjustment across ex-events: none; forward (past prices scaled to today's shares); backward (later prices scaled to past shares). */
export const ADJUSTMENTS = ["none", "forward", "backward"] as const;
export const Adjustment = z.enum(ADJUSTMENTS);
export type Adjustment = z.infer<typeof Adjustment>;

export const corporateActionEndpoints = {
  listActions: endpoint({
    path: "/actions/list",
    access: "member",
    does: "List the ex-events of an instrument: those within its history, and those announced for the weeks to come, each the earliest first.",
    body: z.object({ code: Code }),
    data: z.object({ actions: z.array(CorporateAction), coming: z.array(ExDate) }),
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
};
