/** Registry of the page's running state machines, for the machines lab; it costs nothing until a listener is added. */
import type { AnyActorRef } from "xstate";

/** Weak references: an actor that nothing else holds is still collected. */
const actors = new Set<WeakRef<AnyActorRef>>();
const gone = new FinalizationRegistry<WeakRef<AnyActorRef>>((ref) => actors.delete(ref));
/** Called for every present and future actor; empty until the lab is open. */
const visitors = new Set<(actor: AnyActorRef) => void>();

/** Register an actor for inspection. @returns the actor */
export function registerActor<Actor extends AnyActorRef>(actor: Actor): Actor {
  const ref = new WeakRef<AnyActorRef>(actor);
  actors.add(ref);
  gone.register(actor, ref);
  for (const visit of visitors) visit(actor);
  return actor;
}

/** Every actor that still runs or is still referenced. */
export const presentActors = (): AnyActorRef[] => [...actors].flatMap((ref) => ref.deref() ?? []);

/** Visit every present and future actor. @returns a function that stops it */
export function visitActors(visit: (actor: AnyActorRef) => void): () => void {
  for (const actor of presentActors()) visit(actor);
  visitors.add(visit);
  return () => visitors.delete(visit);
}
