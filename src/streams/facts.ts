/** The member's facts, each once and in order: pushed, or caught up on after a reconnect. */
import { filter, Subject } from "rxjs";
import { isAlertFact, isConditionFact, isDepositFact, isMarginFact, isOrderFact, isWithdrawalFact } from "#contract/fact-kind.ts";
import type { Fact } from "#contract/fact.ts";
import { onWorkerMessage } from "./worker-link.ts";

const each$ = new Subject<Fact>();

/** Facts since the session was opened; earlier ones are already in the lists the server returns. */
export const facts$ = each$.asObservable();

onWorkerMessage("facts", ({ facts }) => {
  for (const fact of facts) each$.next(fact);
});

/** Order facts only. */
export const orderFacts$ = facts$.pipe(filter(isOrderFact));

/** Fired-alert facts only. */
export const alertFacts$ = facts$.pipe(filter(isAlertFact));

/** Condition facts only. */
export const conditionFacts$ = facts$.pipe(filter(isConditionFact));

/** Margin-account facts only. */
export const marginFacts$ = facts$.pipe(filter(isMarginFact));

/** Deposit facts only. */
export const depositFacts$ = facts$.pipe(filter(isDepositFact));

/** Withdrawal facts only. */
export const withdrawalFacts$ = facts$.pipe(filter(isWithdrawalFact));
