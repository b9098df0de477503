/** The market worker over a market made up on the device: the same session, table, cells and frames; only the line is another one. */
import { expose } from "comlink";
import { marketDoor } from "./door.ts";
import { LoadMarket, loadFetch, openLoadLine } from "./load.ts";
import type { ConnectOptions } from "./protocol.ts";

let market = new LoadMarket({ rows: 1, categories: 1, updatesPerSecond: 0 });
const door = marketDoor((credentials, hearer) => openLoadLine(market)(credentials, hearer));

expose({
  ...door,
  connect(options: ConnectOptions): void {
    if (options.load) market = new LoadMarket(options.load);
    door.connect({ ...options, fetch: loadFetch(market, options.paths) });
  },
});
