/** The member's price alerts: what the desk answers, and those that fire meanwhile. */
import { map } from "rxjs";
import type { Alert } from "#contract/alert.ts";
import type { Asked } from "#contract/endpoints.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { alertFacts$ } from "./facts.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";
import { serialQueue } from "./serial-queue.ts";

/** An alert fired: it leads those that fired, behind the waiting ones. */
function ontoAlerts(fired: Alert): Delta<readonly Alert[]> {
  return (alerts) => {
    if (alerts.some((one) => one.id === fired.id && one.status === "fired")) return alerts;
    const others = alerts.filter((one) => one.id !== fired.id);
    return [...others.filter(({ status }) => status === "waiting"), fired, ...others.filter(({ status }) => status !== "waiting")];
  };
}

/** Those waiting, then the last that fired, newest first. */
export const alerts: Resource<readonly Alert[]> = resource<readonly Alert[]>({
  load: async () => {
    const outcome = await call("listAlerts", {}, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.alerts } : outcome;
  },
  deltas$: alertFacts$.pipe(map(({ alert }) => ontoAlerts(alert))),
});

const inTurn = serialQueue();

/** What a change of the alerts resolves to: a form shows its refusal, and says so when no answer came. */
export type AlertOutcome = Outcome<{ alerts: Alert[] }>;

function changing(send: () => Promise<AlertOutcome>): Promise<AlertOutcome> {
  // One that fires while the answer travels has fired, whatever the answer says of it.
  const fired: Alert[] = [];
  const watching = alertFacts$.subscribe(({ alert }) => fired.push(alert));
  return inTurn(send, (outcome) => {
    if (outcome.ok) alerts.change(() => fired.reduce<readonly Alert[]>((list, alert) => ontoAlerts(alert)(list), outcome.data.alerts));
  }).finally(() => watching.unsubscribe());
}

/** Set an alert. The caller makes the id and keeps it while it tries again, and shows what is refused. */
export function setAlert(body: Asked<"setAlert">): Promise<AlertOutcome> {
  return changing(() => call("setAlert", body, { shownByCaller: true }));
}

/** Withdraw a waiting alert. */
export function withdrawAlert(id: string): Promise<AlertOutcome> {
  return changing(() => call("withdrawAlert", { id }));
}

/** Read the alerts in a component. */
export function useAlerts(): Read<readonly Alert[]> {
  return useResource(alerts);
}
