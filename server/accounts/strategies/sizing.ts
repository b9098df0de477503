/** How many lots a strategy's part of an amount is: the same for back-tests and runs. */

const MILLE = 1_000;

/** Lots of a part of what the amount is worth after losses; gains are not reinvested. */
export const lotsOf = (perMille: number, amountCents: number, profitCents: number, lotCents: number): number =>
  lotCents <= 0 ? 0 : Math.floor((Math.max(0, amountCents + Math.min(0, profitCents)) * perMille) / MILLE / lotCents);
