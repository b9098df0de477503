/** The transition graph of a machine: every reachable state, and the target of every event it accepts. */
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { getAdjacencyMap } from "xstate/graph";

/** Events by the short names used in the tables. */
export type NamedEvents = Record<string, EventObject>;

/** The dotted path of a state value: `polling.fresh` for a nested state, which XState represents as an object. */
export function pathOf(value: unknown): string {
  if (typeof value === "string") return value;
  const [[key, inner] = ["", ""]] = Object.entries(value as object);
  return `${key}.${pathOf(inner)}`;
}

/** One vertex of the graph returned by xstate/graph. */
interface Vertex {
  state: AnyMachineSnapshot;
  transitions: Record<string, { event: EventObject; state: AnyMachineSnapshot }>;
}

/**
 * For every reachable state, the target of every accepted event. `context` names context values that guards depend on; it is appended to
 * the state's name.
 */
export function transitionTable(
  machine: AnyStateMachine,
  events: NamedEvents,
  input: unknown,
  context: (snapshot: AnyMachineSnapshot) => string = () => "",
): Record<string, Record<string, string>> {
  const keyOf = (snapshot: AnyMachineSnapshot): string => `${pathOf(snapshot.value)}${context(snapshot)}`;
  const map = getAdjacencyMap(machine, {
    events: Object.values(events),
    serializeState: keyOf as never,
    serializeEvent: (event) => nameOf(events, event),
    input,
  });
  const table: Record<string, Record<string, string>> = {};
  for (const { state, transitions } of Object.values(map) as Vertex[]) {
    const row: Record<string, string> = {};
    for (const { event, state: next } of Object.values(transitions)) {
      if (state.can(event)) row[nameOf(events, event)] = keyOf(next);
    }
    table[keyOf(state)] = row;
  }
  return table;
}

function nameOf(events: NamedEvents, event: EventObject): string {
  const found = Object.entries(events).find(([, one]) => one === event);
  return found?.[0] ?? event.type;
}

/** Every leaf state a machine declares, as `polling.fresh`. */
export function declaredStates(machine: AnyStateMachine): string[] {
  const leaves = (node: AnyStateMachine["root"], path: string): string[] => {
    const children = Object.entries(node.states);
    return children.length === 0 ? [path] : children.flatMap(([key, child]) => leaves(child, path === "" ? key : `${path}.${key}`));
  };
  return leaves(machine.root, "");
}
