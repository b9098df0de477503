/** Which kind of thing a fact tells; apart from the shapes, so that whoever only asks this need not load them. */
import type { AlertFact, ConditionFact, DebtFact, Fact, MarginFact, OrderFact } from "./fact.ts";

/** Whether a fact is about an order. */
export function isOrderFact(fact: Fact): fact is OrderFact {
  return fact.type.startsWith("order.");
}

/** Whether a fact is that an alert fired. */
export function isAlertFact(fact: Fact): fact is AlertFact {
  return fact.type === "alert.fired";
}

/** Whether a fact is about a condition. */
export function isConditionFact(fact: Fact): fact is ConditionFact {
  return fact.type.startsWith("condition.");
}

/** Whether a fact is about the margin account. */
export function isMarginFact(fact: Fact): fact is MarginFact {
  return fact.type.startsWith("margin.");
}

/** Whether a fact is about what the member owes. */
export function isDebtFact(fact: Fact): fact is DebtFact {
  return fact.type.startsWith("debt.");
}
