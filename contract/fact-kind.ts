/** Type guards for facts; kept apart from the schemas so that importing them does not load zod. */
import type {
  AgreementFact,
  AlertFact,
  BookingFact,
  AuctionFact,
  BidFact,
  BlockOrderFact,
  CheckInFact,
  ConditionFact,
  DebtFact,
  DepositFact,
  Fact,
  IdentityFact,
  CopyFact,
  StrategyFact,
  FuturesFact,
  OptionFact,
  LendingFact,
  LoanFact,
  MarginFact,
  MessageFact,
  OrderFact,
  RestrictionFact,
  RebateFact,
  ReviewFact,
  SubscriptionFact,
  SavingsPlanFact,
  StakeFact,
  VoucherFact,
  WithdrawalFact,
} from "./fact.ts";

export function isOrderFact(fact: Fact): fact is OrderFact {
  return fact.type.startsWith("order.");
}

export function isAlertFact(fact: Fact): fact is AlertFact {
  return fact.type === "alert.fired";
}

export function isConditionFact(fact: Fact): fact is ConditionFact {
  return fact.type.startsWith("condition.");
}

export function isMarginFact(fact: Fact): fact is MarginFact {
  return fact.type.startsWith("margin.");
}

export function isDebtFact(fact: Fact): fact is DebtFact {
  return fact.type.startsWith("debt.");
}

export function isIdentityFact(fact: Fact): fact is IdentityFact {
  return fact.type.startsWith("identity.");
}

export function isAgreementFact(fact: Fact): fact is AgreementFact {
  return fact.type === "agreement.signed";
}

export function isRestrictionFact(fact: Fact): fact is RestrictionFact {
  return fact.type.startsWith("restriction.");
}

export function isMessageFact(fact: Fact): fact is MessageFact {
  return fact.type === "message.arrived";
}

export function isDepositFact(fact: Fact): fact is DepositFact {
  return fact.type.startsWith("deposit.");
}

export function isLoanFact(fact: Fact): fact is LoanFact {
  return fact.type.startsWith("loan.");
}

export function isWithdrawalFact(fact: Fact): fact is WithdrawalFact {
  return fact.type.startsWith("withdrawal.");
}

export function isBlockOrderFact(fact: Fact): fact is BlockOrderFact {
  return fact.type.startsWith("blockOrder.");
}

export function isAuctionFact(fact: Fact): fact is BidFact | AuctionFact {
  return fact.type.startsWith("bid.") || fact.type === "auction.started";
}

export function isStakeFact(fact: Fact): fact is StakeFact {
  return fact.type.startsWith("stake.");
}

export function isSavingsPlanFact(fact: Fact): fact is SavingsPlanFact {
  return fact.type.startsWith("savingsPlan.");
}

export function isFuturesFact(fact: Fact): fact is FuturesFact {
  return fact.type.startsWith("futures.");
}

export function isOptionFact(fact: Fact): fact is OptionFact {
  return fact.type.startsWith("option.");
}

export const isDerivativeFact = (fact: Fact): fact is FuturesFact | OptionFact => isFuturesFact(fact) || isOptionFact(fact);

export function isLendingFact(fact: Fact): fact is LendingFact {
  return fact.type.startsWith("lending.");
}

export function isStrategyFact(fact: Fact): fact is StrategyFact {
  return fact.type.startsWith("strategy.");
}

export function isCopyFact(fact: Fact): fact is CopyFact {
  return fact.type.startsWith("copy.");
}

export function isSubscriptionFact(fact: Fact): fact is SubscriptionFact | BookingFact {
  return fact.type.startsWith("subscription.") || fact.type.startsWith("offering.");
}

export function isRewardFact(fact: Fact): fact is CheckInFact | VoucherFact {
  return fact.type === "checkIn.done" || fact.type.startsWith("voucher.");
}

export function isReviewFact(fact: Fact): fact is ReviewFact | RebateFact {
  return fact.type.startsWith("review.") || fact.type === "rebate.paid";
}
