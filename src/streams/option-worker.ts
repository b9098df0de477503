/** Starts the worker that prices the chain of options; apart from the market worker's link, because hardly a visit needs it. */
import { wrap } from "comlink";
import type { Remote } from "comlink";
import type { OptionChainApi } from "#workers/option-chain.ts";

export { SERIES_FIELDS } from "#workers/option-chain.ts";
export type { PricedChain, SeriesField } from "#workers/option-chain.ts";

export interface OptionPricing {
  worker: Worker;
  api: Remote<OptionChainApi>;
}

export function openOptionPricing(): OptionPricing {
  // From the root of the project: Vite takes the path literally, and `#workers` would be a fragment to a URL.
  const worker = new Worker(new URL("/workers/option-chain.worker.ts", import.meta.url), { type: "module", name: "options" });
  return { worker, api: wrap<OptionChainApi>(worker) };
}
