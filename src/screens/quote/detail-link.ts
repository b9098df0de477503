/** The way to an instrument's detail: its address, and the stock it leaves in local storage on the way there. */
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import type { Instrument } from "#contract/instrument.ts";
import { write } from "#src/gateway/storage.ts";

/** The address of an instrument's detail. */
export const detailPath = (code: string): Path => pathTo("/market/stockDetail", { code });

/** The address of an instrument's own kind of detail: an index has another one. */
export function ownPath({ code, board }: Pick<Instrument, "code" | "board">): Path {
  return board === "index" ? pathTo("/market/stockDetailzs", { code }) : detailPath(code);
}

/** Opening a detail stores the stock first, then navigates (specification section 8): for the link's click. */
export function rememberDetail(instrument: Instrument): void {
  write("stockDetail", instrument);
}
