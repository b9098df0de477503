/** Paths to instrument details, and the stock stored in local storage when one is opened. */
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import type { Instrument } from "#contract/instrument.ts";
import { rememberOrigin } from "./origin-list.ts";
import { write } from "#src/gateway/storage.ts";

/** The path of a stock's detail. */
export const detailPath = (code: string): Path => pathTo("/market/stockDetail", { code });

/** The side an order ticket opens on. */
export type TicketSide = "buy" | "sell";

/** The path of a stock's detail with its order ticket open. */
export const ticketPath = (code: string, side: TicketSide): Path => pathTo("/market/stockDetail", { code, side });

/** The path of an instrument's detail; an index has its own screen. */
export function ownPath({ code, board }: Pick<Instrument, "code" | "board">): Path {
  return board === "index" ? pathTo("/market/stockDetailzs", { code }) : detailPath(code);
}

/** Stores the stock whose detail is shown (specification section 8). */
export function storeDetail(instrument: Instrument): void {
  write("stockDetail", instrument);
}

/** The same before navigating to it from anywhere: call it from the link's click handler. A list then adds that it was opened from it. */
export function rememberDetail(instrument: Instrument): void {
  storeDetail(instrument);
  rememberOrigin([]);
}
