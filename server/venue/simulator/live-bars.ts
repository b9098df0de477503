/** The state of one instrument that its history is completed with. */
import type { Bar } from "./intraday-path.ts";

/** The current session of one instrument; closed bars end where this begins. */
export interface LiveBars {
  session: number;
  minute: number;
  /** The session so far; null before its first trade. */
  day: Bar | null;
  /** The current minute so far; null before its first trade. */
  bar: Bar | null;
  /** For an index, the extremes observed in each minute of the session (0: none observed). */
  observed: { high: Float64Array; low: Float64Array } | null;
}
