/** The route table: every path with its screen, its tab, and whether it needs a session or is kept alive. */
import { ChartNoAxesCombined, House, ArrowDownUp, Newspaper, UserRound } from "lucide-react";
import type { ComponentType } from "react";
import type { FurtherPart } from "#src/gateway/language.ts";
import { loadScreen, screen } from "./lazy-screen.ts";
import type { ScreenRoute, TabName, TitleKey } from "./lazy-screen.ts";
import { memberRoutes } from "./member-routes.ts";
import { HOME, SEARCH, SIGN_IN, START } from "./paths.ts";
import type { Path, PlainRoute, Route } from "./paths.ts";
import { saleRoutes } from "./sale-routes.ts";

/** The panes' library is a chunk of its own, which loads in parallel with the workspaces. */
const panes = () => import("#src/screens/workspace/panes.tsx");

const creditScreens = () => import("#src/screens/information/credit-screens.ts");
const depositScreens = () => import("#src/screens/information/deposit-screens.ts");
const withdrawalScreens = () => import("#src/screens/information/withdrawal-screens.ts");

/** Companions of wide pages that are no page of their own. */
const OrdersBoard = screen(() => import("#src/screens/workspace/orders-board.tsx"), "OrdersBoard", ["workspace"]);
const NewestArticle = screen(() => import("#src/screens/home/newest-article.tsx"), "NewestArticle");

/** A page of the account tab, beside its list in the wide layout. */
function accountPage<Name extends string>(
  title: TitleKey,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  parts: readonly FurtherPart[],
  list: PlainRoute = "/information/index",
): Omit<ScreenRoute, "path"> {
  return { list, title, tab: "account", Screen: screen(load, name, parts) };
}

/** The compiler requires a screen for every route of `paths.ts` and allows no other. */
const screens: Record<Route, Omit<ScreenRoute, "path">> = {
  ...memberRoutes,
  ...saleRoutes,
  [START]: { title: "start", open: true, Screen: screen(() => import("#src/screens/login/start.tsx"), "Start", "first") },
  [SIGN_IN]: {
    title: "signIn",
    open: true,
    Screen: screen(() => import("#src/screens/login/sign-in.tsx"), "SignIn", "first"),
  },
  "/login/reLogin": {
    title: "signInAgain",
    open: true,
    Screen: screen(() => import("#src/screens/login/sign-in-again.tsx"), "SignInAgain", "first"),
  },
  "/home/index": {
    beside: "/market/Plate",
    title: "home",
    tab: "home",
    root: true,
    keep: true,
    Screen: screen(() => import("#src/screens/home/home.tsx"), "Home", "first"),
  },
  "/home/stockList": {
    beside: "/market/Plate",
    title: "stockList",
    tab: "home",
    keep: true,
    Screen: screen(() => import("#src/screens/home/stock-list.tsx"), "StockList", "main"),
  },
  "/home/allTool": {
    beside: "/information/tradeRule",
    title: "allServices",
    tab: "home",
    Screen: screen(() => import("#src/screens/home/all-services.tsx"), "AllServices", ["later"]),
  },
  "/home/dayTrading": {
    list: "/home/allTool",
    title: "dayTrading",
    tab: "home",
    Screen: screen(() => import("#src/screens/home/day-trading.tsx"), "DayTradingPage", ["later", "documents"]),
  },
  "/home/margin": {
    list: "/home/allTool",
    title: "margin",
    tab: "home",
    Screen: screen(() => import("#src/screens/home/margin.tsx"), "MarginPage", ["later", "documents"]),
  },
  "/home/loan": accountPage("loan", creditScreens, "LoanPage", ["credit", "funding", "documents"]),
  "/home/loanRe": accountPage("loanRepay", creditScreens, "LoanRepayPage", ["credit", "funding"], "/home/loan"),
  "/home/newsList": {
    beside: NewestArticle,
    title: "news",
    tab: "news",
    root: true,
    keep: true,
    Screen: screen(() => import("#src/screens/home/news.tsx"), "News", "main"),
  },
  "/home/newsDetail": {
    list: "/home/newsList",
    title: "newsArticle",
    tab: "news",
    Screen: screen(() => import("#src/screens/home/news-article.tsx"), "NewsArticle"),
  },
  "/favorite/index": {
    beside: "/market/largeMarket",
    title: "quotes",
    tab: "market",
    root: true,
    keep: true,
    Screen: screen(() => import("#src/screens/favorite/quotes.tsx"), "Quotes", "main"),
  },
  "/favorite/indexCopy": {
    title: "quotes",
    tab: "market",
    root: true,
    Screen: screen(() => import("#src/screens/favorite/quotes-compact.tsx"), "QuotesCompact", "main"),
  },
  "/favorite/zxList": {
    beside: "/home/newsList",
    title: "watchlist",
    tab: "market",
    keep: true,
    Screen: screen(() => import("#src/screens/favorite/watchlist.tsx"), "Watchlist", "main"),
  },
  "/favorite/editSelf": {
    list: "/favorite/zxList",
    title: "watchlistEdit",
    tab: "market",
    Screen: screen(() => import("#src/screens/favorite/watchlist-edit.tsx"), "WatchlistEdit"),
  },
  "/favorite/moreList": {
    beside: "/market/Plate",
    title: "ranking",
    tab: "market",
    Screen: screen(() => import("#src/screens/favorite/ranking.tsx"), "Rankings", "main"),
  },
  "/favorite/categoryList": {
    beside: "/market/Plate",
    title: "categories",
    tab: "market",
    Screen: screen(() => import("#src/screens/favorite/category-browser.tsx"), "CategoryBrowser", "main"),
  },
  "/favorite/moreListCate": {
    list: "/favorite/categoryList",
    title: "categoryRanking",
    tab: "market",
    Screen: screen(() => import("#src/screens/favorite/category-ranking.tsx"), "CategoryRanking", "main"),
  },
  [SEARCH]: {
    beside: "/market/largeMarket",
    title: "search",
    tab: "market",
    Screen: screen(() => import("#src/screens/favorite/search.tsx"), "Search", "main"),
  },
  "/market/stockDetail": {
    title: "stockDetail",
    tab: "market",
    Screen: screen(() => import("#src/stock-detail.tsx"), "StockDetail"),
    Wide: screen(() => import("#src/stock-workspace.tsx"), "StockWorkspace", ["workspace"], panes),
  },
  "/market/stockDetailzs": {
    title: "indexDetail",
    tab: "market",
    Screen: screen(() => import("#src/screens/market/index-detail.tsx"), "IndexDetail"),
    Wide: screen(() => import("#src/screens/workspace/index-workspace.tsx"), "IndexWorkspace", ["workspace"], panes),
  },
  "/market/index": {
    beside: "/market/largeMarket",
    title: "market",
    tab: "market",
    keep: true,
    Screen: screen(() => import("#src/screens/market/market.tsx"), "Market", "main"),
  },
  "/market/Plate": {
    title: "sectorHeat",
    tab: "market",
    Screen: screen(() => import("#src/screens/market/categories.tsx"), "Categories", "main"),
  },
  "/market/Plate1": {
    title: "category",
    tab: "market",
    Screen: screen(() => import("#src/screens/market/category.tsx"), "Category", "main"),
  },
  "/market/largeMarket": {
    beside: "/market/Plate",
    title: "indices",
    tab: "market",
    Screen: screen(() => import("#src/screens/market/indices.tsx"), "Indices", "main"),
  },
  "/trade/index": {
    beside: OrdersBoard,
    title: "trade",
    tab: "trade",
    root: true,
    keep: true,
    Screen: screen(() => import("#src/screens/trade/trade.tsx"), "Trade"),
  },
  "/trade/positionDetail": {
    list: "/trade/index",
    title: "positionDetail",
    tab: "trade",
    Screen: screen(() => import("#src/screens/trade/position-detail.tsx"), "PositionDetail", ["block"]),
  },
  "/information/index": {
    beside: "/information/fundRecord",
    title: "account",
    tab: "account",
    root: true,
    keep: true,
    Screen: screen(() => import("#src/screens/information/account.tsx"), "Account", ["account"]),
  },
  "/information/userInfo": accountPage("messages", () => import("#src/screens/information/messages.tsx"), "Messages", ["account"]),
  "/information/msgInfo": accountPage(
    "message",
    () => import("#src/screens/information/message.tsx"),
    "MessagePage",
    ["account"],
    "/information/userInfo",
  ),
  "/information/alerts": accountPage("alerts", () => import("#src/screens/information/alerts.tsx"), "Alerts", ["account"]),
  "/information/fundRecord": accountPage("fundRecords", () => import("#src/screens/information/fund-records.tsx"), "FundRecords", [
    "account",
    "funding",
  ]),
  "/information/payBag": accountPage("wallet", () => import("#src/screens/information/wallet.tsx"), "WalletPage", ["account", "money"]),
  "/information/exChange": accountPage("conversion", () => import("#src/screens/information/conversion.tsx"), "ConversionPage", [
    "account",
    "money",
    "funding",
  ]),
  "/information/balance": accountPage(
    "balance",
    () => import("#src/screens/information/balance.tsx"),
    "BalancePage",
    ["account", "money"],
    "/information/payBag",
  ),
  "/information/movement": accountPage(
    "movement",
    () => import("#src/screens/information/movement.tsx"),
    "MovementPage",
    ["account", "money"],
    "/information/fundRecord",
  ),
  "/information/bankList": accountPage("bankCards", withdrawalScreens, "BankCards", ["funding"]),
  "/information/addBankCard": accountPage("bankCards", withdrawalScreens, "BankCardAdd", ["funding"]),
  "/information/usdtAddress": accountPage("walletAddresses", withdrawalScreens, "WalletAddresses", ["funding"]),
  "/information/cashOut": accountPage("withdraw", withdrawalScreens, "WithdrawPage", ["funding"]),
  "/information/withdrawalDetail": accountPage("withdrawal", withdrawalScreens, "WithdrawalPage", ["account", "funding"]),
  "/information/recharge": accountPage("deposit", depositScreens, "DepositPage", ["funding"]),
  "/information/rechargeChannel": accountPage(
    "deposit",
    depositScreens,
    "DepositChannelPage",
    ["account", "funding", "member", "money"],
    "/information/recharge",
  ),
  "/information/tradeRule": accountPage("tradeRules", () => import("#src/screens/information/trade-rules.tsx"), "TradeRules", [
    "later",
    "money",
  ]),
  "/information/setting": accountPage("settings", () => import("#src/screens/information/settings.tsx"), "Settings", ["account"]),
  "/information/kef": accountPage("support", () => import("#src/screens/information/support.tsx"), "Support", ["documents"]),
  "/information/userPrivacy": accountPage("privacy", () => import("#src/screens/information/privacy.tsx"), "PrivacyPage", ["documents"]),
  "/information/shou": accountPage("agreements", () => import("#src/screens/information/agreements.tsx"), "Agreements", ["documents"]),
  "/information/risk": accountPage("riskControls", () => import("#src/screens/information/risk-controls.tsx"), "RiskControls", ["account"]),
  "/information/credit": accountPage("credit", creditScreens, "CreditPage", ["credit"]),
  "/information/settlements": accountPage(
    "settlements",
    () => import("#src/screens/information/settlement-calendar.tsx"),
    "SettlementCalendar",
    ["account"],
  ),
  "/information/changeLang": {
    list: "/information/index",
    title: "language",
    tab: "account",
    open: true,
    Screen: screen(() => import("#src/screens/information/language.tsx"), "Languages", ["account"]),
  },
  "/information/aboutUs": {
    list: "/information/index",
    title: "about",
    tab: "account",
    open: true,
    Screen: screen(() => import("#src/screens/information/about.tsx"), "About", ["account", "later"]),
  },
  "/lab/load": { title: "load", open: true, Screen: screen(() => import("#src/screens/lab/load.tsx"), "Load", ["later"]) },
  "/lab/machines": {
    title: "machines",
    open: true,
    Screen: screen(() => import("#src/screens/lab/machines.tsx"), "Machines", ["later"]),
  },
  "/lab/ui": { title: "lab", open: true, Screen: screen(() => import("#src/screens/lab/ui.tsx"), "UiKit", ["account"]) },
};

export const routes: readonly ScreenRoute[] = Object.entries(screens).map(([path, of]) => ({ path: path as Route, ...of }));

/** The tabs in order, with their first route and icon. */
export const tabs: readonly { name: TabName; to: PlainRoute; icon: ComponentType<{ size?: number }> }[] = [
  { name: "home", to: HOME, icon: House },
  { name: "market", to: "/favorite/index", icon: ChartNoAxesCombined },
  { name: "news", to: "/home/newsList", icon: Newspaper },
  { name: "trade", to: "/trade/index", icon: ArrowDownUp },
  { name: "account", to: "/information/index", icon: UserRound },
];

/** The route at a path; undefined when there is none. */
export function routeAt(path: string): ScreenRoute | undefined {
  return routes.find((route) => route.path === path);
}

/** An address from outside (the address bar) as a path; null when it matches no route. */
export function knownPath(address: string): Path | null {
  return routeAt(address.split("?")[0] ?? "") ? (address as Path) : null;
}

/** Preload the screen at a path; a failed load is tried again when the screen is shown. */
export function loadAhead(path: string): void {
  const Screen = (routeAt(path) ?? screens[HOME])?.Screen;
  if (Screen) loadScreen(Screen);
}
