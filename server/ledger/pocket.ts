/** The pockets money lies in: a member's, and the house's. */

/**
 * A member's: free, held for orders, collateral of short positions, sale proceeds not settled yet, purchase money not paid out yet,
 * margin added on a call, and two that later features use. Never negative; only `debt` is, by what the member owes the broker.
 *
 * What a debt reaches, in this order: `available`; what orders that only open something have `held`, which are cancelled for it; `margin`
 * (of a margin position before what is held, for that is what it was put up for); of a charge the charged position's own `collateral`;
 * `unsettled` on the day it settles. Other positions' collateral is theirs until they are closed, and they are sold for what is left.
 * `owing` is spent already.
 */
export const MEMBER_POCKETS = ["available", "held", "collateral", "unsettled", "owing", "margin", "profit", "credit", "debt"] as const;
export type MemberPocket = (typeof MEMBER_POCKETS)[number];

/** What is put aside of a member's money but still theirs: for orders, beside short positions, on a margin call. */
export const FROZEN_POCKETS = ["held", "collateral", "margin"] as const satisfies readonly MemberPocket[];

/** What a member's money is made of, less what they owe. Purchase money in `owing` is spent: what it bought is counted already. */
export const OWNED_POCKETS = ["available", ...FROZEN_POCKETS, "unsettled", "debt"] as const satisfies readonly MemberPocket[];

/**
 * The house's: commission earned, tax to pass on, the rest of the market (`clearing`), the world outside (`external`, where
 * deposits come from), what is lent to members (`loans`) and earned by it (`interest`), who pays dividends (`issuers`), and what the
 * broker had to add before members' debts were kept (`shortfall`; nothing is booked there any more). May be negative.
 */
export const BROKER_POCKETS = ["fees", "tax", "clearing", "external", "shortfall", "loans", "interest", "issuers"] as const;
export type BrokerPocket = (typeof BROKER_POCKETS)[number];

export type PocketKind = MemberPocket | BrokerPocket;

/** Whether a pocket belongs to the house. */
export function isBrokerPocket(kind: PocketKind): kind is BrokerPocket {
  return (BROKER_POCKETS as readonly string[]).includes(kind);
}

/** The one currency of this slice. */
export const CURRENCY = "TWD";
