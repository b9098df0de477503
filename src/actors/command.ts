/** Follows commands with an unknown outcome that no form shows any more until the outcome is known, also after a reload. */
import i18next from "i18next";
import { useObservableState } from "observable-hooks";
import { BehaviorSubject, distinctUntilChanged, map } from "rxjs";
import { createActor } from "xstate";
import type { ActorRefFrom } from "xstate";
import type { EndpointName } from "#contract/endpoints.ts";
import type { requestMachine } from "#machines/request.ts";
import { lockCommand, pendingCommands, unlockCommand } from "#src/gateway/pending-commands.ts";
import type { PendingCommand } from "#src/gateway/pending-commands.ts";
import { waitForTranslations } from "#src/gateway/language.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { onOnline } from "#src/gateway/shell.ts";
import { orderFacts$ } from "#src/streams/facts.ts";
import { giveUp, withRequestEffects, isCommand, acceptPushedOrder, shownAnswers } from "./request-effects.ts";
import { registerActor } from "./registry.ts";
import { session$ } from "./session.ts";

export type RequestActor = ActorRefFrom<typeof requestMachine>;

/** A command whose outcome is being queried, for the banner "We are checking your order". */
export interface Unresolved {
  requestId: string;
  name: string;
  actor: RequestActor;
  /** The server says it never arrived: the member may send it again or abandon it. */
  notReceived: boolean;
}

/** States in which the command may have been executed without the member knowing. */
export const UNRESOLVED_STATES = ["submitting", "unknown", "asking", "notReceived"] as const;

const unresolved = new Map<string, Unresolved>();

/** Every command whose outcome is being queried, oldest first. */
export const unresolved$ = new BehaviorSubject<readonly Unresolved[]>([]);

function publish(): void {
  unresolved$.next([...unresolved.values()]);
}

/** Tells whether an actor's command may have been executed without its outcome being known. */
export function isUnresolved(actor: RequestActor): boolean {
  const snapshot = actor.getSnapshot();
  return UNRESOLVED_STATES.some((state) => snapshot.matches(state));
}

/** Show a toast that the server has the command after all, since no form is left to show it. */
function announceIfAccepted(actor: RequestActor): void {
  const { answer } = actor.getSnapshot().context;
  if (typeof answer === "object" && answer !== null && shownAnswers.has(answer)) return;
  if (actor.getSnapshot().matches("accepted")) void announceArrived(answer);
}

async function announceArrived(answer: unknown): Promise<void> {
  const [{ ordersIn, takeOrder }] = await Promise.all([import("#src/streams/orders.ts"), waitForTranslations()]);
  const orders = ordersIn(answer);
  orders.forEach(takeOrder);
  const [one] = orders;
  showToast(one ? i18next.t("order.arrived", { no: one.orderNo }) : i18next.t("order.commandArrived"), "success");
}

/** Keep querying a command whose form is gone, and show it in the banner until its outcome is known. */
export function follow(name: EndpointName, actor: RequestActor): void {
  const { requestId } = actor.getSnapshot().context;
  if (requestId === null || unresolved.has(requestId)) return;
  const update = (): void => {
    if (!unresolved.has(requestId)) return;
    if (isUnresolved(actor)) {
      unresolved.set(requestId, { requestId, name, actor, notReceived: actor.getSnapshot().matches("notReceived") });
    } else {
      unresolved.delete(requestId);
      announceIfAccepted(actor);
    }
    publish();
  };
  unresolved.set(requestId, { requestId, name, actor, notReceived: false });
  update();
  // Unsubscribes once the outcome is known, so that nothing keeps the actor alive afterwards.
  const watching = actor.subscribe(() => {
    update();
    if (!unresolved.has(requestId)) watching.unsubscribe();
  });
}

/** Take a command off the banner: a form shows it again. */
export function unfollow(actor: RequestActor): void {
  const { requestId } = actor.getSnapshot().context;
  if (requestId !== null && unresolved.delete(requestId)) publish();
}

/** Abandon a command that never arrived. If it had arrived after all, the member is told. */
export async function abandonCommand(requestId: string): Promise<void> {
  if (unresolved.delete(requestId)) publish();
  const answer = await giveUp(requestId);
  if (answer !== null) await announceArrived(answer);
}

async function resume(pending: PendingCommand): Promise<void> {
  const { name, requestId, body, account } = pending;
  if (!isCommand(name) || unresolved.has(requestId)) return;
  await lockCommand(requestId);
  // The page that held the lock before may have received the outcome, and the member may have signed out meanwhile.
  const stillPending = signedIn === account && (await pendingCommands(account)).some((one) => one.requestId === requestId);
  if (unresolved.has(requestId)) return;
  if (!stillPending) {
    unlockCommand(requestId);
    return;
  }
  if (pending.givenUp) return abandonCommand(requestId);
  const actor = registerActor(
    createActor(
      withRequestEffects(name, () => ({})),
      { id: name, input: { reviews: false, unresolved: { requestId, body } } },
    ),
  );
  actor.start();
  follow(name, actor);
}

let started = false;
/** The account whose commands are followed. */
let signedIn: string | null = null;

/** Start once, when the app boots. Whenever a member signs in, their unresolved commands are resumed. */
export function startCommands(): void {
  if (started) return;
  started = true;
  session$
    .pipe(
      map((session) => (session.matches("signedIn") ? session.context.account : null)),
      distinctUntilChanged(),
    )
    .subscribe((account) => {
      signedIn = account;
      unresolved.forEach(({ actor }) => actor.stop());
      unresolved.clear();
      publish();
      if (account !== null) void pendingCommands(account).then((pending) => pending.forEach((one) => void resume(one)));
    });
  orderFacts$.subscribe(({ order }) => {
    const followed = unresolved.get(order.requestId);
    if (followed?.name !== "placeOrder") return;
    void acceptPushedOrder(order.requestId, order, {});
    followed.actor.send({ type: "OUTCOME_RECEIVED", answer: order });
  });
  onOnline(() => {
    unresolved.forEach(({ actor }) => actor.send({ type: "ASK_NOW" }));
    if (signedIn === null) return;
    void pendingCommands(signedIn).then((pending) => pending.forEach((one) => void (one.givenUp && abandonCommand(one.requestId))));
  });
}

/** The commands whose outcome is being queried, for the banner. */
export function useUnresolved(): readonly Unresolved[] {
  return useObservableState(unresolved$, unresolved$.value);
}
