/** The name of a market, which stays while its table grows or drops old issues. */
import type { VenueState } from "#contract/instrument.ts";

/** The id of the instrument table without what follows the market in it. */
export const marketName = ({ universe }: Pick<VenueState, "universe">): string => universe.replace(/[.+].*$/, "");
