/** One place where every running machine can be watched: which actor, which event, which state; never what was typed. */
import { Subject } from "rxjs";
import type { InspectionEvent } from "xstate";

/** One step of one actor. Payloads stay out: they hold passwords and tokens. */
export interface Step {
  at: number;
  /** The machine's id: `order`, `request`, `session`, `connection`. */
  machine: string;
  /** The actor's own id. */
  actor: string;
  event: string;
  /** The state afterwards, as the machine writes it. */
  state: unknown;
}

/** Every step of every actor created with `inspect`. */
export const steps$ = new Subject<Step>();

/** Hand this to `createActor` as its `inspect`. */
export function inspect(seen: InspectionEvent): void {
  if (!steps$.observed || seen.type !== "@xstate.snapshot" || !("value" in seen.snapshot)) return;
  steps$.next({
    at: Date.now(),
    machine: machineOf(seen.actorRef),
    actor: seen.actorRef.sessionId,
    event: seen.event.type,
    state: seen.snapshot.value,
  });
}

function machineOf(actor: object): string {
  const logic: unknown = "logic" in actor ? actor.logic : null;
  return typeof logic === "object" && logic !== null && "id" in logic ? String(logic.id) : "actor";
}
