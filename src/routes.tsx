/** The one route table: every path of the app, its screen, its tab, and whether it needs a session or is kept alive. */
import { ChartNoAxesCombined, House, ArrowDownUp, UserRound } from "lucide-react";
import { lazy } from "react";
import type { ComponentType } from "react";
import type en from "#locales/en.json";
import { allWords } from "#src/gateway/language.ts";
import { SEARCH, SIGN_IN, START } from "./paths.ts";

export type TitleKey = keyof typeof en.app.title;
export type TabName = keyof typeof en.tab;

export interface ScreenRoute {
  path: `/${string}`;
  /** Its name in the window's title: `app.title.<key>`. */
  title: TitleKey;
  Screen: ComponentType;
  /** The tab it belongs to. */
  tab?: TabName;
  /** A tab's root shows the tab bar on phones. */
  root?: boolean;
  /** Leaving and coming back restores scroll, tabs and typed text. */
  keep?: boolean;
  /** Open to anyone; every other route leads to the sign-in page when nobody is signed in. */
  open?: boolean;
}

/** A screen that is loaded when it is first shown, with what it says. */
function screen<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name, words = allWords): ComponentType {
  return lazy(async () => {
    const [loaded] = await Promise.all([load(), words()]);
    const Loaded: ComponentType = loaded[name];
    return { default: Loaded };
  });
}

/** What the screens one meets first say is there from the start. */
const firstWords = (): Promise<void> => Promise.resolve();

export const routes: readonly ScreenRoute[] = [
  { path: START, title: "start", open: true, Screen: screen(() => import("#src/screens/login/start.tsx"), "Start", firstWords) },
  { path: SIGN_IN, title: "signIn", open: true, Screen: screen(() => import("#src/screens/login/sign-in.tsx"), "SignIn", firstWords) },
  {
    path: "/login/reLogin",
    title: "signInAgain",
    open: true,
    Screen: screen(() => import("#src/screens/login/sign-in-again.tsx"), "SignInAgain", firstWords),
  },
  {
    path: "/home/index",
    title: "home",
    tab: "home",
    root: true,
    keep: true,
    Screen: screen(() => import("#src/screens/home/home.tsx"), "Home", firstWords),
  },
  {
    path: "/home/stockList",
    title: "stockList",
    tab: "home",
    keep: true,
    Screen: screen(() => import("#src/screens/home/stock-list.tsx"), "StockList"),
  },
  {
    path: "/favorite/index",
    title: "quotes",
    tab: "market",
    root: true,
    keep: true,
    Screen: screen(() => import("#src/screens/favorite/quotes.tsx"), "Quotes"),
  },
  { path: SEARCH, title: "search", tab: "market", Screen: screen(() => import("#src/screens/favorite/search.tsx"), "Search") },
  {
    path: "/market/stockDetail",
    title: "stockDetail",
    tab: "market",
    Screen: screen(() => import("#src/screens/market/stock-detail.tsx"), "StockDetail"),
  },
  {
    path: "/trade/index",
    title: "trade",
    tab: "trade",
    root: true,
    keep: true,
    Screen: screen(() => import("#src/screens/trade/trade.tsx"), "Trade"),
  },
  {
    path: "/trade/positionDetail",
    title: "positionDetail",
    tab: "trade",
    Screen: screen(() => import("#src/screens/trade/position-detail.tsx"), "PositionDetail"),
  },
  {
    path: "/information/index",
    title: "account",
    tab: "account",
    root: true,
    keep: true,
    Screen: screen(() => import("#src/screens/information/account.tsx"), "Account"),
  },
  {
    path: "/information/fundRecord",
    title: "fundRecords",
    tab: "account",
    Screen: screen(() => import("#src/screens/information/fund-records.tsx"), "FundRecords"),
  },
  {
    path: "/information/setting",
    title: "settings",
    tab: "account",
    Screen: screen(() => import("#src/screens/information/settings.tsx"), "Settings"),
  },
  {
    path: "/information/changeLang",
    title: "language",
    tab: "account",
    open: true,
    Screen: screen(() => import("#src/screens/information/language.tsx"), "Languages"),
  },
  {
    path: "/information/aboutUs",
    title: "about",
    tab: "account",
    open: true,
    Screen: screen(() => import("#src/screens/information/about.tsx"), "About"),
  },
  { path: "/lab/ui", title: "lab", open: true, Screen: screen(() => import("#src/screens/lab/ui.tsx"), "Furniture") },
];

/** The tabs in their order, with their icons; a tab whose root is not in the table is not shown. */
export const tabs: readonly { name: TabName; icon: ComponentType<{ size?: number }> }[] = [
  { name: "home", icon: House },
  { name: "market", icon: ChartNoAxesCombined },
  { name: "trade", icon: ArrowDownUp },
  { name: "account", icon: UserRound },
];

/** The route at a path; undefined when there is none. */
export function routeAt(path: string): ScreenRoute | undefined {
  return routes.find((route) => route.path === path);
}

/** Where a member begins: the root of the first tab there is. */
export function homePath(): string {
  const roots = tabs.flatMap(({ name }) => routes.filter((route) => route.tab === name && route.root === true));
  return roots[0]?.path ?? START;
}
