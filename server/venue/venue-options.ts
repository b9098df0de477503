/** What a sandbox exchange is opened with. */
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import type { Seed } from "./keyed-random.ts";

export interface VenueOptions {
  /** The market's seed: the same seed gives the same market, at every moment, on every machine. */
  seed: Seed;
  /** Quote updates a second over the whole market. */
  rate: number;
  hours: Hours;
  /** Codes of the instruments to list; all when omitted. */
  codes?: readonly string[] | undefined;
  /** Whether new issues are announced and listed; none when omitted. */
  newIssues?: boolean | undefined;
  /** Whether companies close their registers, before which nothing is sold short; none does when omitted. */
  bookClosures?: boolean | undefined;
  /** Codes of instruments that must stay in the table, because members hold them. */
  held?: readonly string[] | undefined;
  /** When the market was given its present rules of prices; omitted or null when it never had others. */
  changedAt?: number | null | undefined;
  /** The clock, in epoch milliseconds. */
  now?: () => number;
}
