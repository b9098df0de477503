/** A market without borrowers of shares: a live feed reports none. */
import type { LendingMarket } from "./venue.ts";

export const NO_LENDING: LendingMarket = {
  isOpen: () => false,
  demands: () => [],
  demand: () => null,
};
