/** Facts: what happened to a member, numbered per member without gaps, stored as rows before they are pushed. */
import * as z from "zod/mini";
import { Alert } from "./alert.ts";
import { Bid, BidFactType } from "./bid.ts";
import { BlockOrder, BlockOrderFactType } from "./block-order.ts";
import { CashEntryKind } from "./cash-ledger.ts";
import { Condition, ConditionFactType } from "./condition.ts";
import { CreditChange } from "./credit.ts";
import { DebtFactType } from "./debt.ts";
import { Deposit, DepositFactType } from "./deposit.ts";
import { Agreement } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Currency } from "./kernel/currency.ts";
import { Code } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";
import { Copy, CopyFactType } from "./copy.ts";
import { StrategyFactType, StrategyRun } from "./strategy.ts";
import { FuturesFactType, FuturesPosition } from "./futures.ts";
import { OptionFactType, OptionPosition } from "./option.ts";
import { Lending, LendingFactType } from "./lending.ts";
import { Loan, LoanFactType } from "./loan.ts";
import { MarginAccount, MarginFactType } from "./margin.ts";
import { Message } from "./message.ts";
import { CancelCause, CancelRefusal } from "./cancel-cause.ts";
import { CloseCause, Fill, Order } from "./order.ts";
import { Stake, StakeFactType } from "./raise.ts";
import { REVIEW_FACTS } from "./review.ts";
import { SavingsPlan, SavingsPlanFactType } from "./savings-plan.ts";
import { Settlement } from "./settlement.ts";
import { Subscription, SubscriptionFactType } from "./subscription.ts";
import { VoucherFactType, VoucherNo } from "./voucher.ts";
import { Withdrawal, WithdrawalFactType } from "./withdrawal.ts";

/** What can happen to an order, in the past tense: the events its machine accepts. */
export const ORDER_FACTS = [
  "order.placed",
  "order.partlyFilled",
  "order.filled",
  "order.cancelled",
  "order.reduced",
  "order.closeRequested",
  "order.closePartlyFilled",
  "order.lotsClosed",
  "order.closed",
  "order.closeCancelled",
  "order.triggered",
  "order.entered",
  "order.amended",
  "order.adjusted",
] as const;
export const OrderFactType = z.enum(ORDER_FACTS);
export type OrderFactType = z.infer<typeof OrderFactType>;

/** A fact about an order, with everything a client needs to apply it without another call. */
export const OrderFact = z.object({
  /** 1, 2, 3 … per member. */
  n: z.int(),
  at: EpochMs,
  type: OrderFactType,
  order: Order,
  fills: z.array(Fill),
  /** Of a fill that closes: why the position is closed. */
  closeCause: z.optional(CloseCause),
  /** The unfilled part that ended with this fact, in units, and why it ended; of a reserved order that did not fit, the refusal. */
  ended: z.optional(z.object({ lots: z.int(), cause: CancelCause, refusal: z.optional(CancelRefusal) })),
  /** The account's balances after the fact, and its realised profit. */
  money: z.object({ availableCents: Cents, frozenCents: Cents, profitCents: Cents }),
});
export type OrderFact = z.infer<typeof OrderFact>;

/** An alert fired; `message` is the matching inbox message. */
export const AlertFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: z.literal("alert.fired"),
  alert: Alert,
  message: Message,
  /** Number of unread inbox messages, including this one. */
  unread: z.int(),
});
export type AlertFact = z.infer<typeof AlertFact>;

/** A fact about an exit order; the close it triggers is reported as facts of the order. */
export const ConditionFact = z.object({ n: z.int(), at: EpochMs, type: ConditionFactType, condition: Condition });
export type ConditionFact = z.infer<typeof ConditionFact>;

/** A fact about the margin account; a margin call also carries its inbox message. */
export const MarginFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: MarginFactType,
  account: MarginAccount,
  message: z.optional(Message),
});
export type MarginFact = z.infer<typeof MarginFact>;

/** Trades were settled: their money was paid out or received. */
export const SettlementFact = z.object({ n: z.int(), at: EpochMs, type: z.literal("money.settled"), settlements: z.array(Settlement) });
export type SettlementFact = z.infer<typeof SettlementFact>;

/** A member's debt changed. Carries an inbox message when orders were cancelled or something is still owed. */
export const DebtFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: DebtFactType,
  /** Total owed now. */
  owedCents: Cents,
  message: z.optional(Message),
});
export type DebtFact = z.infer<typeof DebtFact>;

/** The member's identity was decided. */
export const IdentityFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: z.enum(["identity.approved", "identity.rejected"]),
  message: Message,
});
export type IdentityFact = z.infer<typeof IdentityFact>;

/** The member signed an agreement, on any device. */
export const AgreementFact = z.object({ n: z.int(), at: EpochMs, type: z.literal("agreement.signed"), agreement: Agreement });
export type AgreementFact = z.infer<typeof AgreementFact>;

/** A restriction was imposed on the member, or lifted. */
export const RestrictionFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: z.enum(["restriction.imposed", "restriction.lifted"]),
  message: Message,
});
export type RestrictionFact = z.infer<typeof RestrictionFact>;

/** A deposit moved on; its end carries an inbox message. */
export const DepositFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: DepositFactType,
  deposit: Deposit,
  message: z.optional(Message),
});
export type DepositFact = z.infer<typeof DepositFact>;

/** Money moved in the member's wallets: why, and in which currencies. */
export const WalletFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: z.literal("wallet.changed"),
  kind: CashEntryKind,
  currencies: z.array(Currency),
});
export type WalletFact = z.infer<typeof WalletFact>;

/** A credit loan moved on; what the member should know carries an inbox message. */
export const LoanFact = z.object({ n: z.int(), at: EpochMs, type: LoanFactType, loan: Loan, message: z.optional(Message) });
export type LoanFact = z.infer<typeof LoanFact>;

/** The credit score changed. */
export const CreditFact = z.object({ n: z.int(), at: EpochMs, type: z.literal("credit.changed"), change: CreditChange });
export type CreditFact = z.infer<typeof CreditFact>;

/** A withdrawal moved on; when it is paid or fails, with an inbox message. */
export const WithdrawalFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: WithdrawalFactType,
  withdrawal: Withdrawal,
  message: z.optional(Message),
});
export type WithdrawalFact = z.infer<typeof WithdrawalFact>;

/** A block purchase moved on; with an inbox message when the broker turned it down. */
export const BlockOrderFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: BlockOrderFactType,
  block: BlockOrder,
  message: z.optional(Message),
});
export type BlockOrderFact = z.infer<typeof BlockOrderFact>;

/** A sealed bid moved on; its result, its debit and its forfeiture with an inbox message. Only its member is told. */
export const BidFact = z.object({ n: z.int(), at: EpochMs, type: BidFactType, bid: Bid, message: z.optional(Message) });
export type BidFact = z.infer<typeof BidFact>;

/** Bidding began in an auction that the member is reminded of. */
export const AuctionFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: z.literal("auction.started"),
  code: Code,
  message: z.optional(Message),
});
export type AuctionFact = z.infer<typeof AuctionFact>;

/** A stake in a fund raising moved on; with an inbox message when the broker decided it. */
export const StakeFact = z.object({ n: z.int(), at: EpochMs, type: StakeFactType, stake: Stake, message: z.optional(Message) });
export type StakeFact = z.infer<typeof StakeFact>;

/** A savings plan changed, or a month of it was bought or skipped; a skipped one with an inbox message. */
export const SavingsPlanFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: SavingsPlanFactType,
  plan: SavingsPlan,
  message: z.optional(Message),
});
export type SavingsPlanFact = z.infer<typeof SavingsPlanFact>;

/** A loan of shares moved on; what the clock decided carries an inbox message. */
export const LendingFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: LendingFactType,
  lending: Lending,
  message: z.optional(Message),
});
export type LendingFact = z.infer<typeof LendingFact>;

/** A futures position moved on; what the clock decided carries an inbox message. */
export const FuturesFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: FuturesFactType,
  position: FuturesPosition,
  message: z.optional(Message),
});
export type FuturesFact = z.infer<typeof FuturesFact>;

/** An option position moved on; what the clock decided carries an inbox message. */
export const OptionFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: OptionFactType,
  position: OptionPosition,
  message: z.optional(Message),
});
export type OptionFact = z.infer<typeof OptionFact>;

/** Following a mentor moved on; what the clock decided carries an inbox message. */
export const CopyFact = z.object({ n: z.int(), at: EpochMs, type: CopyFactType, copy: Copy, message: z.optional(Message) });
export type CopyFact = z.infer<typeof CopyFact>;

/** A run of a strategy moved on; what the clock decided against the member's expectation carries an inbox message. */
export const StrategyFact = z.object({ n: z.int(), at: EpochMs, type: StrategyFactType, run: StrategyRun, message: z.optional(Message) });
export type StrategyFact = z.infer<typeof StrategyFact>;

/** An application for new shares, bonds or a placement moved on; what the member should know carries an inbox message. */
export const SubscriptionFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: SubscriptionFactType,
  subscription: Subscription,
  message: z.optional(Message),
});
export type SubscriptionFact = z.infer<typeof SubscriptionFact>;

/** The member booked a reminder of an offering, one that was booked or that the member has a right in has opened, or a right has lapsed. */
export const BookingFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: z.enum(["offering.booked", "offering.opened", "offering.rightLapsed"]),
  offeringNo: z.string(),
  message: z.optional(Message),
});
export type BookingFact = z.infer<typeof BookingFact>;

/** The member checked in. */
export const CheckInFact = z.object({ n: z.int(), at: EpochMs, type: z.literal("checkIn.done"), day: z.int() });
export type CheckInFact = z.infer<typeof CheckInFact>;

/** A fee voucher moved on; when it expires, with an inbox message. */
export const VoucherFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: VoucherFactType,
  voucherNo: VoucherNo,
  message: z.optional(Message),
});
export type VoucherFact = z.infer<typeof VoucherFact>;

/** An application moved on; each decision carries an inbox message. */
export const ReviewFact = z.object({
  n: z.int(),
  at: EpochMs,
  type: z.enum(["review.submitted", ...REVIEW_FACTS]),
  applicationNo: z.string(),
  message: z.optional(Message),
});
export type ReviewFact = z.infer<typeof ReviewFact>;

/** An agent's rebates of a month were paid. */
export const RebateFact = z.object({ n: z.int(), at: EpochMs, type: z.literal("rebate.paid"), message: z.optional(Message) });
export type RebateFact = z.infer<typeof RebateFact>;

/** A message arrived that no other fact carries. */
export const MessageFact = z.object({ n: z.int(), at: EpochMs, type: z.literal("message.arrived"), message: Message });
export type MessageFact = z.infer<typeof MessageFact>;

export const Fact = z.union([
  OrderFact,
  AlertFact,
  ConditionFact,
  MarginFact,
  SettlementFact,
  DebtFact,
  WalletFact,
  DepositFact,
  LoanFact,
  CreditFact,
  WithdrawalFact,
  IdentityFact,
  AgreementFact,
  BlockOrderFact,
  SubscriptionFact,
  BookingFact,
  BidFact,
  AuctionFact,
  StakeFact,
  SavingsPlanFact,
  LendingFact,
  FuturesFact,
  OptionFact,
  CopyFact,
  StrategyFact,
  RestrictionFact,
  CheckInFact,
  VoucherFact,
  ReviewFact,
  RebateFact,
  MessageFact,
]);
export type Fact = z.infer<typeof Fact>;

export const factEndpoints = {
  factsSince: endpoint({
    path: "/facts/since",
    access: "member",
    does: "Read the member's facts after number n (at most 500 at a time), so that a client that was offline misses none.",
    body: z.object({ after: z.int().check(z.minimum(0)) }),
    data: z.object({ facts: z.array(Fact), newest: z.int() }),
    refusals: [],
  }),
};
