/**
 * The routes of what is sold outside continuous trading, or traded by the broker for the member: block trades, auctions, new shares, funds,
 * regular savings, lending, copy trading, strategies, futures and options.
 */
import { screen } from "./lazy-screen.ts";
import type { ScreenRoute } from "./lazy-screen.ts";
import type { Route } from "./paths.ts";

const auctionScreens = () => import("#src/screens/home/auction-screens.ts");
const blockScreens = () => import("#src/screens/home/block-screens.ts");
const newShareScreens = () => import("#src/screens/home/new-share-screens.ts");

export const saleRoutes = {
  "/home/blockTrade": {
    beside: "/home/blockTrade2",
    title: "block",
    tab: "home",
    keep: true,
    Screen: screen(blockScreens, "BlockOffers", ["block"]),
  },
  "/home/blockTrade1": {
    list: "/home/blockTrade",
    title: "block",
    tab: "home",
    Screen: screen(blockScreens, "BlockBuy", ["block", "later"]),
  },
  "/home/blockTrade2": {
    list: "/home/blockTrade",
    title: "block",
    tab: "home",
    keep: true,
    Screen: screen(blockScreens, "BlockOrders", ["block", "account", "later"]),
  },
  "/home/newStockJp": {
    list: "/home/allTool",
    title: "auctions",
    tab: "home",
    keep: true,
    Screen: screen(auctionScreens, "Auctions", ["auction", "later"]),
  },
  "/home/newStockBuyJp": {
    list: "/home/newStockJp",
    title: "auctions",
    tab: "home",
    Screen: screen(auctionScreens, "AuctionPage", ["auction", "later"]),
  },
  "/home/etf": {
    list: "/home/allTool",
    title: "funds",
    tab: "home",
    keep: true,
    one: ["fund", "plan"],
    Screen: screen(() => import("#src/screens/home/fund-screens.ts"), "FundsPage", ["fund", "later"]),
  },
  "/home/coupons": {
    list: "/home/allTool",
    title: "lending",
    tab: "home",
    Screen: screen(() => import("#src/screens/home/lending.tsx"), "LendingPage", ["lending", "fund", "later"]),
  },
  "/home/fllow": {
    list: "/home/allTool",
    title: "copy",
    tab: "home",
    Screen: screen(() => import("#src/screens/home/copy.tsx"), "CopyPage", ["account", "copy", "fund", "later"]),
  },
  "/home/qcList": {
    list: "/home/allTool",
    title: "strategy",
    tab: "home",
    Screen: screen(() => import("#src/screens/home/strategy.tsx"), "StrategyPage", ["account", "strategy", "fund", "later"]),
  },
  "/home/crypto": {
    list: "/home/allTool",
    title: "crypto",
    tab: "home",
    keep: true,
    Screen: screen(() => import("#src/screens/home/crypto.tsx"), "CryptoPage", ["crypto"]),
  },
  "/home/futures": {
    list: "/home/allTool",
    title: "futures",
    tab: "home",
    Screen: screen(() => import("#src/screens/home/futures.tsx"), "FuturesPage", ["futures", "fund", "later"]),
  },
  "/home/options": {
    list: "/home/allTool",
    title: "options",
    tab: "home",
    Screen: screen(() => import("#src/screens/home/options.tsx"), "OptionsPage", ["options", "futures", "fund", "later"]),
  },
  "/home/newStock": {
    beside: "/home/newShareOrder",
    title: "offering",
    tab: "home",
    keep: true,
    Screen: screen(newShareScreens, "NewShares", ["offering"]),
  },
  "/home/newStockBuy": {
    list: "/home/newStock",
    title: "offering",
    tab: "home",
    Screen: screen(newShareScreens, "NewShareApply", ["offering", "later"]),
  },
  "/home/newShareOrder": {
    list: "/home/newStock",
    title: "offering",
    tab: "home",
    keep: true,
    Screen: screen(newShareScreens, "NewShareRecords", ["offering", "later"]),
  },
} satisfies Partial<Record<Route, Omit<ScreenRoute, "path">>>;
