/** The list that the member came from: a detail's previous and next instrument. Kept as it was when a row was chosen. */
import type { Instrument } from "#contract/instrument.ts";

let origin: readonly Instrument[] = [];

/** Remember the list of the row that is being opened; empty when it is opened from elsewhere. */
export function rememberOrigin(list: readonly Instrument[]): void {
  origin = list;
}

/** The instruments before and after one in the list it was opened from; null at the ends, and both without such a list. */
export function neighboursOf(code: string): { previous: Instrument | null; next: Instrument | null } {
  const at = origin.findIndex((one) => one.code === code);
  return { previous: origin[at - 1] ?? null, next: at < 0 ? null : (origin[at + 1] ?? null) };
}
