/** The styles of instruments: which part of the market a price follows. */

/** What an instrument follows: `s` its industry and the market, a fund's style (see the fund table), `x` crypto, `y` currencies. */
export type Style = "s" | "m" | "l" | "r" | "h" | "t" | "f" | "b" | "w" | "c" | "p" | "x" | "y";
