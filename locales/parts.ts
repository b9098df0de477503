/** The part of a language that each text belongs to. Parts load separately: a screen waits for those it needs (`src/routes.tsx`). */
import type en from "./en.json";

/** Every text and every group of texts: `market`, `market.board`, `market.board.otc`. */
type Texts<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : Key | `${Key}.${Texts<Tree[Key]>}`;
}[keyof Tree & string];

/**
 * The texts outside the main part, as groups or single texts; whatever is not named here is in `main`, which nearly every screen waits
 * for. The longest match decides.
 */
export const PARTS = {
  /** The shell, the UI kit, sign-in and the top of the home screen. */
  first: [
    "app",
    "ui",
    "tab",
    "login",
    "home.assetsFailed",
    "home.shortcuts",
    "home.start",
    "home.title",
    "home.today",
    "home.totalAssets",
    "home.way",
    "market.board",
    "market.indices",
    "market.list",
    "market.listFailed",
    "market.lists",
    "market.noRanking",
    "favorite.allGroups",
    "favorite.find",
    "favorite.firstGroup",
    "favorite.groups",
    "favorite.noneTitle",
    "favorite.noneWhy",
    "favorite.wholeRanking",
    "favorite.wholeWatchlist",
    "ranking.column",
  ],
  /** The account tab's screens, announcements with the names in them, and exported files. */
  account: ["information", "message", "report", "settlement", "risk", "export", "strategy.name", "copy.strategy"],
  /** Currencies, wallets and the ledger lines behind them. */
  money: ["wallet", "conversion"],
  /** Sheets whose code loads when they are opened: the profit breakdown and the chart's tools. */
  sheets: [
    "profit",
    "chart.adjust",
    "chart.adjustSays",
    "chart.adjustment",
    "chart.comparison",
    "chart.macdPrice",
    "chart.mainOverLine",
    "chart.parameter",
    "chart.parameters",
    "chart.shapes",
    "chart.studyName",
    "chart.subMost",
    "chart.tableTitle",
    "chart.usual",
    "chart.wrong",
    "market.investor",
    "market.newIssue",
  ],
  /** Refusals, for the screens that have a form or say why something is blocked, and for every call that is refused. */
  refusals: ["refusal"],
  /** Registration, the checklist after it, identity and passwords. */
  member: ["member"],
  /** Money in and out. */
  funding: [
    "funding",
    "deposit",
    "card",
    "address",
    "withdrawal",
    "refusal.PWD_CHANNEL_LOCKED",
    "refusal.PWD_CHANNEL_NOT_SET",
    "refusal.PWD_CHANNEL_WRONG",
    "refusal.FUND_TX_USED",
    "refusal.FUND_DEBT_BLOCKS_WITHDRAW",
    "refusal.VAL_CHANNEL_PASSWORD",
    "refusal.VAL_PROOF_REQUIRED",
    "refusal.VAL_TX_HASH",
    "refusal.WAL_EXISTS",
    "refusal.WAL_INVALID",
    "refusal.WAL_NOT_FOUND",
  ],
  /** Block trades, and rare reasons of a fill. */
  block: [
    "block",
    "refusal.TRD_BLOCK_CLOSED",
    "refusal.TRD_BLOCK_DAILY_LIMIT",
    "refusal.TRD_BLOCK_ENDED",
    "refusal.TRD_BLOCK_MIN",
    "refusal.TRD_BLOCK_MOVED",
    "refusal.TRD_BLOCK_QUOTA",
    "refusal.TRD_BLOCK_SHORT",
    "order.origin",
    "order.why.block",
    "order.why.missedCall",
  ],
  /** New shares and bonds. */
  offering: [
    "offering",
    "subscription",
    "refusal.TRD_NEW_SHARE_CLOSED",
    "refusal.TRD_NEW_BOND_CLOSED",
    "refusal.TRD_ALREADY_SUBSCRIBED",
    "refusal.TRD_SINGLE_SUBSCRIPTION",
    "refusal.TRD_MIN_SUBSCRIPTION",
    "refusal.TRD_SUBSCRIBE_BARRED",
  ],
  /** Fund raisings and savings plans. */
  fund: [
    "fund",
    "raise",
    "savings",
    "refusal.TRD_RAISE_ENDED",
    "refusal.TRD_RAISE_QUOTA_INSUFFICIENT",
    "refusal.TRD_SAVINGS_ENDED",
    "refusal.TRD_SAVINGS_NOT_ACTIVE",
    "refusal.TRD_SAVINGS_NOT_PAUSED",
    "refusal.VAL_DAY_OF_MONTH",
  ],
  /** Securities lending. */
  lending: [
    "lending",
    "refusal.TRD_LEND_QUOTA_FULL",
    "refusal.TRD_LEND_CLOSED",
    "refusal.TRD_LEND_MIN",
    "refusal.TRD_LEND_INELIGIBLE",
    "refusal.TRD_LEND_NOT_OFFERED",
    "refusal.TRD_LEND_NOT_LENT",
    "refusal.VAL_LEND_RATE",
  ],
  /** Strategies. */
  strategy: [
    "strategy",
    "refusal.TRD_STRATEGY_RUNNING",
    "refusal.TRD_STRATEGY_ENDED",
    "refusal.TRD_STRATEGY_NOT_RUNNING",
    "refusal.TRD_STRATEGY_NOT_PAUSED",
    "refusal.TRD_STRATEGY_NO_HISTORY",
  ],
  /** Futures. */
  futures: [
    "futures",
    "refusal.TRD_CONTRACT_NO_QUOTE",
    "refusal.TRD_CONTRACT_PRICE",
    "refusal.TRD_OPTION_NET_PAID",
    "refusal.TRD_OPTION_NET_RECEIVED",
    "refusal.TRD_CONTRACT_LOTS",
    "refusal.TRD_OPTION_LOTS",
    "refusal.TRD_OPTION_OPPOSITE",
    "refusal.TRD_CONTRACT_MARGIN",
  ],
  /** Options; what they share with futures is in the part of these. */
  options: ["options"],
  /** Crypto. */
  crypto: ["crypto"],
  /** Copy trading. */
  copy: [
    "copy",
    "refusal.TRD_COPY_DEADLINE",
    "refusal.TRD_COPY_REMOVED",
    "refusal.TRD_COPY_FOLLOWING",
    "refusal.TRD_COPY_FULL",
    "refusal.TRD_COPY_ENDED",
    "refusal.TRD_COPY_NOT_ACTIVE",
    "refusal.TRD_COPY_NOT_PAUSED",
  ],
  /** Competitive auctions. */
  auction: [
    "auction",
    "refusal.AUC_NOT_STARTED",
    "refusal.AUC_ENDED",
    "refusal.AUC_LOTS_MIN",
    "refusal.AUC_LOTS_MAX",
    "refusal.AUC_BIDS_MAX",
    "refusal.VAL_BID_MIN",
  ],
  /** The credit score and credit loans. */
  credit: ["credit", "loan"],
  /** The wide layout. */
  workspace: ["workspace"],
  /** Check-ins, vouchers, agents and seats. */
  rewards: ["reward", "agency"],
  /** Agreements, privacy, devices and passkeys. */
  documents: [
    "agreement",
    "support",
    "privacy",
    "refusal.ACC_CLOSE_OPEN",
    "passkey",
    "device",
    "refusal.PASSKEY_UNAVAILABLE",
    "refusal.PASSKEY_INVALID",
    "refusal.PASSKEY_EXISTS",
    "refusal.PASSKEY_REFUSED",
    "refusal.VAL_PASSKEY_NAME",
  ],
  /** Rules, applications and the lab. */
  later: ["rule", "margin", "dayTrading", "machines", "load", "service"],
} as const satisfies Record<string, readonly Texts<typeof en>[]>;

export type Part = keyof typeof PARTS | "main";

const parts = new Map<string, Part>(
  Object.entries(PARTS).flatMap(([part, texts]) => texts.map((text): [string, Part] => [text, part as Part])),
);

/** The part of a text: that of the text itself or of the closest group around it. */
export function partOf(text: string): Part {
  const dot = text.lastIndexOf(".");
  return parts.get(text) ?? (dot < 0 ? "main" : partOf(text.slice(0, dot)));
}
