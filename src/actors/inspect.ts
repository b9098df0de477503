/** What the page's running state machines do, for the machines lab, with secrets removed. */
import type { AnyActorRef, AnyStateMachine, InspectionEvent, MachineSnapshot } from "xstate";
import { redacted } from "./redact.ts";
import { presentActors, visitActors } from "./registry.ts";

type AnySnapshot = MachineSnapshot<never, never, never, never, never, never, never, never>;

/** One step of one actor, with secrets removed. */
export interface Step {
  at: number;
  /** The machine's id: `order`, `request`, `session`, `connection`. */
  machine: string;
  /** The actor's own id, and its given name where it has one (an endpoint's name). */
  actor: string;
  name: string;
  event: string;
  /** The event's payload; null when it has none. */
  payload: unknown;
  /** The state after the step, as XState writes it. */
  state: unknown;
}

/** An actor in its present state. */
export interface Running {
  machine: string;
  actor: string;
  name: string;
  state: unknown;
}

/** The machine an actor runs; null when it runs other logic. */
export function machineOf(actor: object): AnyStateMachine | null {
  const logic: unknown = "logic" in actor ? actor.logic : null;
  return typeof logic === "object" && logic !== null && "root" in logic ? (logic as AnyStateMachine) : null;
}

const valueOf = (snapshot: object): unknown => ("value" in snapshot ? snapshot.value : null);

/** Every running actor. */
export function runningNow(): Running[] {
  return presentActors().flatMap((actor) => {
    const snapshot: AnySnapshot = actor.getSnapshot();
    const machine = machineOf(actor);
    if (!machine || snapshot.status !== "active") return [];
    return [{ machine: machine.id, actor: actor.sessionId, name: nameOf(actor), state: valueOf(snapshot) }];
  });
}

/** The actor's given name; empty when it only has the automatic session id. */
function nameOf(actor: AnyActorRef): string {
  return actor.id === actor.sessionId ? "" : actor.id;
}

function payloadOf(event: object): unknown {
  const { type: _type, ...payload } = event as { type: string };
  return Object.keys(payload).length === 0 ? null : redacted(payload);
}

function stepOf(inspected: InspectionEvent): Step | null {
  if (inspected.type !== "@xstate.snapshot" || !("value" in inspected.snapshot)) return null;
  const actor = inspected.actorRef as AnyActorRef;
  const machine = machineOf(actor);
  if (!machine) return null;
  return {
    at: Date.now(),
    machine: machine.id,
    actor: actor.sessionId,
    name: nameOf(actor),
    event: inspected.event.type,
    payload: payloadOf(inspected.event),
    state: inspected.snapshot.value,
  };
}

/** Listen to every step of every actor. @returns a function that stops it and removes every listener */
export function watchSteps(listener: (step: Step) => void): () => void {
  const unsubscribes: (() => void)[] = [];
  const stop = visitActors((actor) => {
    const { unsubscribe } = actor.system.inspect((inspected) => {
      const step = stepOf(inspected);
      if (step) listener(step);
    });
    unsubscribes.push(unsubscribe);
  });
  return () => {
    stop();
    for (const end of unsubscribes) end();
  };
}
