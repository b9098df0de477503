/** The trading rules as data (per market, instrument class and member), and the terms of an order derived from them. */
import * as z from "zod/mini";
import { FundingRule } from "./funding.ts";
import { AuctionRule } from "./auction.ts";
import { BlockRule } from "./block-market.ts";
import { OfferingRule } from "./offering-kind.ts";
import { ConversionRule } from "./conversion.ts";
import { CreditRule } from "./credit.ts";
import { RaiseRule } from "./raise-rule.ts";
import { CopyRule } from "./copy-rule.ts";
import { DatedFuturesRule } from "./futures-rule.ts";
import { DatedOptionRule } from "./option-rule.ts";
import { StrategyRule } from "./strategy-rule.ts";
import { LendingRule } from "./lending-rule.ts";
import { RewardRule } from "./reward.ts";
import { SavingsRule } from "./savings-rule.ts";
import { ShortCoverRule } from "./short-cover.ts";
import { Board, Kind } from "./instrument.ts";
import type { Instrument } from "./instrument.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { Cents, cents } from "./kernel/money.ts";

/** Where an order trades: board lots in the regular market, shares in the odd-lot auctions, or board lots after hours at the closing price. */
export const MARKETS = ["board", "odd", "fixed"] as const;
export const Market = z.enum(MARKETS);
export type Market = z.infer<typeof Market>;

/** How an order is paid: the member's cash, a margin loan (or margin short sale), or a leverage multiple. */
export const FUNDINGS = ["cash", "margin", "leverage"] as const;
export const Funding = z.enum(FUNDINGS);
export type Funding = z.infer<typeof Funding>;

/** The rule of an instrument class. Rates in parts per million, money in cents. */
export const TradeRule = z.object({
  /** Commission per side, and the minimum commission per order: for board lots and for odd lots. */
  feePerMillion: z.int(),
  feeMinimumCents: Cents,
  oddFeeMinimumCents: Cents,
  /** Transaction tax, paid by the seller, and the reduced rate for day trades. */
  taxPerMillion: z.int(),
  dayTaxPerMillion: z.int(),
  /** Collateral for a cash short as a part of its value; the sale proceeds are held as collateral too. */
  shortPerMillion: z.int(),
  /** Maximum lots, and maximum odd-lot shares, per order. */
  maxLots: z.int(),
  maxOddShares: z.int(),
  /** Minimum order value; 0 for none. */
  minimumCents: Cents,
  /** Lock-up after buying; null uses the instrument's own. */
  lockSeconds: z.nullable(z.int()),
  /** Closed period in days from the first trading day, during which it cannot be sold; 0 for none. */
  closedDays: z.int(),
  /** Allowed leverage multiples; 1 means unleveraged. */
  multiples: z.array(z.int()),
  /** Margin loan as a part of a long's value; collateral as a part of a margin short's value. */
  loanPerMillion: z.int(),
  marginShortPerMillion: z.int(),
  /** Yearly interest on loans, on a 365-day basis. */
  interestPerMillion: z.int(),
  /** What a short pays a year to borrow the shares. */
  borrowPerMillion: z.int(),
  /** Trading days until settlement; 0 settles immediately. */
  settlementDays: z.int(),
});
export type TradeRule = z.infer<typeof TradeRule>;

/** Margin maintenance rules; ratios in percent of the amount owed. */
export const MarginRule = z.object({
  callPercent: z.int(),
  clearedPercent: z.int(),
  /** Below this ratio the broker liquidates at once, without a grace period. */
  liquidationPercent: z.int(),
  /** Grace period of a margin call, in trading days. */
  graceDays: z.int(),
  /** Review time of an application, and the account age and credit score required for approval. */
  reviewSeconds: z.int(),
  accountDays: z.int(),
  minimumScore: z.int(),
});
export type MarginRule = z.infer<typeof MarginRule>;

/** Day-trading requirements, square-off and loss warning. */
export const DayTradeRule = z.object({
  /** Executed orders required within the last year; waived for members with a margin account. */
  minimumOrders: z.int(),
  accountDays: z.int(),
  /** How long before the end of continuous trading open day trades are squared off. */
  squareOffSeconds: z.int(),
  /** Default loss warning, in percent of the invested amount. */
  warningPercent: z.int(),
});
export type DayTradeRule = z.infer<typeof DayTradeRule>;

/** Rules of the account itself: secrets, ages, reviews. */
export const AccountRule = z.object({
  /** Wrong tries before the fund password is locked, and for how long. */
  fundPasswordTries: z.int(),
  fundPasswordLockMinutes: z.int(),
  /** How long withdrawals wait after a password, card or device has changed. */
  slowHours: z.int(),
  /** Below this age a legal representative signs, and below the other one also consents to the use of personal data. */
  adultYears: z.int(),
  consentYears: z.int(),
  /** How long the sandbox takes to review an identity, and how many days the photos are kept after the decision. */
  identityReviewSeconds: z.int(),
  photoDays: z.int(),
});
export type AccountRule = z.infer<typeof AccountRule>;

const PartialRule = z.partial(TradeRule);

/** A rule override for the instruments that match every non-null selector. */
export const RuleException = z.object({
  board: z.nullable(Board),
  kind: z.nullable(Kind),
  code: z.nullable(Code),
  /** True: bond funds only; false: everything else. */
  bonds: z.nullable(z.boolean()),
  /** First and last day of validity, as `taipeiDay` numbers; null is unbounded. */
  from: z.nullable(z.int()),
  until: z.nullable(z.int()),
  rule: PartialRule,
});
export type RuleException = z.infer<typeof RuleException>;

/** All rules of a member; where several exceptions match, the later one wins. */
export const Rules = z.object({
  trade: TradeRule,
  exceptions: z.array(RuleException),
  margin: MarginRule,
  dayTrade: DayTradeRule,
  shortCover: ShortCoverRule,
  conversion: ConversionRule,
  account: AccountRule,
  credit: CreditRule,
  reward: RewardRule,
  funding: FundingRule,
  block: BlockRule,
  offering: OfferingRule,
  auction: AuctionRule,
  raise: RaiseRule,
  savings: SavingsRule,
  lending: LendingRule,
  copy: CopyRule,
  strategy: StrategyRule,
  futures: z.array(DatedFuturesRule),
  options: z.array(DatedOptionRule),
  /** Maximum commands per second and member. */
  commandsPerSecond: z.int(),
});
export type Rules = z.infer<typeof Rules>;

/** The instrument fields that determine its rule. */
export type Ruled = Pick<Instrument, "board" | "kind" | "code" | "bonds">;

/** Tells whether an exception matches an instrument, ignoring its validity days. */
function matches(exception: RuleException, { board, kind, code, bonds }: Ruled): boolean {
  return (
    (exception.board === null || exception.board === board) &&
    (exception.kind === null || exception.kind === kind) &&
    (exception.code === null || exception.code === code) &&
    (exception.bonds === null || exception.bonds === bonds)
  );
}

/** The rule of an instrument on a `taipeiDay`. */
export function ruleOf(rules: Rules, instrument: Ruled, day: number): TradeRule {
  let rule = rules.trade;
  for (const exception of rules.exceptions) {
    if ((exception.from ?? day) > day || (exception.until ?? day) < day || !matches(exception, instrument)) continue;
    rule = Object.assign({}, rule, exception.rule);
  }
  return rule;
}

/** The next `taipeiDay` on which an instrument's rule changes; null if no change is scheduled. */
export function nextRuleDay(rules: Rules, instrument: Ruled, day: number): number | null {
  const now = JSON.stringify(ruleOf(rules, instrument, day));
  const days = rules.exceptions
    .filter((exception) => matches(exception, instrument))
    .flatMap(({ from, until }) => [from, until === null ? null : until + 1])
    .filter((one): one is number => one !== null && one > day)
    .toSorted((a, b) => a - b);
  return days.find((one) => JSON.stringify(ruleOf(rules, instrument, one)) !== now) ?? null;
}

/** The tax rate of a sale under the rule of its day. */
export function taxRateOf(rule: Pick<TradeRule, "taxPerMillion" | "dayTaxPerMillion">, dayTrade: boolean): number {
  return dayTrade ? rule.dayTaxPerMillion : rule.taxPerMillion;
}

/**
 * The highest multiple that one day's price range cannot wipe out: a short opened at the lower limit loses less than the invested
 * amount even at the upper limit. With 10 % limits that is 4, with 20 % limits 1; without limits 1.
 */
export function mostLeverage({ limitPercent }: Pick<Instrument, "limitPercent">): number {
  return limitPercent === null ? 1 : Math.max(1, Math.ceil((100 - limitPercent) / (2 * limitPercent)) - 1);
}

/** The multiples a rule allows an instrument. */
export function multiplesOf({ multiples }: Pick<TradeRule, "multiples">, instrument: Pick<Instrument, "limitPercent">): number[] {
  const most = mostLeverage(instrument);
  return multiples.filter((multiple) => multiple <= most);
}

/** The terms of one order, fixed when it is placed; later rule changes affect only the tax rate. */
export const Terms = z.object({
  feePerMillion: z.int(),
  feeMinimumCents: Cents,
  /** Set by law, not by the broker: follows the current day's rate until the sale. */
  taxPerMillion: z.int(),
  /** The member's own part of a long's value; the rest is borrowed. */
  ownPerMillion: z.int(),
  /** Collateral as a part of a short's value. */
  collateralPerMillion: z.int(),
  interestPerMillion: z.int(),
  /** What a short pays a year to borrow the shares; absent on orders from before borrow fees. */
  borrowPerMillion: z.optional(z.int()),
  /** Maintenance level: equity as a part of value below which the broker closes a leveraged position; 0 for never. */
  maintenancePerMillion: z.int(),
  lockSeconds: z.int(),
  settlementDays: z.int(),
});
export type Terms = z.infer<typeof Terms>;

/** The order fields that determine its terms. */
export interface Choice {
  market: Market;
  funding: Funding;
  leverage: number;
  dayTrade: boolean;
}

export const MILLION = 1_000_000;

/** The member's own part of a value, per million: all, the rest beyond a margin loan, or one over the leverage multiple. */
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
    borrowPerMillion: rule.borrowPerMillion,
    // A leveraged position is liquidated while half of its initial equity is left.
    maintenancePerMillion: leveraged ? Math.floor(own / 2) : 0,
    lockSeconds: choice.dayTrade ? 0 : (rule.lockSeconds ?? instrument.sellLockSeconds),
    settlementDays: rule.settlementDays,
  };
}

/** A part of a value, rounded up to whole NT$, except that the whole (one million) is returned exactly. */
export function partOf(valueCents: number, perMillion: number): Cents {
  if (perMillion === MILLION) return cents(valueCents);
  return cents(Number((BigInt(valueCents) * BigInt(perMillion) + 99_999_999n) / 100_000_000n) * 100);
}

export const ruleEndpoints = {
  readRules: endpoint({
    path: "/rules/read",
    access: "member",
    does: "Read the member's trading rules: fees, taxes, limits, lock-ups, margin, day trading.",
    body: z.object({}),
    data: Rules,
    refusals: [],
  }),
};
