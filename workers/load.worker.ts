/** The market worker over a market made up on the device: the same session, table, cells and frames; only the line is another one. */
import { expose } from "comlink";
import { marketApi } from "./api.ts";
import { GeneratedMarket, loadFetch, openLoadLine } from "#workers/connection/load-generator.ts";
import type { ConnectOptions } from "./protocol.ts";

let market = new GeneratedMarket({ rows: 1, categories: 1, updatesPerSecond: 0 });
const door = marketApi((credentials, hearer) => openLoadLine(market)(credentials, hearer));

expose({
  ...door,
  connect(options: ConnectOptions): void {
    if (options.load) market = new GeneratedMarket(options.load);
    door.connect({ ...options, fetch: loadFetch(market, options.paths) });
  },
});
