/** The market worker over a generated market, for load tests: the same session, table, cells and frames with another connection. */
import { expose } from "comlink";
import { marketApi } from "./api.ts";
import { GeneratedMarket, loadFetch, openLoadConnection } from "#workers/connection/load-generator.ts";
import type { ConnectOptions } from "./protocol.ts";

let market = new GeneratedMarket({ rows: 1, categories: 1, updatesPerSecond: 0 });
const api = marketApi((credentials, listener) => openLoadConnection(market)(credentials, listener));

expose({
  ...api,
  connect(options: ConnectOptions): void {
    if (options.load) market = new GeneratedMarket(options.load);
    api.connect({ ...options, fetch: loadFetch(market, options.paths) });
  },
});
