/** The one door to the market worker: starts it and hands out its comlink door and its port. */
import { wrap } from "comlink";
import type { Remote } from "comlink";
import { endpoints } from "#contract/endpoints.ts";
import { CALLED } from "#workers/call.ts";
import type { Called } from "#workers/call.ts";
import type { MarketDoor } from "#workers/protocol.ts";

export { CELL_FIELDS, FLASH_SHIFT, QUOTE_CELL_FIELDS, TONES, TOTAL } from "#workers/protocol.ts";
export type {
  Frame,
  FromWorker,
  InstrumentTable,
  MarketDoor,
  ProfitCellField,
  ProfitSum,
  ProfitTold,
  QuoteCellField,
  QuoteTold,
  Tone,
  ToWorker,
  Watching,
} from "#workers/protocol.ts";

/** The door as the page sees it: every answer is a promise. */
export type RemoteDoor = Pick<Remote<MarketDoor>, keyof MarketDoor>;

export interface MarketLink {
  door: RemoteDoor;
  port: MessagePort;
}

/** The paths of the endpoints the worker calls. */
export function workerPaths(): Record<Called, string> {
  return Object.fromEntries(CALLED.map((name) => [name, endpoints[name].path])) as Record<Called, string>;
}

/** Start the worker. */
export async function openMarketWorker(): Promise<MarketLink> {
  // From the root of the project: Vite takes the path literally, and `#workers` would be a fragment to a URL.
  const worker = new Worker(new URL("/workers/market.worker.ts", import.meta.url), { type: "module", name: "market" });
  const door = wrap<MarketDoor>(worker);
  return { door, port: await door.open() };
}
