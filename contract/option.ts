/**
 * TAIEX options (TXO): the chain with its quotes, the wallet they share with futures, and the lifecycle and commands of a member's positions.
 * Premiums are tenths of a point everywhere (125 is 12.5 points, NT$625 a lot), strikes whole points, lots whole and negative where sold.
 */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { OPTION_RIGHTS } from "./option-price.ts";

/**
 * The lifecycle of a position; the same words in SQL, machine and locale (`options.status.*`). A called one is still open; a settled one was
 * exercised in cash, an expired one ended without value.
 */
export const OPTION_STATUSES = ["open", "called", "closed", "liquidated", "settled", "expired"] as const;
export const OptionStatus = z.enum(OPTION_STATUSES);
export type OptionStatus = z.infer<typeof OptionStatus>;

/**
 * What happens to a position: opened; lots added or closed; marked to market; called for margin, and restored; closed by the member or by
 * the broker; exercised at expiry, or ended without value.
 */
export const OPTION_FACTS = [
  "option.opened",
  "option.changed",
  "option.marked",
  "option.called",
  "option.restored",
  "option.closed",
  "option.liquidated",
  "option.settled",
  "option.expired",
] as const;
export const OptionFactType = z.enum(OPTION_FACTS);
export type OptionFactType = z.infer<typeof OptionFactType>;

export const OptionRightName = z.enum(OPTION_RIGHTS);
/** Month, right and strike: `TXO-2026-12-C-23000`; where a trading day lasts minutes, months are numbered: `TXO-M41-P-23000`. */
export const OptionCode = z.string().check(z.regex(/^TXO-(\d{4}-\d{2}|M\d{1,7})-[CP]-\d{1,6}$/, "GEN_NOT_FOUND"));
/** A month as in a code. */
export const OptionMonth = z.string().check(z.regex(/^(\d{4}-\d{2}|M\d{1,7})$/, "GEN_NOT_FOUND"));
export const OptionPositionNo = z.string().check(z.regex(/^O\d{1,12}$/, "GEN_NOT_FOUND"));
export const OPTION_SIDES = ["buy", "sell"] as const;
export const OptionSide = z.enum(OPTION_SIDES);
export type OptionSide = z.infer<typeof OptionSide>;
/** Why a trade took place. */
export const OPTION_CAUSES = ["member", "liquidation", "settlement"] as const;
export const OptionCause = z.enum(OPTION_CAUSES);
export type OptionCause = z.infer<typeof OptionCause>;

/** A call or a put of a strike. Bid and ask are null without a quote; a bid alone is null where nobody would pay for it. */
export const OptionSeries = z.object({
  code: z.string(),
  bid: z.nullable(z.int()),
  ask: z.nullable(z.int()),
  /** The fair price: what positions are valued by. Null without an index. */
  mark: z.nullable(z.int()),
});
export type OptionSeries = z.infer<typeof OptionSeries>;

export const OptionExpiry = z.object({
  month: z.string(),
  /** The fair price of the future of the month, in ten-thousandths of a point. */
  forward: z.nullable(Price),
  /** Half of the spreads that its series are quoted by: of the future, in ten-thousandths of a point, and of volatility. */
  half: Price,
  halfVolatility: z.number(),
  /** Whether the future's price moves with the index of last trades, from one reading to the next. */
  followsIndex: z.boolean(),
  /** Trading days until expiry, a fraction, and the volatility until then: what `option-price.ts` prices by. */
  days: z.number(),
  smile: z.object({ level: z.number(), lean: z.number(), curve: z.number() }),
  /** Trading ends when the average of the final settlement price begins. */
  lastTradeAt: EpochMs,
});
export type OptionExpiry = z.infer<typeof OptionExpiry>;

export const OptionPosition = z.object({
  positionNo: OptionPositionNo,
  code: z.string(),
  month: z.string(),
  right: OptionRightName,
  /** The strike now: lower than the one in the code by what the index has lost to dividends since the position was opened. */
  strike: z.int(),
  status: OptionStatus,
  /** Negative where sold; 0 once it has ended. */
  lots: z.int(),
  /** The premium of the open lots, and their value at the last daily marking, in tenths of a point times lots. */
  costTenths: z.int(),
  markedTenths: z.int(),
  /** Premiums received less premiums paid, and what expiry paid, before fees and taxes: once ended, the profit before them. */
  paidCents: Cents,
  feeCents: Cents,
  taxCents: Cents,
  openedAt: EpochMs,
  endedAt: z.nullable(EpochMs),
  version: z.int(),
});
export type OptionPosition = z.infer<typeof OptionPosition>;

export const isOpenOption = ({ status }: Pick<OptionPosition, "status">): boolean => status === "open" || status === "called";

export const OptionTrade = z.object({
  tradeNo: z.string(),
  positionNo: OptionPositionNo,
  code: z.string(),
  side: OptionSide,
  lots: z.int(),
  /** The premium; at expiry what a lot paid, which may be 0. */
  price: z.int(),
  cause: OptionCause,
  /** The trade of the same order, where two positions were closed together. */
  withNo: z.nullable(z.string()),
  /** What the closed lots gained since they were last marked; 0 for an opening trade. */
  gainCents: Cents,
  feeCents: Cents,
  taxCents: Cents,
  at: EpochMs,
});
export type OptionTrade = z.infer<typeof OptionTrade>;

/** So many lots of each of two positions, which are margined as one. */
export const OptionPair = z.object({ positionNo: OptionPositionNo, otherNo: OptionPositionNo, lots: z.int(), marginCents: Cents });
export type OptionPair = z.infer<typeof OptionPair>;

/** The wallet that futures and options share. */
export const OptionAccount = z.object({
  /** Money in it, premiums received included. */
  walletCents: Cents,
  /** With what futures have gained and not been paid; options are not in it. */
  equityCents: Cents,
  /** The margins of futures and of sold options, whose premium at the moment is part of it. */
  initialCents: Cents,
  maintenanceCents: Cents,
  /** What may leave the wallet or buy options. */
  freeCents: Cents,
  /** What bought options are worth, and what sold ones would cost, at the mark. */
  longCents: Cents,
  shortCents: Cents,
  /** The risk indicator in per cent: below 25 the broker closes everything. Null without anything that needs margin or has value. */
  riskPercent: z.nullable(z.int()),
  /** Whether margin has been called for; what restores it. */
  called: z.boolean(),
  neededCents: Cents,
});
export type OptionAccount = z.infer<typeof OptionAccount>;

/** Lots of a series, negative where sold, with their premium in tenths of a point times lots. */
export const SpreadLeg = z.object({ right: OptionRightName, strike: z.int(), lots: z.int(), costTenths: z.int() });
export type SpreadLeg = z.infer<typeof SpreadLeg>;

/**
 * A position with what all its lots form spreads with: the most that they can lose and gain at expiry, premiums, the charges
 * of the order and those of expiry counted.
 */
export const OptionSpread = z.object({ legs: z.array(SpreadLeg), mostLossCents: Cents, mostGainCents: Cents });
export type OptionSpread = z.infer<typeof OptionSpread>;

/** What a trade would cost now. */
export const OptionCost = z.object({
  price: z.int(),
  mark: z.int(),
  premiumCents: Cents,
  feeCents: Cents,
  taxCents: Cents,
  /** The initial margin that it adds, below zero where it frees some; and that of the whole account afterwards. */
  marginCents: Cents,
  marginAfterCents: Cents,
  freeCents: Cents,
  /** What has to be moved into the wallet first; 0 if nothing. */
  lackingCents: Cents,
  /** The spreads that the position is then part of; null where some of its lots are in none, and of a closing. */
  spread: z.nullable(OptionSpread),
  at: EpochMs,
});
export type OptionCost = z.infer<typeof OptionCost>;

export const ContractLots = z.int("VAL_CONTRACT_LOTS").check(z.minimum(1, "VAL_CONTRACT_LOTS"), z.maximum(1_000_000, "VAL_CONTRACT_LOTS"));
/** The limit of an order in tenths of a point; null takes the quote whatever it is. */
const Limit = z.nullable(
  z.int("VAL_LIMIT_PRICE_POSITIVE").check(z.minimum(1, "VAL_LIMIT_PRICE_POSITIVE"), z.maximum(10_000_000, "TRD_PRICE_LIMIT_EXCEEDED")),
);
/** Of `price`; not of orders that take any. */
const TRADE_REFUSALS = [
  "VAL_CONTRACT_LOTS",
  "VAL_LIMIT_PRICE_POSITIVE",
  "TRD_PRICE_LIMIT_EXCEEDED",
  "TRD_PRICE_OFF_TICK",
  "GEN_REQUEST_REUSED",
  "GEN_TOO_FREQUENT",
] as const;
export const MARKET_REFUSALS = ["TRD_NON_TRADING_HOURS", "TRD_PRICE_STALE", "TRD_CONTRACT_NO_QUOTE"] as const;

export const optionEndpoints = {
  readOptions: endpoint({
    path: "/options/read",
    access: "member",
    does: "Read the chain of an expiry (null: the nearest) with its quotes, the index, the member's open positions and their wallet.",
    body: z.object({ month: z.nullable(OptionMonth) }),
    data: z.object({
      /** Whether series trade now. */
      open: z.boolean(),
      index: z.nullable(Price),
      /** The listed expiries, the nearest first. */
      expiries: z.array(OptionExpiry),
      /** The expiry of the chain; null where the index lists none. */
      month: z.nullable(z.string()),
      /** Ascending strikes; `volatility` is a year's, 0.17 for 17 %: with it Greeks and prices are computed on the phone. */
      chain: z.array(z.object({ strike: z.int(), volatility: z.number(), call: OptionSeries, put: OptionSeries })),
      account: OptionAccount,
      /**
       * Open positions, the newest first, with what they would trade at now (null: not now), their price of the moment, what they have gained
       * since they were last marked and since they were opened, and the margin they need.
       */
      held: z.array(
        z.object({
          position: OptionPosition,
          close: z.nullable(z.int()),
          mark: z.nullable(z.int()),
          gainCents: Cents,
          openGainCents: Cents,
          marginCents: Cents,
        }),
      ),
      /** Lots of two held options that are margined as one, by the rules of the moment, and their margin together. */
      pairs: z.array(OptionPair),
      at: EpochMs,
    }),
    refusals: ["GEN_NOT_FOUND"],
  }),
  quoteOption: endpoint({
    path: "/options/quote",
    access: "member",
    does: "Read what an opening trade would cost now: price, premium, fee, tax, margin, and what the wallet lacks for it.",
    body: z.object({ series: OptionCode, side: OptionSide, lots: ContractLots }),
    data: OptionCost,
    refusals: ["VAL_CONTRACT_LOTS", "GEN_NOT_FOUND", ...MARKET_REFUSALS],
  }),
  quoteCloseOption: endpoint({
    path: "/options/quote-close",
    access: "member",
    does: "Read what closing lots of a position would bring now, and the margin that the account needs then: more where another position was paired with it.",
    body: z.object({ positionNo: OptionPositionNo, lots: ContractLots }),
    data: OptionCost,
    refusals: ["VAL_CONTRACT_LOTS", "GEN_NOT_FOUND", ...MARKET_REFUSALS],
  }),
  openOption: endpoint({
    path: "/options/open",
    access: "member",
    does: "Buy or sell lots of a listed series at the quote, whole and at once or not at all. Lots of a series that is held the same way join the position.",
    body: z.object({ requestId: RequestId, series: OptionCode, side: OptionSide, lots: ContractLots, price: Limit }),
    data: z.object({ trade: OptionTrade, position: OptionPosition }),
    refusals: [
      ...TRADE_REFUSALS,
      ...eligibilityRefusals("tradeOptions"),
      "GEN_NOT_FOUND",
      ...MARKET_REFUSALS,
      "TRD_CONTRACT_PRICE",
      // The series is held the other way: that position is closed first.
      "TRD_OPTION_OPPOSITE",
      "TRD_OPTION_LOTS",
      "RSK_TRADING_LOCKED",
      "RSK_DAILY_LOSS",
      "RSK_ORDER_MAX",
      "TRD_CONTRACT_MARGIN",
    ],
  }),
  closeOption: endpoint({
    path: "/options/close",
    access: "member",
    does: "Close lots of a position at the quote, whole and at once or not at all.",
    body: z.object({ requestId: RequestId, positionNo: OptionPositionNo, lots: ContractLots, price: Limit }),
    data: z.object({ trade: OptionTrade, position: OptionPosition }),
    refusals: [
      ...TRADE_REFUSALS,
      ...eligibilityRefusals("close"),
      "GEN_NOT_FOUND",
      "TRD_ALREADY_CLOSED",
      "TRD_CLOSE_EXCEEDS",
      ...MARKET_REFUSALS,
      "TRD_CONTRACT_PRICE",
      // What was paired with it needs more margin alone, or the wallet cannot pay what is bought back.
      "TRD_CONTRACT_MARGIN",
    ],
  }),
  listOptionPositions: endpoint({
    path: "/options/positions",
    access: "member",
    does: "List the member's option positions, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(OptionPosition),
    refusals: [],
  }),
  listOptionTrades: endpoint({
    path: "/options/trades",
    access: "member",
    does: "List the member's option trades, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(OptionTrade),
    refusals: [],
  }),
};
