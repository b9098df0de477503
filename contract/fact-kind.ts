/** Type guards for facts; kept apart from the schemas so that importing them does not load zod. */
import type {
  AlertFact,
  ConditionFact,
  DebtFact,
  DepositFact,
  Fact,
  IdentityFact,
  LoanFact,
  MarginFact,
  OrderFact,
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

export function isDepositFact(fact: Fact): fact is DepositFact {
  return fact.type.startsWith("deposit.");
}

export function isLoanFact(fact: Fact): fact is LoanFact {
  return fact.type.startsWith("loan.");
}

export function isWithdrawalFact(fact: Fact): fact is WithdrawalFact {
  return fact.type.startsWith("withdrawal.");
}
