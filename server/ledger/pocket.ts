/** The ledger's pockets (accounts): those of a member and those of the broker. */

/**
 * Member pockets: available, held for orders, collateral of short positions, unsettled sale proceeds, unsettled purchase money
 * (`owing`), margin deposited on a call, two for later features, and `debt`. Never negative, except `debt`: minus what the member owes.
 *
 * A debt is collected in this order: `available`; `held` of orders that only open positions, which are cancelled; `margin` (for a margin
 * position before `held`, because that is its purpose); for a charge, the charged position's own `collateral`; `unsettled` on its
 * settlement day. Collateral of other positions is untouched until they are closed, and they are sold for the remainder.
 * `owing` is already spent.
 */
export const MEMBER_POCKETS = ["available", "held", "collateral", "unsettled", "owing", "margin", "profit", "credit", "debt"] as const;
export type MemberPocket = (typeof MEMBER_POCKETS)[number];

/** Frozen money that still belongs to the member: for orders, for short positions, on margin calls. */
export const FROZEN_POCKETS = ["held", "collateral", "margin"] as const satisfies readonly MemberPocket[];

/** The pockets that make up a member's cash, net of debt. `owing` is excluded: the position it paid for is counted instead. */
export const OWNED_POCKETS = ["available", ...FROZEN_POCKETS, "unsettled", "debt"] as const satisfies readonly MemberPocket[];

/**
 * Broker pockets: commission earned (`fees`), tax to pass on, the rest of the market (`clearing`), the outside world (`external`, the
 * source of deposits), money lent to members (`loans`) and the interest earned (`interest`), the payers of dividends (`issuers`), and
 * losses the broker covered before member debts existed (`shortfall`, no longer used). May be negative.
 */
export const BROKER_POCKETS = ["fees", "tax", "clearing", "external", "shortfall", "loans", "interest", "issuers"] as const;
export type BrokerPocket = (typeof BROKER_POCKETS)[number];

export type PocketKind = MemberPocket | BrokerPocket;

/** Tells whether a pocket belongs to the broker. */
export function isBrokerPocket(kind: PocketKind): kind is BrokerPocket {
  return (BROKER_POCKETS as readonly string[]).includes(kind);
}

/** The only currency supported so far. */
export const CURRENCY = "TWD";
