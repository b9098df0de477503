/** The order fields behind the ticket's options; their errors are shown above the button. */
export const OPTION_FIELDS = ["market", "validity", "funding", "leverage", "dayTrade", "trigger", "exits", "direction", "orderNo"] as const;
