/** React hook for a form or a one-tap command: the request machine with its effects. */
import { useSelector } from "@xstate/react";
import { useEffect, useLayoutEffect, useState } from "react";
import { createActor } from "xstate";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import type { Problem, RequestRefusal } from "#machines/request.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { orderFacts$ } from "#src/streams/facts.ts";
import { follow, isUnresolved, abandonCommand, unfollow } from "./command.ts";
import type { RequestActor } from "./command.ts";
import { withRequestEffects, isCommand, acceptPushedOrder } from "./request-effects.ts";
import type { RequestEffectOptions } from "./request-effects.ts";
import { registerActor } from "./registry.ts";

/** The request machine's top-level states. */
export type RequestState =
  | "editing"
  | "validating"
  | "reviewing"
  | "submitting"
  | "accepted"
  | "refused"
  | "coolingDown"
  | "failed"
  | "unknown"
  | "asking"
  | "notReceived";

export interface RequestOptions<Name extends EndpointName> extends RequestEffectOptions<Name> {
  /** Whether the member reviews the values before they are sent. */
  reviews?: boolean;
}

/** The form's values as typed; validation reports what is missing or wrong. */
export type Typed<Name extends EndpointName> = { [Field in Exclude<keyof Asked<Name>, "requestId">]: unknown };

export interface Request<Name extends EndpointName> {
  state: RequestState;
  /** Validating or sending: the button is busy and further taps are ignored. */
  busy: boolean;
  /** The review may be confirmed (its 350 ms guard time is over). */
  confirmable: boolean;
  problems: readonly Problem[];
  refusal: RequestRefusal | null;
  /** The body under review or being sent; null while editing. */
  body: Asked<Name> | null;
  answer: Answer<Name> | null;
  /** The translated problem at a field; null when there is none. */
  errorAt: (field: string) => string | null;
  /** The translated refusal when it belongs to none of `fields`. */
  errorOfForm: string | null;
  /** `skipReview` sends valid values at once, by the member's own setting. */
  submit: (values: Typed<Name>, skipReview?: boolean) => void;
  confirm: () => void;
  reviewAgain: () => void;
  /** Go back to the form, or report that this field was changed. */
  edit: (field?: string) => void;
  sendAgain: () => void;
  reset: () => void;
}

const stateOf = (value: string | object): RequestState => (typeof value === "string" ? value : "reviewing") as RequestState;

function textAt(field: string, problems: readonly Problem[], refusal: RequestRefusal | null): string | null {
  const problem = problems.find((one) => one.field === field);
  if (problem) return refusalTextNow({ ...problem, msg: problem.code });
  return refusal?.field === field ? refusalTextNow(refusal) : null;
}

/** A running actor whose effects read the options of the latest render. */
function begin<Name extends EndpointName>(name: Name, first: RequestOptions<Name>) {
  let latest = first;
  const actor: RequestActor = registerActor(
    createActor(
      withRequestEffects(name, () => latest),
      { id: name, input: { reviews: first.reviews === true } },
    ),
  ).start();
  const use = (options: RequestOptions<Name>): void => {
    latest = options;
  };
  // An order is its own answer: the push of its placement may arrive before the reply, or when the reply never comes.
  const listen = (): (() => void) => {
    const watching = orderFacts$.subscribe(({ order }) => {
      if (name !== "placeOrder" || order.requestId !== actor.getSnapshot().context.requestId || !isUnresolved(actor)) return;
      void acceptPushedOrder(order.requestId, order, latest);
      actor.send({ type: "OUTCOME_RECEIVED", answer: order });
    });
    return () => watching.unsubscribe();
  };
  return { actor, use, listen };
}

/**
 * One request of one endpoint. The actor outlives the component: a command still pending on unmount is followed until its outcome is known.
 * Options may change between renders, but not `name` and `reviews`.
 */
export function useRequest<Name extends EndpointName>(name: Name, options: RequestOptions<Name> = {}): Request<Name> {
  const [{ actor, use, listen }] = useState(() => begin(name, options));
  useLayoutEffect(() => use(options));
  // Never stopped: a kept-alive screen returns with its form, and an actor without references is garbage collected.
  useEffect(() => {
    unfollow(actor);
    const stop = listen();
    return () => {
      stop();
      if (isCommand(name) && isUnresolved(actor)) follow(name, actor);
    };
  }, [actor, name, listen]);

  const snapshot = useSelector(actor, (one) => one);
  const { problems, refusal } = snapshot.context;
  const state = stateOf(snapshot.value);
  const fields = options.fields ?? [];
  return {
    state,
    busy: state === "validating" || state === "submitting",
    confirmable: snapshot.matches({ reviewing: "ready" }),
    problems,
    refusal,
    body: snapshot.context.body as Asked<Name> | null,
    answer: snapshot.context.answer as Answer<Name> | null,
    errorAt: (field) => textAt(field, problems, refusal),
    errorOfForm: refusal && !fields.includes(refusal.field ?? "") ? refusalTextNow(refusal) : null,
    submit: (values, skipReview = false) => actor.send({ type: "SUBMIT", values, skipReview }),
    confirm: () => actor.send({ type: "CONFIRM" }),
    reviewAgain: () => actor.send({ type: "REVIEW_AGAIN" }),
    edit: (field) => {
      const { requestId } = actor.getSnapshot().context;
      if (requestId !== null && actor.getSnapshot().matches("notReceived")) void abandonCommand(requestId);
      actor.send(field === undefined ? { type: "EDIT" } : { type: "EDIT", field });
    },
    sendAgain: () => actor.send({ type: "SEND_AGAIN" }),
    reset: () => actor.send({ type: "RESET" }),
  };
}
