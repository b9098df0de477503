/** Test double of the exchanges' web services: open data and quotes in their formats, with faults on demand. */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The faults of the next quote calls, one each. */
export type Fault = "silence" | "ban" | "page" | "redirection" | "garbage" | "cut" | "wrongCode";

/** One row of the quote service, values as strings; a TWSE stock unless given otherwise. */
export type QuoteRow = Record<string, string> & { c: string };

export interface ReceivedCall {
  path: string;
  at: number;
  channels: string[];
  cookie: string;
}

export interface Exchange {
  url: string;
  /** All calls so far, and the maximum number of concurrent ones. */
  calls: ReceivedCall[];
  mostAtOnce: number;
  faults: Fault[];
  /** By channel. */
  rows: Map<string, QuoteRow>;
  /** The service's clock minus ours, in milliseconds. */
  skewMs: number;
  /** The delay it asks for, in milliseconds. */
  userDelay: number;
  /** Open data, by the last part of the path; a missing list gives 404. */
  lists: Map<string, unknown>;
  stop(): Promise<void>;
}

const two = (n: number): string => String(n).padStart(2, "0");

/** A moment in Taipei as the service writes it. */
export function written(at: number): { d: string; t: string; tlong: string } {
  const date = new Date(at + 8 * 3_600_000);
  const d = `${date.getUTCFullYear()}${two(date.getUTCMonth() + 1)}${two(date.getUTCDate())}`;
  return { d, t: `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`, tlong: String(at) };
}

/** A row of a stock with trades; `over` replaces fields. */
export function quoteRow(code: string, at: number, over: Record<string, string> = {}): QuoteRow {
  return {
    c: code,
    ch: `${code}.tw`,
    ex: "tse",
    n: code,
    ...written(at),
    y: "98.0000",
    o: "99.0000",
    h: "101.0000",
    l: "98.5000",
    z: "100.0000",
    tv: "5",
    v: "500",
    u: "107.5000",
    w: "88.2000",
    b: "100.0000_99.9000_99.8000_99.7000_99.6000_",
    g: "7_8_9_10_11_",
    a: "100.5000_101.0000_101.5000_102.0000_102.5000_",
    f: "5_10_15_20_25_",
    ts: "0",
    ...over,
  };
}

function answerQuotes(exchange: Exchange, channels: readonly string[]): string {
  const { d, t } = written(Date.now() + exchange.skewMs);
  return JSON.stringify({
    msgArray: channels.flatMap((channel) => exchange.rows.get(channel) ?? []),
    referer: "",
    userDelay: exchange.userDelay,
    rtcode: "0000",
    queryTime: { sysDate: d, sysTime: t, stockInfoItem: 1, sessionStr: "UserSession" },
    rtmessage: "OK",
  });
}

function answerWithFault(fault: Fault, response: ServerResponse): void {
  if (fault === "silence") return;
  if (fault === "cut") response.destroy();
  else if (fault === "ban") response.writeHead(403).end("<html>Access denied</html>");
  else if (fault === "redirection") response.writeHead(302, { location: "/blocked" }).end();
  else if (fault === "page") response.writeHead(200, { "content-type": "text/html" }).end("\n<!DOCTYPE html><p>Too many requests</p>");
  else if (fault === "garbage") response.end('{"msgArray":[{"c":"2330","z":"1');
  else response.end(JSON.stringify({ rtcode: "9999", rtmessage: "error", msgArray: [] }));
}

function serve(exchange: Exchange, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://exchange.test");
  const channels = (searchParams.get("ex_ch") ?? "").split("|").filter((channel) => channel !== "");
  exchange.calls.push({ path: pathname, at: performance.now(), channels, cookie: request.headers.cookie ?? "" });
  if (pathname === "/stock/index.jsp") {
    response.setHeader("set-cookie", [`JSESSIONID=${exchange.calls.length}; Path=/stock`, "seen=1; HttpOnly"]);
    response.end("<html>quotes</html>");
  } else if (pathname === "/stock/api/getStockInfo.jsp") {
    const fault = exchange.faults.shift();
    if (fault) answerWithFault(fault, response);
    else response.end(answerQuotes(exchange, channels));
  } else {
    const list = exchange.lists.get(pathname.split("/").at(-1) ?? "");
    if (list === undefined) response.writeHead(404).end("not here");
    else response.end(JSON.stringify(list));
  }
}

/** Starts the service on a free port, with no rows and no lists. */
export async function openExchange(): Promise<Exchange> {
  let concurrent = 0;
  const server: Server = createServer((request, response) => {
    concurrent += 1;
    exchange.mostAtOnce = Math.max(exchange.mostAtOnce, concurrent);
    response.on("close", () => (concurrent -= 1));
    serve(exchange, request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const exchange: Exchange = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    mostAtOnce: 0,
    faults: [],
    rows: new Map(),
    skewMs: 0,
    userDelay: 0,
    lists: new Map(),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return exchange;
}

/**
 * The lists of both boards: 2330 and 2317 in industries 24 and 31, an ETF, 6488 on the OTC board, and warrants, which are not
 * traded here.
 */
export function fillLists({ lists }: Exchange, listedDate = "1150226"): void {
  const listed = (Code: string, Name: string, price: string, TradeVolume: string): Record<string, string> => ({
    Date: listedDate,
    Code,
    Name,
    TradeVolume,
    TradeValue: "1",
    OpeningPrice: price,
    HighestPrice: price,
    LowestPrice: price,
    ClosingPrice: price,
    Change: "-2.0000",
    Transaction: "9",
  });
  lists.set("STOCK_DAY_ALL", [
    listed("0050", "元大台灣50", "60.5500", "12,000,500"),
    listed("2330", "台積電", "98.0000", "30,000,000"),
    listed("2317", "鴻海", "", ""),
    listed("030001", "某認購權證", "1.0000", "5,000"),
  ]);
  lists.set("t187ap03_L", [
    { 公司代號: "2330", 產業別: "24", 英文簡稱: "TSMC", 已發行普通股數或TDR原股發行股數: "25930380458", 上市日期: "19940905" },
    { 公司代號: "2317", 產業別: "31", 英文簡稱: "HON HAI", 已發行普通股數或TDR原股發行股數: "13,862,990,000", 上市日期: "19910618" },
  ]);
  lists.set("tpex_mainboard_quotes", [
    {
      Date: listedDate,
      SecuritiesCompanyCode: "6488",
      CompanyName: "環球晶",
      Close: "512.00",
      Change: "+3.50 ",
      Open: "510.00",
      High: "515.00",
      Low: "508.00",
      TradingShares: "2,345,678",
    },
    { Date: listedDate, SecuritiesCompanyCode: "700001", CompanyName: "某權證", Close: "1.00", Change: "0.00" },
  ]);
  lists.set("mopsfin_t187ap03_O", [
    { SecuritiesCompanyCode: "6488", SecuritiesIndustryCode: "24", Symbol: "GWC", IssueShares: "478000000", DateOfListing: "20150925" },
  ]);
}
