/** Every service of the app by group, with its route and icon. */
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import {
  Armchair,
  ArrowDownUp,
  BadgePercent,
  Bell,
  BellRing,
  Boxes,
  CalendarCheck,
  CalendarClock,
  CalendarDays,
  CopyPlus,
  FileSignature,
  Fingerprint,
  Headset,
  ChartNoAxesCombined,
  Gauge,
  Gavel,
  Globe,
  Grid2x2,
  HandCoins,
  Handshake,
  Info,
  Landmark,
  Languages,
  LayoutList,
  List,
  ListOrdered,
  Newspaper,
  PiggyBank,
  Receipt,
  Scale,
  Search,
  Settings2,
  ShieldCheck,
  SlidersHorizontal,
  Sprout,
  Star,
  Table2,
  Ticket,
  TrendingUp,
  Undo2,
  UsersRound,
  Workflow,
} from "lucide-react";
import type { ComponentType } from "react";

interface Service {
  key: string;
  to: Path;
  icon: ComponentType<{ size?: number }>;
}

/** Services that only verified members can use fully. */
export const NEEDS_IDENTITY: ReadonlySet<string> = new Set([
  "trade",
  "offering",
  "auction",
  "fund",
  "savings",
  "block",
  "lending",
  "copy",
  "dayTrading",
  "margin",
  "loan",
  "checkIn",
  "agent",
  "seat",
]);

/** In display order. */
export const SERVICES = [
  {
    group: "market",
    services: [
      { key: "quotes", to: "/favorite/index", icon: ChartNoAxesCombined },
      { key: "markets", to: "/market/index", icon: Globe },
      { key: "indices", to: "/market/largeMarket", icon: TrendingUp },
      { key: "sectors", to: "/market/Plate", icon: Grid2x2 },
      { key: "rankings", to: "/favorite/moreList", icon: ListOrdered },
      { key: "categories", to: "/favorite/categoryList", icon: LayoutList },
      { key: "stocks", to: "/home/stockList", icon: List },
      { key: "search", to: "/favorite/search", icon: Search },
      { key: "news", to: "/home/newsList", icon: Newspaper },
    ],
  },
  {
    group: "follow",
    services: [
      { key: "watchlist", to: "/favorite/zxList", icon: Star },
      { key: "table", to: "/favorite/indexCopy", icon: Table2 },
      { key: "editWatchlist", to: "/favorite/editSelf", icon: SlidersHorizontal },
      { key: "alerts", to: "/information/alerts", icon: BellRing },
      { key: "messages", to: "/information/userInfo", icon: Bell },
    ],
  },
  {
    group: "account",
    services: [
      { key: "trade", to: "/trade/index", icon: ArrowDownUp },
      { key: "dayTrading", to: "/home/dayTrading", icon: CalendarClock },
      { key: "offering", to: "/home/newStock", icon: Ticket },
      { key: "auction", to: "/home/newStockJp", icon: Gavel },
      { key: "fund", to: "/home/etf", icon: Sprout },
      { key: "savings", to: pathTo("/home/etf", { part: "savings" }), icon: PiggyBank },
      { key: "block", to: "/home/blockTrade", icon: Boxes },
      { key: "lending", to: "/home/coupons", icon: Handshake },
      { key: "copy", to: "/home/fllow", icon: CopyPlus },
      { key: "margin", to: "/home/margin", icon: Landmark },
      { key: "loan", to: "/home/loan", icon: HandCoins },
      { key: "loanRepay", to: "/home/loanRe", icon: Undo2 },
      { key: "credit", to: "/information/credit", icon: BadgePercent },
      { key: "checkIn", to: "/home/checkIn", icon: CalendarCheck },
      { key: "agent", to: "/information/agent", icon: UsersRound },
      { key: "seat", to: "/information/seat", icon: Armchair },
      { key: "records", to: "/information/fundRecord", icon: Receipt },
      { key: "settlements", to: "/information/settlements", icon: CalendarDays },
      { key: "risk", to: "/information/risk", icon: ShieldCheck },
      { key: "rules", to: "/information/tradeRule", icon: Scale },
      { key: "agreements", to: "/information/shou", icon: FileSignature },
      { key: "privacy", to: "/information/userPrivacy", icon: Fingerprint },
      { key: "support", to: "/information/kef", icon: Headset },
      { key: "settings", to: "/information/setting", icon: Settings2 },
      { key: "language", to: "/information/changeLang", icon: Languages },
      { key: "about", to: "/information/aboutUs", icon: Info },
      { key: "load", to: "/lab/load", icon: Gauge },
      { key: "machines", to: "/lab/machines", icon: Workflow },
    ],
  },
] as const satisfies readonly { group: string; services: readonly Service[] }[];
