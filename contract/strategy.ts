/** Strategies: trading by published rules on daily closes, their back-tests on past prices, and the lifecycle and commands of a member's runs. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { StrategyRule } from "./strategy-rule.ts";

/**
 * The strategies, told in words by the locale: the cross of two averages, the breakout of a channel, the reversion of a weak market, a grid,
 * a holding sized by how much the price moves, the monthly rotation into the strongest, and one whose rule is learned from past prices.
 */
export const STRATEGIES = ["cross", "breakout", "reversion", "grid", "volatility", "rotation", "learned"] as const;
export const Strategy = z.enum(STRATEGIES);
export type Strategy = z.infer<typeof Strategy>;

/** What strategies trade: stocks and funds whose lot costs little, so that small amounts can follow their rules. */
export const STRATEGY_CODES = ["0056", "00878", "00919", "00929", "2884", "2883", "2002", "2409"] as const;
/** Those that trade all of them; the others trade the one that the member chooses. */
export const MANY_CODES: readonly Strategy[] = ["rotation"];

/** Trading days of a back-test, and those before it that the rules look back on. */
export const BACKTEST_DAYS = 500;
export const WARM_UP_DAYS = 270;

/**
 * The lifecycle of a run; the same words in SQL, machine and locale (`strategy.status.*`). Paused, it neither buys nor sells, but for its
 * loss; `stopping`: what it bought is being sold at the market.
 */
export const RUN_STATUSES = ["running", "paused", "stopping", "stopped"] as const;
export const RunStatus = z.enum(RUN_STATUSES);
export type RunStatus = z.infer<typeof RunStatus>;

/** What happens to a run. `strategy.decided`: a day's rule was carried out, whether or not there was anything to do; `strategy.sold`: a stopping run sold what could be sold. */
export const STRATEGY_FACTS = [
  "strategy.started",
  "strategy.decided",
  "strategy.paused",
  "strategy.resumed",
  "strategy.stopping",
  "strategy.sold",
  "strategy.stopped",
] as const;
export const StrategyFactType = z.enum(STRATEGY_FACTS);
export type StrategyFactType = z.infer<typeof StrategyFactType>;

/** Why it stopped: the member's wish, or the loss it was to stop at. */
export const RUN_ENDS = ["member", "loss"] as const;
export const RunEnd = z.enum(RUN_ENDS);
export type RunEnd = z.infer<typeof RunEnd>;

/**
 * Why a purchase of a rule was left out: the part of the amount is less than a lot; the amount is used up; too little money; a debt; the
 * member may not trade now, or has limited themselves; it could not be bought; it is traded by calls alone; or nothing was to be had near the last price.
 */
export const RUN_OMISSIONS = ["tooSmall", "amount", "money", "debt", "restricted", "untradable", "calls", "thin"] as const;
export const RunOmission = z.enum(RUN_OMISSIONS);
export type RunOmission = z.infer<typeof RunOmission>;

export const RunNo = z.string().check(z.regex(/^Q\d{1,12}$/, "GEN_NOT_FOUND"));
/** The part of the amount that a rule wants in one instrument, in thousandths. */
const Weight = z.object({ code: Code, perMille: z.int() });
export type Weight = z.infer<typeof Weight>;

/** A member's run of one strategy. */
export const StrategyRun = z.object({
  runNo: RunNo,
  strategy: Strategy,
  /** What it trades; null for one that trades all of `STRATEGY_CODES`. */
  code: z.nullable(Code),
  status: RunStatus,
  /** The most that lies in it at once. */
  amountCents: Cents,
  /** The loss at which it stops, in percent of the amount. */
  stopPercent: z.int(),
  startedAt: EpochMs,
  endedAt: z.nullable(EpochMs),
  reason: z.nullable(RunEnd),
  /** The member stopped it and kept what it bought. */
  kept: z.boolean(),
  /** What the rule wanted at its latest decision; empty before the first. */
  wanted: z.array(Weight),
  /** When it was carried out last; null for never. */
  decidedAt: z.nullable(EpochMs),
  bought: z.int(),
  sold: z.int(),
  leftOut: z.int(),
  /** Increases with every change, to tell which of two is newer. */
  version: z.int(),
});
export type StrategyRun = z.infer<typeof StrategyRun>;

/** What lies in a run now: bought for so much and not sold, realised so far, and at the last price. */
export const RunValuation = z.object({ runNo: RunNo, costCents: Cents, realisedCents: Cents, unrealisedCents: Cents });
export type RunValuation = z.infer<typeof RunValuation>;

/** One purchase or sale that a rule wanted. */
export const RunTrade = z.object({
  id: z.int(),
  runNo: RunNo,
  at: EpochMs,
  side: z.enum(["buy", "sell"]),
  code: Code,
  /** What was wanted, and what was traded of it at once; the rest of a sale stays in the market. */
  wantedLots: z.int(),
  lots: z.int(),
  orderNo: z.nullable(OrderNo),
  leftOut: z.nullable(RunOmission),
});
export type RunTrade = z.infer<typeof RunTrade>;

export const isOpenRun = ({ status }: Pick<StrategyRun, "status">): boolean => status !== "stopped";

/** A purchase or sale of a back-test, at the opening price of a day and one tick against it. */
export const BacktestTrade = z.object({
  at: EpochMs,
  side: z.enum(["buy", "sell"]),
  code: Code,
  lots: z.int(),
  price: Price,
  costCents: Cents,
});
export type BacktestTrade = z.infer<typeof BacktestTrade>;

/** What the learned rule weighs, in the order of its weights. */
export const LEARNED_FEATURES = ["day", "week", "month", "volume", "breadth"] as const;

/** A back-test: a strategy on past prices, with fees and tax, each decision carried out at the next day's opening. */
export const Backtest = z.object({
  strategy: Strategy,
  code: z.nullable(Code),
  amountCents: Cents,
  /** Flat: the day, the value of the strategy and the value of having held instead, in cents, at each close. */
  curve: z.array(z.int()),
  profitCents: Cents,
  heldProfitCents: Cents,
  /** Fees and tax in the profit. */
  costCents: Cents,
  /** The deepest fall from a value before it, in millionths. */
  drawdownPerMillion: z.int(),
  heldDrawdownPerMillion: z.int(),
  /** Sales, and those of them with a gain. */
  sales: z.int(),
  gains: z.int(),
  /** The latest of them, newest first. */
  trades: z.array(BacktestTrade),
  /** Of the learned rule: the weight of each of `LEARNED_FEATURES` as learned last, in thousandths; null for the others. */
  weights: z.nullable(z.array(z.int())),
  /** Of the learned rule: days it said would rise, and those of them that did; none of them is among the days it learned from. */
  said: z.nullable(z.object({ rises: z.int(), right: z.int() })),
});
export type Backtest = z.infer<typeof Backtest>;
export const CURVE_STRIDE = 3;

/** Whole NT$; the rule has the least. */
const Amount = z.int("VAL_AMOUNT_EMPTY").check(z.minimum(1, "VAL_AMOUNT_EMPTY"), z.maximum(100_000_000, "VAL_AMOUNT_EMPTY"));
const StopPercent = z.int("VAL_PERCENT_RANGE").check(z.minimum(1, "VAL_PERCENT_RANGE"), z.maximum(90, "VAL_PERCENT_RANGE"));
const RunBody = z.object({ requestId: RequestId, runNo: RunNo });
const COMMAND_REFUSALS = ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;
const ENDED_REFUSALS = ["GEN_NOT_FOUND", "TRD_STRATEGY_ENDED"] as const;

export const strategyEndpoints = {
  readBacktest: endpoint({
    path: "/strategy/backtest",
    access: "member",
    does: "Test a strategy on past prices: decisions on the closes of a day, carried out at the next opening, with fees and tax. Off the event loop; a few at a time.",
    body: z.object({ strategy: Strategy, code: z.nullable(Code), amount: Amount }),
    data: Backtest,
    refusals: ["VAL_AMOUNT_EMPTY", "VAL_STOCK_CODE_REQUIRED", "TRD_NOT_TRADABLE", "TRD_STRATEGY_NO_HISTORY", "GEN_SYSTEM_BUSY"],
  }),
  startStrategy: endpoint({
    path: "/strategy/start",
    access: "member",
    does: "Run a strategy with an amount: the broker carries its rule out once a trading day with ordinary orders, until the loss or the member's stop.",
    body: z.object({ requestId: RequestId, strategy: Strategy, code: z.nullable(Code), amount: Amount, stopPercent: StopPercent }),
    data: StrategyRun,
    refusals: [
      "VAL_AMOUNT_EMPTY",
      "VAL_PERCENT_RANGE",
      "VAL_STOCK_CODE_REQUIRED",
      ...COMMAND_REFUSALS,
      ...eligibilityRefusals("runStrategy"),
      "TRD_NOT_TRADABLE",
      "TRD_STRATEGY_RUNNING",
      "GEN_LIST_FULL",
      "TRD_PRODUCT_MIN",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
  pauseStrategy: endpoint({
    path: "/strategy/pause",
    access: "member",
    does: "Pause: nothing is bought or sold by the rule; at the loss it is still stopped.",
    body: RunBody,
    data: StrategyRun,
    refusals: [...COMMAND_REFUSALS, ...ENDED_REFUSALS, "TRD_STRATEGY_NOT_RUNNING"],
  }),
  resumeStrategy: endpoint({
    path: "/strategy/resume",
    access: "member",
    does: "Resume: the rule is carried out again, at once what it wants today.",
    body: RunBody,
    data: StrategyRun,
    refusals: [...COMMAND_REFUSALS, ...eligibilityRefusals("runStrategy"), ...ENDED_REFUSALS, "TRD_STRATEGY_NOT_PAUSED"],
  }),
  stopStrategy: endpoint({
    path: "/strategy/stop",
    access: "member",
    does: "Stop: what it bought is sold at the market, or with `keep` stays as positions of the member's own.",
    body: z.object({ requestId: RequestId, runNo: RunNo, keep: z.boolean() }),
    data: StrategyRun,
    refusals: [...COMMAND_REFUSALS, ...ENDED_REFUSALS],
  }),
  listStrategyRuns: endpoint({
    path: "/strategy/runs",
    access: "member",
    does: "List the member's runs, newest first, with what is in the open ones at the last prices, and the rule.",
    body: z.object({}),
    data: z.object({ runs: z.array(StrategyRun), valuations: z.array(RunValuation), rule: StrategyRule }),
    refusals: [],
  }),
  listRunTrades: endpoint({
    path: "/strategy/trades",
    access: "member",
    does: "List what a run bought, sold and left out, newest first.",
    body: z.object({ runNo: RunNo, cursor: Cursor }),
    data: pageOf(RunTrade),
    refusals: ["GEN_NOT_FOUND"],
  }),
};
