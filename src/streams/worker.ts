/** The one door to the market worker: starts it and hands out its comlink door and its port. */
import { wrap } from "comlink";
import type { Remote } from "comlink";
import { allEndpoints } from "#src/gateway/endpoints.ts";
import { CALLED } from "#workers/call.ts";
import type { Called } from "#workers/call.ts";
import type { MarketDoor } from "#workers/protocol.ts";

export { CELL_FIELDS, FLASH_SHIFT, QUOTE_CELL_FIELDS, TONES, TOTAL } from "#workers/protocol.ts";
export type {
  ChartMessage,
  ChartRequest,
  Frame,
  FromWorker,
  HeatTold,
  IndexTold,
  InstrumentTable,
  LoadSettings,
  MarketDoor,
  ProfitCellField,
  ProfitSum,
  ProfitTold,
  QuoteCellField,
  QuoteTold,
  Sorting,
  StudyKind,
  StudyTold,
  TapeTold,
  Tone,
  ToWorker,
  Traffic,
  Watching,
} from "#workers/protocol.ts";
export { shortNumber, unitsOf } from "#workers/short-number.ts";

/** The door as the page sees it: every answer is a promise. */
export type RemoteDoor = Pick<Remote<MarketDoor>, keyof MarketDoor>;

export interface MarketLink {
  door: RemoteDoor;
  port: MessagePort;
}

/** The paths of the endpoints the worker calls. */
export async function workerPaths(): Promise<Record<Called, string>> {
  const endpoints = await allEndpoints();
  return Object.fromEntries(CALLED.map((name) => [name, endpoints[name].path])) as Record<Called, string>;
}

async function linked(worker: Worker): Promise<MarketLink> {
  const door = wrap<MarketDoor>(worker);
  return { door, port: await door.open() };
}

/** Start the worker. */
export function openMarketWorker(): Promise<MarketLink> {
  // From the root of the project: Vite takes the path literally, and `#workers` would be a fragment to a URL.
  return linked(new Worker(new URL("/workers/market.worker.ts", import.meta.url), { type: "module", name: "market" }));
}

/** Start the same worker over a market made up on the device: the lab's. */
export function openLoadWorker(): Promise<MarketLink> {
  return linked(new Worker(new URL("/workers/load.worker.ts", import.meta.url), { type: "module", name: "load" }));
}
