/** The only import of the market worker: starts it and returns its comlink API and message port. */
import { wrap } from "comlink";
import type { Remote } from "comlink";
import { allEndpoints } from "#src/gateway/endpoints.ts";
import { CALLED } from "#workers/protocol.ts";
import type { PhotoApi, ShrunkPhoto } from "#workers/photo.ts";
import type { Called, MarketApi } from "#workers/protocol.ts";

export { CELL_FIELDS, DAY_TRADES, FLASH_SHIFT, QUOTE_CELL_FIELDS, TONES, TOTAL } from "#workers/protocol.ts";
export type {
  ChartMessage,
  ChartRequest,
  Frame,
  FromWorker,
  InstrumentTable,
  LoadSettings,
  MarketApi,
  ProfitCellField,
  ProfitSum,
  ProfitUpdate,
  QuoteCellField,
  QuoteUpdate,
  Sorting,
  StudyKind,
  StudyUpdate,
  Tone,
  ToWorker,
  Traffic,
  VolumeByPrice,
  Watching,
} from "#workers/protocol.ts";
export type { ChannelKeys, ChannelUpdate } from "#workers/channels/channel-store.ts";
export { shortNumber, unitsOf } from "#workers/short-number.ts";

/** A photo ready to be sent. */
export type { ShrunkPhoto } from "#workers/photo.ts";

/** The API as the page sees it: every method returns a promise. */
export type RemoteMarketApi = Pick<Remote<MarketApi>, keyof MarketApi>;

export interface MarketLink {
  api: RemoteMarketApi;
  port: MessagePort;
}

/** The paths of the endpoints the worker calls. */
export async function workerPaths(): Promise<Record<Called, string>> {
  const endpoints = await allEndpoints();
  return Object.fromEntries(CALLED.map((name) => [name, endpoints[name].path])) as Record<Called, string>;
}

async function linked(worker: Worker): Promise<MarketLink> {
  const api = wrap<MarketApi>(worker);
  return { api, port: await api.open() };
}

/** Start the worker. */
export function openMarketWorker(): Promise<MarketLink> {
  // From the root of the project: Vite takes the path literally, and `#workers` would be a fragment to a URL.
  return linked(new Worker(new URL("/workers/market.worker.ts", import.meta.url), { type: "module", name: "market" }));
}

/** Start the same worker over a market simulated on the device, for the load lab. */
export function openLoadWorker(): Promise<MarketLink> {
  return linked(new Worker(new URL("/workers/load.worker.ts", import.meta.url), { type: "module", name: "load" }));
}

/** Shrink a photo off the main thread. Rejects when it is no picture the browser can read. */
export async function shrinkPhoto(file: Blob): Promise<ShrunkPhoto> {
  const worker = new Worker(new URL("/workers/photo.worker.ts", import.meta.url), { type: "module", name: "photo" });
  try {
    return await wrap<PhotoApi>(worker).shrink(file);
  } finally {
    worker.terminate();
  }
}
