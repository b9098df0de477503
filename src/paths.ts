/** Every route of the app and its query: the compiler checks all links against this table. */
import type { Agreement, Remedy } from "#contract/eligibility.ts";
import type { Board } from "#contract/instrument.ts";
import type { Ranking } from "#contract/quote.ts";
import type { Strategy } from "#contract/strategy.ts";

/** A route that has no query. */
type Bare = Record<string, never>;

interface Routes {
  "/login/start": Bare;
  "/login/login": Bare;
  "/login/reLogin": Bare;
  "/login/start1": Bare;
  /** `code`: the invitation code of the link that led here. */
  "/login/register": { code?: string | undefined };
  "/login/forget": Bare;
  "/login/loginAfter": Bare;
  "/home/index": Bare;
  "/home/stockList": Bare;
  "/home/allTool": Bare;
  "/home/checkIn": Bare;
  "/home/dayTrading": Bare;
  "/home/margin": Bare;
  "/home/blockTrade": Bare;
  "/home/blockTrade1": { offer: string };
  "/home/blockTrade2": Bare;
  /** `view`: one of its tabs. */
  "/home/newStockJp": { view?: "bidding" | "notStarted" | "closed" | "won" | "mine" | undefined };
  "/home/newStockBuyJp": { code: string };
  /** A tab; or one fund by its code; or one savings plan, `new` for the form of another, on the instrument `code`. */
  "/home/etf": {
    part?: "raising" | "mine" | "savings" | undefined;
    fund?: string | undefined;
    plan?: string | undefined;
    code?: string | undefined;
  };
  /** A tab; or the form of a loan to one borrower, `own` for an offer at the member's own rate, of the order `orderNo`. */
  "/home/coupons": { part?: "demands" | "mine" | undefined; demand?: string | undefined; orderNo?: string | undefined };
  /** A tab; or one strategy; or what a run traded. */
  "/home/qcList": { part?: "strategies" | "mine" | undefined; strategy?: Strategy | undefined; run?: string | undefined };
  /** A tab; or one mentor; or what was copied of one. */
  "/home/fllow": { part?: "mentors" | "mine" | undefined; mentor?: string | undefined; copy?: string | undefined };
  /** `tab`: open, upcoming, drawn, listed or calendar. */
  "/home/newStock": { tab?: string | undefined };
  "/home/newStockBuy": { offering: string };
  "/home/newShareOrder": Bare;
  "/home/loan": Bare;
  /** One loan to pay back; without, the one that is due first. */
  "/home/loanRe": { no?: string | undefined };
  "/home/newsList": Bare;
  "/home/newsDetail": { id: string };
  "/favorite/index": Bare;
  "/favorite/indexCopy": Bare;
  "/favorite/zxList": { group?: string | undefined };
  "/favorite/editSelf": { group?: string | undefined };
  "/favorite/moreList": { by?: Ranking | undefined; board?: Board | undefined };
  "/favorite/categoryList": Bare;
  "/favorite/moreListCate": { board: Board; category: string; by?: Ranking | undefined };
  "/favorite/search": Bare;
  /** `side` opens the order ticket on it. */
  "/market/stockDetail": { code?: string | undefined; side?: "buy" | "sell" | undefined };
  "/market/stockDetailzs": { code: string };
  "/market/index": { board?: Board | "subscription" | "auction" | undefined };
  "/market/Plate": {
    board?: Board | undefined;
    view?: "map" | "list" | undefined;
    by?: "change" | "turnover" | "breadth" | undefined;
    up?: "1" | undefined;
  };
  "/market/Plate1": { board: Board; category: string };
  "/market/largeMarket": Bare;
  "/trade/index": { position?: string | undefined };
  "/trade/positionDetail": { orderNo: string };
  "/information/index": Bare;
  "/information/userInfo": Bare;
  "/information/msgInfo": { id: string };
  "/information/alerts": Bare;
  "/information/fundRecord": Bare;
  "/information/bankList": Bare;
  "/information/addBankCard": Bare;
  "/information/usdtAddress": Bare;
  "/information/cashOut": Bare;
  "/information/withdrawalDetail": { no: string };
  "/information/payBag": Bare;
  "/information/exChange": { from?: string | undefined; to?: string | undefined };
  "/information/balance": { currency: string; pocket: string };
  "/information/movement": { no: string };
  "/information/recharge": Bare;
  /** `channel` to pay on, or the deposit `no` to follow. */
  "/information/rechargeChannel": { channel?: string | undefined; no?: string | undefined };
  "/information/tradeRule": { code?: string | undefined };
  "/information/setting": Bare;
  "/information/kef": Bare;
  "/home/crypto": Bare;
  "/home/options": {
    part?: "chain" | "mine" | "trades" | undefined;
    month?: string | undefined;
    series?: string | undefined;
    /** Two positions to be closed together: their numbers with a hyphen between them. */
    pair?: string | undefined;
    close?: string | undefined;
  };
  "/home/futures": { part?: "contracts" | "mine" | "trades" | undefined; code?: string | undefined };
  "/information/userPrivacy": Bare;
  /** One agreement's text, else the list. */
  "/information/shou": { kind?: Agreement | undefined };
  "/information/agent": Bare;
  "/information/seat": Bare;
  "/information/risk": Bare;
  "/information/credit": Bare;
  "/information/settlements": Bare;
  "/information/changeLang": Bare;
  "/information/aboutUs": Bare;
  "/information/authInfo": Bare;
  "/information/loginPass": Bare;
  "/information/fundPass": Bare;
  "/lab/load": Bare;
  "/lab/machines": Bare;
  "/lab/ui": Bare;
}

export type Route = keyof Routes;

/** The query of a route's address. */
export type QueryOf<R extends Route> = Routes[R];

/** A route that is valid without a query. */
export type PlainRoute = { [R in Route]: Bare extends Routes[R] ? R : never }[Route];

declare const address: unique symbol;

/** Where a link may lead: a route that needs no query, or an address made by `pathTo`. */
export type Path = PlainRoute | (string & { readonly [address]: "path" });

/** A query's entries; undefined values are left out. */
export function entriesOf(query: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
}

/** The address of a route with its query. */
export function pathTo<R extends Route>(route: R, query: QueryOf<R>): Path {
  const text = new URLSearchParams(entriesOf(query)).toString();
  return (text === "" ? route : `${route}?${text}`) as Path;
}

export const START = "/login/start";
export const SIGN_IN = "/login/login";
export const HOME = "/home/index";
export const SEARCH = "/favorite/search";

const REMEDIES: Partial<Record<Remedy, Path>> = {
  "/information/authInfo": "/information/authInfo",
  "/information/fundPass": "/information/fundPass",
  "/information/payBag": "/information/payBag",
  "/information/shou": "/information/shou",
  "/information/credit": "/information/credit",
  "/home/loanRe": "/home/loanRe",
};

/** Where a member supplies what is missing; null where no screen of theirs can. */
export function remedyPath(remedy: Remedy | null): Path | null {
  return remedy === null ? null : (REMEDIES[remedy] ?? null);
}
