/** The member's price alerts: loaded once, then updated as alerts fire. */
import { filter, map, merge } from "rxjs";
import type { Alert } from "#contract/alert.ts";
import type { Asked } from "#contract/endpoints.ts";
import { isMessageFact } from "#contract/fact-kind.ts";
import type { Fact } from "#contract/fact.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { alertFacts$, facts$ } from "./facts.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";
import { serialQueue } from "./serial-queue.ts";

/** Apply a fired alert: it moves to the front of the fired ones, behind those still waiting. */
function ontoAlerts(fired: Alert): Delta<readonly Alert[]> {
  return (alerts) => {
    if (alerts.some((one) => one.id === fired.id && one.status === "fired")) return alerts;
    const others = alerts.filter((one) => one.id !== fired.id);
    return [...others.filter(({ status }) => status === "waiting"), fired, ...others.filter(({ status }) => status !== "waiting")];
  };
}

/** A notice of the broker that it has changed waiting alerts, which it does not list. */
const isAlertNotice = (fact: Fact): boolean =>
  isMessageFact(fact) && (fact.message.notice?.about === "alertsAdjusted" || fact.message.notice?.about === "alertsEnded");

/** Reloads the alerts. */
function reload(): Delta<readonly Alert[]> {
  alerts.refetch();
  return (unchanged) => unchanged;
}

/** The waiting alerts, then the fired ones, newest first. */
export const alerts: Resource<readonly Alert[]> = resource<readonly Alert[]>({
  load: async () => {
    const outcome = await call("listAlerts", {}, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.alerts } : outcome;
  },
  deltas$: merge(alertFacts$.pipe(map(({ alert }) => ontoAlerts(alert))), facts$.pipe(filter(isAlertNotice), map(reload))),
});

const enqueue = serialQueue();

/** Result of changing the alerts: the form shows a refusal, and a failure when no answer came. */
export type AlertOutcome = Outcome<{ alerts: Alert[] }>;

function sendChange(send: () => Promise<AlertOutcome>): Promise<AlertOutcome> {
  // An alert that fires before the answer arrives stays fired, even if the answer still lists it as waiting.
  const fired: Alert[] = [];
  const watching = alertFacts$.subscribe(({ alert }) => fired.push(alert));
  return enqueue(send, (outcome) => {
    if (outcome.ok) alerts.change(() => fired.reduce<readonly Alert[]>((list, alert) => ontoAlerts(alert)(list), outcome.data.alerts));
  }).finally(() => watching.unsubscribe());
}

/** Set an alert. The caller makes the id, reuses it when it tries again, and shows a refusal. */
export function setAlert(body: Asked<"setAlert">): Promise<AlertOutcome> {
  return sendChange(() => call("setAlert", body, { shownByCaller: true }));
}

/** Withdraw a waiting alert. */
export function withdrawAlert(id: string): Promise<AlertOutcome> {
  return sendChange(() => call("withdrawAlert", { id }));
}

/** Read the alerts in a component. */
export function useAlerts(): Read<readonly Alert[]> {
  return useResource(alerts);
}
