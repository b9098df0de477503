/** The ledger's pockets (accounts): those of a member and those of the broker. */

/**
 * A member's pockets in TWD that trading reads: available, held for orders, collateral of short positions, unsettled sale proceeds,
 * unsettled purchase money (`owing`), margin deposited on a call, held for withdrawals (`payout`), held for applications, bids and raises (`reserved`), and `debt`. Never negative, except
 * `debt`: minus what the member owes. All but `available` and `payout` exist in TWD only.
 *
 * A debt is collected in this order: `available`; `profit`, and what of `futures` is no margin of open positions; foreign money, converted; `held` of orders that only open positions, which are cancelled; `margin` (for a margin
 * position before `held`, because that is its purpose); for a charge, the charged position's own `collateral`; `unsettled` on its
 * settlement day. Collateral of other positions is untouched until they are closed, and they are sold for the remainder.
 * `owing` is already spent.
 */
export const TRADING_POCKETS = ["available", "held", "collateral", "unsettled", "owing", "margin", "debt", "payout", "reserved"] as const;

/**
 * A member's pockets in every currency: available (the securities wallet), held for withdrawals, rewards and rebates (`profit`), the
 * futures wallet, and money borrowed on credit.
 */
export const WALLET_POCKETS = ["available", "payout", "profit", "futures", "credit"] as const;

export const MEMBER_POCKETS = [...TRADING_POCKETS, "profit", "futures", "credit"] as const;
export type MemberPocket = (typeof MEMBER_POCKETS)[number];

/** Frozen money that still belongs to the member: for orders, for short positions, on margin calls, for withdrawals, for offerings. */
export const FROZEN_POCKETS = ["held", "collateral", "margin", "payout", "reserved"] as const satisfies readonly MemberPocket[];

/** The pockets that make up a member's cash, net of debt. `owing` is excluded: the position it paid for is counted instead. */
export const OWNED_POCKETS = [
  "available",
  ...FROZEN_POCKETS,
  "unsettled",
  "debt",
  "profit",
  "futures",
  "credit",
] as const satisfies readonly MemberPocket[];

/** The broker's pockets in TWD that trading reads. */
export const TRADING_BROKER_POCKETS = [
  "fees",
  "tax",
  "clearing",
  "external",
  "loans",
  "interest",
  "issuers",
  "rewards",
  "blockSellers",
  "lendingPool",
] as const;

/**
 * Broker pockets: commission earned (`fees`), tax to pass on, the rest of the market (`clearing`), the outside world (`external`, the
 * source of deposits), money lent to members (`loans`) and the interest earned (`interest`), the payers of dividends (`issuers`), the
 * sellers of blocks (`blockSellers`), those who lend shares to shorts and borrow them from
 * members, with what they owe for dividends (`lendingPool`), the broker's position in each currency that conversions leave (`conversion`), the other side of members' futures and options (`futuresClearing`, `optionsClearing`), what rewards are paid from (`rewards`), and losses the broker
 * covered before member debts existed (`shortfall`, no longer used). May be negative.
 */
export const BROKER_POCKETS = [...TRADING_BROKER_POCKETS, "conversion", "futuresClearing", "optionsClearing", "shortfall"] as const;
export type BrokerPocket = (typeof BROKER_POCKETS)[number];

export type PocketKind = MemberPocket | BrokerPocket;

/** Tells whether a pocket belongs to the broker. */
export function isBrokerPocket(kind: PocketKind): kind is BrokerPocket {
  return (BROKER_POCKETS as readonly string[]).includes(kind);
}
