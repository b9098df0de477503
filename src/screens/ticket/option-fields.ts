/** The fields of an order that stand behind the ticket's options: what is wrong with one is said above the button. */
export const OPTION_FIELDS = ["market", "validity", "funding", "leverage", "dayTrade", "trigger", "exits", "direction"] as const;
