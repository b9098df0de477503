/** Paths to instrument details, and the stock stored in local storage when one is opened. */
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import type { Instrument } from "#contract/instrument.ts";
import { write } from "#src/gateway/storage.ts";

/** The path of a stock's detail. */
export const detailPath = (code: string): Path => pathTo("/market/stockDetail", { code });

/** The path of an instrument's detail; an index has its own screen. */
export function ownPath({ code, board }: Pick<Instrument, "code" | "board">): Path {
  return board === "index" ? pathTo("/market/stockDetailzs", { code }) : detailPath(code);
}

/** Stores the stock before navigating to its detail (specification section 8); call it from the link's click handler. */
export function rememberDetail(instrument: Instrument): void {
  write("stockDetail", instrument);
}
