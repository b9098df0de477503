/** What happened to the member, each fact once and in order: pushed, or caught up on after a broken line. */
import { filter, Subject } from "rxjs";
import { isAlertFact, isConditionFact, isDebtFact, isMarginFact, isOrderFact } from "#contract/fact-kind.ts";
import type { Fact } from "#contract/fact.ts";
import { onWorkerMessage } from "./worker-link.ts";

const each$ = new Subject<Fact>();

/** Facts from the moment the session was opened; what was before is in the lists the desks answer with. */
export const facts$ = each$.asObservable();

onWorkerMessage("facts", ({ facts }) => {
  for (const fact of facts) each$.next(fact);
});

/** Only those about orders. */
export const orderFacts$ = facts$.pipe(filter(isOrderFact));

/** Only those of alerts that fired. */
export const alertFacts$ = facts$.pipe(filter(isAlertFact));

/** Only those about conditions. */
export const conditionFacts$ = facts$.pipe(filter(isConditionFact));

/** Only those about the margin account. */
export const marginFacts$ = facts$.pipe(filter(isMarginFact));

/** Only those about what the member owes. */
export const debtFacts$ = facts$.pipe(filter(isDebtFact));
