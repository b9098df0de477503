/** The name of a market, which stays while its table grows or drops old issues. */
import type { VenueState } from "#contract/instrument.ts";
import type { Venue } from "./venue.ts";

/** The id of the instrument table without what follows the market in it. */
export const marketName = ({ universe }: Pick<VenueState, "universe">): string => universe.replace(/[.+].*$/, "");

/** Whether a row belongs to the market that is open now: another one has other issues with the same codes. */
export const isOfMarket = ({ market }: { market: string }, venue: Pick<Venue, "state">, at: number): boolean =>
  market === marketName(venue.state(at));
