/** Commands whose outcome is unknown and that no form shows any more: asked for until known, also after a reload. */
import i18next from "i18next";
import { useObservableState } from "observable-hooks";
import { BehaviorSubject, distinctUntilChanged, map } from "rxjs";
import { createActor } from "xstate";
import type { ActorRefFrom } from "xstate";
import type { EndpointName } from "#contract/endpoints.ts";
import type { requestMachine } from "#machines/request.ts";
import { hold, pendingCommands, letGo } from "#src/gateway/pending-commands.ts";
import type { PendingCommand } from "#src/gateway/pending-commands.ts";
import { wordsAtHand } from "#src/gateway/language.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { onOnline } from "#src/gateway/shell.ts";
import { orderFacts$ } from "#src/streams/facts.ts";
import { ordersIn, takeOrder } from "#src/streams/orders.ts";
import { giveUp, withRequestEffects, isCommand, learn } from "./request-effects.ts";
import { known } from "./inspect.ts";
import { session$ } from "./session.ts";

export type RequestActor = ActorRefFrom<typeof requestMachine>;

/** A command that is being asked about, for the banner "We are checking your order". */
export interface Unresolved {
  requestId: string;
  name: string;
  actor: RequestActor;
  /** The desk said it never arrived: the member may send it again, or let it be. */
  notReceived: boolean;
}

/** The states in which a command may have acted without the member knowing. */
export const UNRESOLVED_STATES = ["submitting", "unknown", "asking", "notReceived"] as const;

const unresolved = new Map<string, Unresolved>();

/** Every command that is being asked about, oldest first. */
export const unresolved$ = new BehaviorSubject<readonly Unresolved[]>([]);

function publish(): void {
  unresolved$.next([...unresolved.values()]);
}

/** Whether an actor's command may have acted without its outcome being known. */
export function isUnresolved(actor: RequestActor): boolean {
  const snapshot = actor.getSnapshot();
  return UNRESOLVED_STATES.some((state) => snapshot.matches(state));
}

/** The desk has it after all: say so, for no form is there to show it. */
function tellArrived(actor: RequestActor): void {
  if (actor.getSnapshot().matches("accepted")) sayArrived(actor.getSnapshot().context.answer);
}

function sayArrived(answer: unknown): void {
  const orders = ordersIn(answer);
  orders.forEach(takeOrder);
  const [one] = orders;
  const said = (): string => (one ? i18next.t("order.arrived", { no: one.orderNo }) : i18next.t("order.commandArrived"));
  void wordsAtHand().then(() => showToast(said(), "success"));
}

/** Go on asking about a command whose form is gone, and show it in the banner until it is known. */
export function follow(name: EndpointName, actor: RequestActor): void {
  const { requestId } = actor.getSnapshot().context;
  if (requestId === null || unresolved.has(requestId)) return;
  const note = (): void => {
    if (!unresolved.has(requestId)) return;
    if (isUnresolved(actor)) {
      unresolved.set(requestId, { requestId, name, actor, notReceived: actor.getSnapshot().matches("notReceived") });
    } else {
      unresolved.delete(requestId);
      tellArrived(actor);
    }
    publish();
  };
  unresolved.set(requestId, { requestId, name, actor, notReceived: false });
  note();
  // An actor is heard until its outcome is known, and nothing holds on to it afterwards.
  const watching = actor.subscribe(() => {
    note();
    if (!unresolved.has(requestId)) watching.unsubscribe();
  });
}

/** A form shows this command again: the banner need not. */
export function unfollow(actor: RequestActor): void {
  const { requestId } = actor.getSnapshot().context;
  if (requestId !== null && unresolved.delete(requestId)) publish();
}

/** Let a command be that never arrived; of one that did after all the member is told. */
export async function letBe(requestId: string): Promise<void> {
  if (unresolved.delete(requestId)) publish();
  const answer = await giveUp(requestId);
  if (answer !== null) sayArrived(answer);
}

async function resume(kept: PendingCommand): Promise<void> {
  const { name, requestId, body, account } = kept;
  if (!isCommand(name) || unresolved.has(requestId)) return;
  await hold(requestId);
  // Whoever held it before us may have learnt its outcome, and the member may have left meanwhile.
  const still = signedIn === account && (await pendingCommands(account)).some((one) => one.requestId === requestId);
  if (unresolved.has(requestId)) return;
  if (!still) {
    letGo(requestId);
    return;
  }
  if (kept.givenUp) return letBe(requestId);
  const actor = known(
    createActor(
      withRequestEffects(name, () => ({})),
      { id: name, input: { reviews: false, unresolved: { requestId, body } } },
    ),
  );
  actor.start();
  follow(name, actor);
}

let started = false;
/** The member whose commands are looked after. */
let signedIn: string | null = null;

/** Begin: once, when the app boots. Whenever a member is signed in, their unresolved commands are taken up again. */
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
      if (account !== null) void pendingCommands(account).then((kept) => kept.forEach((one) => void resume(one)));
    });
  orderFacts$.subscribe(({ order }) => {
    const asked = unresolved.get(order.requestId);
    if (asked?.name !== "placeOrder") return;
    void learn(order.requestId, order, {});
    asked.actor.send({ type: "LEARNT", answer: order });
  });
  onOnline(() => {
    unresolved.forEach(({ actor }) => actor.send({ type: "ASK_NOW" }));
    if (signedIn === null) return;
    void pendingCommands(signedIn).then((kept) => kept.forEach((one) => void (one.givenUp && letBe(one.requestId))));
  });
}

/** The commands being asked about, for the banner. */
export function useUnresolved(): readonly Unresolved[] {
  return useObservableState(unresolved$, unresolved$.value);
}
