/** Every running machine of this page, for whoever asks. Nothing is watched, and nothing costs anything, until somebody does. */
import type { AnyActorRef, AnyStateMachine, InspectionEvent, MachineSnapshot } from "xstate";
import { redacted } from "./redact.ts";

type AnySnapshot = MachineSnapshot<never, never, never, never, never, never, never, never>;

/** One step of one actor. What it holds of secrets is gone before it is here. */
export interface Step {
  at: number;
  /** The machine's id: `order`, `request`, `session`, `connection`. */
  machine: string;
  /** The actor's own id, and what it is called where it was given a name: an endpoint's. */
  actor: string;
  name: string;
  event: string;
  /** What came with the event; null for nothing. */
  payload: unknown;
  /** The state afterwards, as the machine writes it. */
  state: unknown;
}

/** An actor as it is now. */
export interface Running {
  machine: string;
  actor: string;
  name: string;
  state: unknown;
}

/** Held weakly: an actor nobody else holds is collected, as it would be without this. */
const actors = new Set<WeakRef<AnyActorRef>>();
const gone = new FinalizationRegistry<WeakRef<AnyActorRef>>((ref) => actors.delete(ref));
/** What to do with every actor, those of now and those to come; none until the lab is open. */
const visitors = new Set<(actor: AnyActorRef) => void>();

/** Make an actor known. @returns the actor */
export function known<Actor extends AnyActorRef>(actor: Actor): Actor {
  const ref = new WeakRef<AnyActorRef>(actor);
  actors.add(ref);
  gone.register(actor, ref);
  for (const visit of visitors) visit(actor);
  return actor;
}

const present = (): AnyActorRef[] => [...actors].flatMap((ref) => ref.deref() ?? []);

/** The machine an actor runs; null for one that runs something else. */
export function machineOf(actor: object): AnyStateMachine | null {
  const logic: unknown = "logic" in actor ? actor.logic : null;
  return typeof logic === "object" && logic !== null && "root" in logic ? (logic as AnyStateMachine) : null;
}

const valueOf = (snapshot: object): unknown => ("value" in snapshot ? snapshot.value : null);

/** What runs now. */
export function runningNow(): Running[] {
  return present().flatMap((actor) => {
    const snapshot: AnySnapshot = actor.getSnapshot();
    const machine = machineOf(actor);
    if (!machine || snapshot.status !== "active") return [];
    return [{ machine: machine.id, actor: actor.sessionId, name: nameOf(actor), state: valueOf(snapshot) }];
  });
}

/** Its own name, unless it only has the one every actor gets. */
function nameOf(actor: AnyActorRef): string {
  return actor.id === actor.sessionId ? "" : actor.id;
}

function payloadOf(event: object): unknown {
  const { type: _type, ...payload } = event as { type: string };
  return Object.keys(payload).length === 0 ? null : redacted(payload);
}

function stepOf(seen: InspectionEvent): Step | null {
  if (seen.type !== "@xstate.snapshot" || !("value" in seen.snapshot)) return null;
  const actor = seen.actorRef as AnyActorRef;
  const machine = machineOf(actor);
  if (!machine) return null;
  return {
    at: Date.now(),
    machine: machine.id,
    actor: actor.sessionId,
    name: nameOf(actor),
    event: seen.event.type,
    payload: payloadOf(seen.event),
    state: seen.snapshot.value,
  };
}

/** Visit every actor, and those that begin later. @returns how to stop */
export function visitActors(visit: (actor: AnyActorRef) => void): () => void {
  for (const actor of present()) visit(actor);
  visitors.add(visit);
  return () => visitors.delete(visit);
}

/** Watch every step of every actor. @returns how to stop, after which nothing is left of it */
export function watchSteps(listener: (step: Step) => void): () => void {
  const watching: (() => void)[] = [];
  const stop = visitActors((actor) => {
    const { unsubscribe } = actor.system.inspect((seen) => {
      const step = stepOf(seen);
      if (step) listener(step);
    });
    watching.push(unsubscribe);
  });
  return () => {
    stop();
    for (const end of watching) end();
  };
}
