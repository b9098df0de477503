/** The rules members trade by, as data: per market, per class of instruments, per member; and the terms an order is agreed on under them. */
import * as z from "zod/mini";
import { Board, Kind } from "./instrument.ts";
import type { Instrument } from "./instrument.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { Cents, cents } from "./kernel/money.ts";

/** Where an order trades: whole lots on the board, single shares in the odd-lot auctions, whole lots at the day's close after hours. */
export const MARKETS = ["board", "odd", "fixed"] as const;
export const Market = z.enum(MARKETS);
export type Market = z.infer<typeof Market>;

/** Whose money pays: the member's, a margin loan (or margin short sale), or a leverage multiple. */
export const FUNDINGS = ["cash", "margin", "leverage"] as const;
export const Funding = z.enum(FUNDINGS);
export type Funding = z.infer<typeof Funding>;

/** What a class of instruments is traded by. Rates are parts per million, money is cents. */
export const TradeRule = z.object({
  /** Commission of a side, and the least an order pays: on the board, and for single shares. */
  feePerMillion: z.int(),
  feeMinimumCents: Cents,
  oddFeeMinimumCents: Cents,
  /** Transaction tax, paid by the seller; and what a day trade pays instead. */
  taxPerMillion: z.int(),
  dayTaxPerMillion: z.int(),
  /** What a member puts up for a fall paid in full, of its value; the proceeds stay as collateral too. */
  shortPerMillion: z.int(),
  /** The most lots, and the most single shares, of one order. */
  maxLots: z.int(),
  maxOddShares: z.int(),
  /** The least an order may be worth; 0 for any value. */
  minimumCents: Cents,
  /** How long after buying it cannot be sold; null leaves it to the instrument. */
  lockSeconds: z.nullable(z.int()),
  /** Until when, from the first trading day on, nothing of it is sold, in days; 0 for no closed period. */
  closedDays: z.int(),
  /** The multiples it can be leveraged by, 1 for none. */
  multiples: z.array(z.int()),
  /** A margin loan's part of a rise's value; what a margin fall puts up. */
  loanPerMillion: z.int(),
  marginShortPerMillion: z.int(),
  /** Interest on what is borrowed, a year of 365 days. */
  interestPerMillion: z.int(),
  /** Trading days until a trade is settled; 0 for at once. */
  settlementDays: z.int(),
});
export type TradeRule = z.infer<typeof TradeRule>;

/** What keeps a margin account in order: per cent of what is owed. */
export const MarginRule = z.object({
  callPercent: z.int(),
  clearedPercent: z.int(),
  /** Below this a call is not given its days: the broker sells at once. */
  liquidationPercent: z.int(),
  /** Trading days a call may be met in. */
  graceDays: z.int(),
  /** How long an application is under review, and what it is approved on: the account's age, and its credit score. */
  reviewSeconds: z.int(),
  accountDays: z.int(),
  minimumScore: z.int(),
});
export type MarginRule = z.infer<typeof MarginRule>;

/** Who may day trade, and what is done for those who forget. */
export const DayTradeRule = z.object({
  /** Executed orders, in the last year, that a member needs; those with a margin account need none. */
  minimumOrders: z.int(),
  accountDays: z.int(),
  /** How long before the end of continuous trading what is open is squared off. */
  squareOffSeconds: z.int(),
  /** The loss, of what was put in, at which a member is warned unless they chose another. */
  warningPercent: z.int(),
});
export type DayTradeRule = z.infer<typeof DayTradeRule>;

const PartialRule = z.partial(TradeRule);

/** A rule for some instruments: all that fit every word that is not null. */
export const RuleException = z.object({
  board: z.nullable(Board),
  kind: z.nullable(Kind),
  code: z.nullable(Code),
  /** Of funds of bonds only, or of everything but them. */
  bonds: z.nullable(z.boolean()),
  /** The first and the last day it holds, counted as `taipeiDay` counts; null for from the start, and for good. */
  from: z.nullable(z.int()),
  until: z.nullable(z.int()),
  rule: PartialRule,
});
export type RuleException = z.infer<typeof RuleException>;

/** Everything a member trades by; of two exceptions that fit, the later one counts. */
export const Rules = z.object({
  trade: TradeRule,
  exceptions: z.array(RuleException),
  margin: MarginRule,
  dayTrade: DayTradeRule,
  /** Commands of one member in a second. */
  commandsPerSecond: z.int(),
});
export type Rules = z.infer<typeof Rules>;

/** What of an instrument decides its rule. */
export type Ruled = Pick<Instrument, "board" | "kind" | "code" | "bonds">;

/** Whether an exception is for an instrument, on whatever day. */
function isFor(exception: RuleException, { board, kind, code, bonds }: Ruled): boolean {
  return (
    (exception.board === null || exception.board === board) &&
    (exception.kind === null || exception.kind === kind) &&
    (exception.code === null || exception.code === code) &&
    (exception.bonds === null || exception.bonds === bonds)
  );
}

/** The rule of one instrument on a day, as `taipeiDay` counts. */
export function ruleOf(rules: Rules, instrument: Ruled, day: number): TradeRule {
  let rule = rules.trade;
  for (const exception of rules.exceptions) {
    if ((exception.from ?? day) > day || (exception.until ?? day) < day || !isFor(exception, instrument)) continue;
    rule = Object.assign({}, rule, exception.rule);
  }
  return rule;
}

/** The next day on which an instrument comes under another rule than on this one; null where no change is known. */
export function nextRuleDay(rules: Rules, instrument: Ruled, day: number): number | null {
  const now = JSON.stringify(ruleOf(rules, instrument, day));
  const days = rules.exceptions
    .filter((exception) => isFor(exception, instrument))
    .flatMap(({ from, until }) => [from, until === null ? null : until + 1])
    .filter((one): one is number => one !== null && one > day)
    .toSorted((a, b) => a - b);
  return days.find((one) => JSON.stringify(ruleOf(rules, instrument, one)) !== now) ?? null;
}

/** The rate a sale is taxed at under the rule of its day. */
export function taxRateOf(rule: Pick<TradeRule, "taxPerMillion" | "dayTaxPerMillion">, dayTrade: boolean): number {
  return dayTrade ? rule.dayTaxPerMillion : rule.taxPerMillion;
}

/**
 * The highest multiple one day cannot use up: a fall begun at the lower limit loses, up to the upper one, less than what was put in.
 * With limits of 10 % that is 4, with 20 % none but 1; without limits there is no such multiple but 1.
 */
export function mostLeverage({ limitPercent }: Pick<Instrument, "limitPercent">): number {
  return limitPercent === null ? 1 : Math.max(1, Math.ceil((100 - limitPercent) / (2 * limitPercent)) - 1);
}

/** The multiples a rule allows an instrument. */
export function multiplesOf({ multiples }: Pick<TradeRule, "multiples">, instrument: Pick<Instrument, "limitPercent">): number[] {
  const most = mostLeverage(instrument);
  return multiples.filter((multiple) => multiple <= most);
}

/** What one order was agreed on; it keeps them whatever becomes of the rules, but for the tax. */
export const Terms = z.object({
  feePerMillion: z.int(),
  feeMinimumCents: Cents,
  /** The law's and not the house's: that of the day it is placed on, and, until it is sold, of every day after. */
  taxPerMillion: z.int(),
  /** What the member pays of a rise's value themselves; the rest is borrowed. */
  ownPerMillion: z.int(),
  /** What the member puts up for a fall, of its value. */
  collateralPerMillion: z.int(),
  interestPerMillion: z.int(),
  /** Its own equity, of its value, below which a leveraged position is closed by the house; 0 for never. */
  maintenancePerMillion: z.int(),
  lockSeconds: z.int(),
  settlementDays: z.int(),
});
export type Terms = z.infer<typeof Terms>;

/** What of an order decides its terms. */
export interface Choice {
  market: Market;
  funding: Funding;
  leverage: number;
  dayTrade: boolean;
}

export const MILLION = 1_000_000;

/** What the member brings, of a value: all of it, what a margin loan leaves, or one part of a multiple. */
function ownPart(rule: TradeRule, { funding, leverage }: Choice): number {
  if (funding === "margin") return MILLION - rule.loanPerMillion;
  return funding === "leverage" ? Math.ceil(MILLION / leverage) : MILLION;
}

/** The terms of an order under a rule. */
export function termsOf(rule: TradeRule, instrument: Pick<Instrument, "sellLockSeconds">, choice: Choice): Terms {
  const own = ownPart(rule, choice);
  const leveraged = choice.funding === "leverage";
  const short = choice.funding === "margin" ? rule.marginShortPerMillion : rule.shortPerMillion;
  return {
    feePerMillion: rule.feePerMillion,
    feeMinimumCents: choice.market === "odd" ? rule.oddFeeMinimumCents : rule.feeMinimumCents,
    taxPerMillion: taxRateOf(rule, choice.dayTrade),
    ownPerMillion: own,
    collateralPerMillion: leveraged ? own : short,
    interestPerMillion: own < MILLION ? rule.interestPerMillion : 0,
    // A leveraged position is let go while half of what it began with is left.
    maintenancePerMillion: leveraged ? Math.floor(own / 2) : 0,
    lockSeconds: choice.dayTrade ? 0 : (rule.lockSeconds ?? instrument.sellLockSeconds),
    settlementDays: rule.settlementDays,
  };
}

/** A part of a value, rounded up to a whole NT$, never more than all of it where `perMillion` says all. */
export function partOf(valueCents: number, perMillion: number): Cents {
  if (perMillion === MILLION) return cents(valueCents);
  return cents(Number((BigInt(valueCents) * BigInt(perMillion) + 99_999_999n) / 100_000_000n) * 100);
}

export const ruleEndpoints = {
  readRules: endpoint({
    path: "/rules/read",
    access: "member",
    does: "Read every rule the member trades by: fees, taxes, limits, locks, margin, day trading.",
    body: z.object({}),
    data: Rules,
    refusals: [],
  }),
};
