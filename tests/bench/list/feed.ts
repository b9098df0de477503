/**
 * Feed process of the list benchmark: builds and serves the requested pages, and sends one batch of random ticks per 50 ms over the real
 * protocol.
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { Server } from "socket.io";
import { build } from "vite";
import { endpoints } from "#contract/endpoints.ts";
import type { Answer, EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { ClientEvents, ServerEvents } from "#contract/kernel/push.ts";
import { pushQuote } from "#contract/quote.ts";
import { ROOT } from "#tests/support/tree.ts";
import { GeneratedMarket } from "#workers/connection/load-generator.ts";

const CATEGORIES = 53;
/** The pages' own flush interval decides how often the screen changes; the feed is as fast as the fastest page. */
const BATCH_MS = 50;

/** Commands from the benchmark to this process. */
export interface FeedCommand {
  rows: number;
  ticksPerSecond: number;
}

/** Settings that the random market reads on every step; one market per number of rows. */
const settings = { rows: 2_000, categories: CATEGORIES, updatesPerSecond: 2_000 };
let market = new GeneratedMarket(settings);

type Files = Map<string, { type: string; body: string | Uint8Array }>;
const TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

/** Builds each page separately, so that none contains another one's libraries. */
async function pages(names: readonly string[]): Promise<Files> {
  const files: Files = new Map();
  for (const name of names) {
    const input = join(import.meta.dirname, `${name}.html`);
    const built = await build({ root: ROOT, logLevel: "warn", build: { write: false, rolldownOptions: { input } } });
    for (const one of (Array.isArray(built) ? built : [built]).flatMap((each) => ("output" in each ? each.output : []))) {
      const type = TYPES[one.fileName.split(".").at(-1) ?? ""] ?? "application/octet-stream";
      files.set(`/${one.fileName}`, { type, body: one.type === "chunk" ? one.code : one.source });
    }
  }
  return files;
}

/** The API calls that the pages make. */
const calls: { [Name in EndpointName]?: () => Answer<Name> } = {
  listInstruments: () => market.table(),
  factsSince: () => ({ facts: [], newest: 0 }),
};
const byPath = new Map(Object.entries(calls).map(([name, call]) => [`${BASE_PATH}${endpoints[name as EndpointName].path}`, call]));

function answer(files: Files, request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const call = byPath.get(path);
  if (call) {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ status: 1, msg: "", data: call() }));
    return;
  }
  const file = files.get(path);
  if (file) response.setHeader("content-type", file.type).end(file.body);
  else response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
}

const files = await pages(process.argv.slice(2));
const server = createServer((request, response) => answer(files, request, response));
const io = new Server<ClientEvents, ServerEvents>(server, { path: SOCKET_PATH, perMessageDeflate: false, maxHttpBufferSize: 1e5 });
let n = 0;

io.on("connection", (socket) => {
  socket.on("view", (_view, acknowledge) => {
    const quotes: number[] = [];
    for (const quote of market.quotes) pushQuote(quotes, quote);
    acknowledge({ n, at: Date.now(), phase: "open", quotes, ranks: [], channels: {} });
  });
});

setInterval(() => {
  n += 1;
  const now = Date.now();
  const batch = [n, now];
  // Uses simulated time, so that every batch has the same size on a busy machine.
  for (const row of market.advance(BATCH_MS, now)) {
    const quote = market.quotes[row];
    if (quote) pushQuote(batch, quote);
  }
  io.emit("quotes", batch);
}, BATCH_MS);

process.on("message", ({ rows, ticksPerSecond }: FeedCommand) => {
  settings.updatesPerSecond = ticksPerSecond;
  if (rows !== settings.rows) market = new GeneratedMarket(Object.assign(settings, { rows }));
  process.send?.("done");
});
process.on("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
