/** The way to an instrument's detail: its address, and the stock it leaves in local storage on the way there. */
import type { Instrument } from "#contract/instrument.ts";
import { write } from "#src/gateway/storage.ts";

/** The address of an instrument's detail. */
export const detailPath = (code: string): string => `/market/stockDetail?code=${encodeURIComponent(code)}`;

/** Opening a detail stores the stock first, then navigates (specification section 8): for the link's click. */
export function rememberDetail(instrument: Instrument): void {
  write("stockDetail", instrument);
}
