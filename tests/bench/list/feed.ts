/** The feed of the list bench, in a process of its own: both pages built and served, and one batch of random ticks per 50 ms over the real wire. */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { Server } from "socket.io";
import { build } from "vite";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { ClientEvents, ServerEvents } from "#contract/kernel/push.ts";
import type { Instrument, VenueState } from "#contract/instrument.ts";
import { pushQuote, QUOTE_FIELDS } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";
import { ROOT } from "#tests/support/tree.ts";

const CATEGORIES = 53;
/** The pages' own flush decides how often the screen changes; the feed is as quick as the quickest of them. */
const BATCH_MS = 50;

/** What the bench tells this process. */
export interface FeedOrder {
  rows: number;
  ticksPerSecond: number;
}

let rows = 2_000;
let ticksPerSecond = 2_000;
let quotes: Quote[] = [];
let seed = 7;

const chance = (below: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return (seed >>> 8) % below;
};

const quoteOf = (row: number): Quote => ({
  row,
  seq: 1,
  at: Date.now(),
  last: 1_000_000 + row * 500,
  open: 1_000_000,
  high: 2_500_000,
  low: 900_000,
  reference: 1_000_000 + row * 500,
  volume: 1_000,
  turnover: 100_000_000,
  bid: 1_000_000,
  ask: 1_000_500,
});

function move(row: number): void {
  const quote = quotes[row];
  if (!quote) return;
  quote.seq += 1;
  quote.at = Date.now();
  quote.last = Math.max(500, quote.last + (chance(5) - 2) * 500);
  quote.volume += chance(20);
}

function table(): { venue: VenueState; categories: object[]; instruments: Instrument[] } {
  const each = Math.ceil(rows / CATEGORIES);
  const category = (row: number): string => `c${Math.floor(row / each)}`;
  const instruments = Array.from({ length: rows }, (_, row) => ({
    row,
    code: String(10_000 + row),
    zh: `第${row}號公司`,
    en: `Company number ${row}`,
    kind: "stock",
    board: "listed",
    category: category(row),
    decimals: 2,
    lotShares: 1000,
    issuedThousands: 1000,
    tradable: true,
    shortable: true,
    fictitious: true,
    sellLockSeconds: 0,
  })) as Instrument[];
  const venue = { universe: `bench ${rows}`, phase: "open", phaseEndsAt: null, opensAt: 0, closesAt: 0, simulated: true } as VenueState;
  const categories = Array.from({ length: CATEGORIES }, (_, at) => ({
    board: "listed",
    code: `c${at}`,
    zh: `類別${at}`,
    zhCn: `类别${at}`,
    en: `Category ${at}`,
    count: each,
  }));
  return { venue, categories, instruments };
}

type Files = Map<string, { type: string; body: string | Uint8Array }>;
const TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

async function pages(): Promise<Files> {
  const at = (name: string): string => join(import.meta.dirname, `${name}.html`);
  const built = await build({
    root: ROOT,
    logLevel: "warn",
    build: { write: false, rolldownOptions: { input: { ours: at("ours"), vanilla: at("vanilla") } } },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
  return new Map(
    outputs.map((one) => [
      `/${one.fileName}`,
      {
        type: TYPES[one.fileName.split(".").at(-1) ?? ""] ?? "application/octet-stream",
        body: one.type === "chunk" ? one.code : one.source,
      },
    ]),
  );
}

/** The few calls the pages make. */
const calls: Record<string, () => unknown> = {
  "/instruments/list": table,
  "/facts/since": () => ({ facts: [], newest: 0 }),
};

function answer(files: Files, request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const call = calls[path.slice(BASE_PATH.length)];
  if (path.startsWith(BASE_PATH) && call) {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ status: 1, msg: "", data: call() }));
    return;
  }
  const file = files.get(path);
  if (file) response.setHeader("content-type", file.type).end(file.body);
  else response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
}

const files = await pages();
const server = createServer((request, response) => answer(files, request, response));
const io = new Server<ClientEvents, ServerEvents>(server, { path: SOCKET_PATH, perMessageDeflate: false, maxHttpBufferSize: 1e5 });
let n = 0;

io.on("connection", (socket) => {
  socket.on("view", (_view, acknowledge) => {
    const flat: number[] = [];
    for (const quote of quotes) pushQuote(flat, quote);
    acknowledge({ n, at: Date.now(), phase: "open", quotes: flat, ranks: [], depth: null });
  });
});

let owed = 0;
setInterval(() => {
  owed = Math.min(owed + (ticksPerSecond * BATCH_MS) / 1000, ticksPerSecond);
  const moved = new Set<number>();
  for (; owed >= 1; owed -= 1) {
    const row = chance(rows);
    move(row);
    moved.add(row);
  }
  n += 1;
  const batch = [n, Date.now()];
  for (const row of moved) {
    const quote = quotes[row];
    if (quote) for (const field of QUOTE_FIELDS) batch.push(quote[field]);
  }
  io.emit("quotes", batch);
}, BATCH_MS);

process.on("message", (order: FeedOrder) => {
  ticksPerSecond = order.ticksPerSecond;
  if (order.rows !== quotes.length) quotes = Array.from({ length: order.rows }, (_, row) => quoteOf(row));
  rows = order.rows;
  process.send?.("done");
});
process.on("disconnect", () => process.exit(0));
quotes = Array.from({ length: rows }, (_, row) => quoteOf(row));
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
