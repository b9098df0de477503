/** A form or a one-tap command in a component: the request machine with its hands, as a hook. */
import { useSelector } from "@xstate/react";
import { useEffect, useLayoutEffect, useState } from "react";
import { createActor } from "xstate";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import type { Problem, RequestRefusal } from "#machines/request.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { orderFacts$ } from "#src/streams/facts.ts";
import { follow, isUnresolved, letBe, unfollow } from "./command.ts";
import type { RequestActor } from "./command.ts";
import { withRequestEffects, isCommand, learn } from "./request-effects.ts";
import type { RequestEffectOptions } from "./request-effects.ts";
import { known } from "./inspect.ts";

/** The states of the request machine, in one word. */
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
  /** Whether the values are read once more before they are sent. */
  reviews?: boolean;
}

/** The form's values as typed: what they lack or get wrong, checking says. */
export type Typed<Name extends EndpointName> = { [Field in Exclude<keyof Asked<Name>, "requestId">]: unknown };

export interface Request<Name extends EndpointName> {
  state: RequestState;
  /** Checking or on its way: the button is busy and a second tap has nowhere to go. */
  busy: boolean;
  /** The review may be confirmed (its 350 ms have passed). */
  confirmable: boolean;
  problems: readonly Problem[];
  refusal: RequestRefusal | null;
  /** The body that is reviewed or on its way; null while editing. */
  body: Asked<Name> | null;
  answer: Answer<Name> | null;
  /** What is wrong at a field, translated; null when nothing is. */
  errorAt: (field: string) => string | null;
  /** A refusal that belongs to none of `fields`, translated. */
  errorOfForm: string | null;
  submit: (values: Typed<Name>) => void;
  confirm: () => void;
  reviewAgain: () => void;
  /** Back to the form, or: this field was changed. */
  edit: (field?: string) => void;
  sendAgain: () => void;
  reset: () => void;
}

const word = (value: string | object): RequestState => (typeof value === "string" ? value : "reviewing") as RequestState;

function textAt(field: string, problems: readonly Problem[], refusal: RequestRefusal | null): string | null {
  const problem = problems.find((one) => one.field === field);
  if (problem) return refusalTextNow({ ...problem, msg: problem.code });
  return refusal?.field === field ? refusalTextNow(refusal) : null;
}

/** A running actor whose hands read the options of the newest render. */
function begin<Name extends EndpointName>(name: Name, first: RequestOptions<Name>) {
  let latest = first;
  const actor: RequestActor = known(
    createActor(
      withRequestEffects(name, () => latest),
      { id: name, input: { reviews: first.reviews === true } },
    ),
  ).start();
  const use = (options: RequestOptions<Name>): void => {
    latest = options;
  };
  // An order is its own answer: the push that it was placed may be faster than the reply, and come where that does not.
  const listen = (): (() => void) => {
    const watching = orderFacts$.subscribe(({ order }) => {
      if (name !== "placeOrder" || order.requestId !== actor.getSnapshot().context.requestId || !isUnresolved(actor)) return;
      void learn(order.requestId, order, latest);
      actor.send({ type: "LEARNT", answer: order });
    });
    return () => watching.unsubscribe();
  };
  return { actor, use, listen };
}

/**
 * One request of one endpoint. The actor outlives the component: what is on its way when the form goes is followed until known.
 * Options may change between renders, but not `name` and `reviews`.
 */
export function useRequest<Name extends EndpointName>(name: Name, options: RequestOptions<Name> = {}): Request<Name> {
  const [{ actor, use, listen }] = useState(() => begin(name, options));
  useLayoutEffect(() => use(options));
  // Never stopped: a hidden screen comes back with its form, and an actor nobody holds is simply collected.
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
  const state = word(snapshot.value);
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
    submit: (values) => actor.send({ type: "SUBMIT", values }),
    confirm: () => actor.send({ type: "CONFIRM" }),
    reviewAgain: () => actor.send({ type: "REVIEW_AGAIN" }),
    edit: (field) => {
      const { requestId } = actor.getSnapshot().context;
      if (requestId !== null && actor.getSnapshot().matches("notReceived")) void letBe(requestId);
      actor.send(field === undefined ? { type: "EDIT" } : { type: "EDIT", field });
    },
    sendAgain: () => actor.send({ type: "SEND_AGAIN" }),
    reset: () => actor.send({ type: "RESET" }),
  };
}
