/** The server's transition check: the next status for a fact, read from the machine itself. */
import { getNextSnapshot } from "xstate";
import type { AnyStateMachine, AnyStateNode, StateValue } from "xstate";

/** Every state value a node stands for: itself or, for a compound state, each of its children. */
function stateValuesOf(node: AnyStateNode): StateValue[] {
  const inner = Object.values(node.states);
  if (inner.length === 0) return [node.key];
  return inner.flatMap((child) => stateValuesOf(child).map((value) => ({ [node.key]: value })));
}

const outermost = (value: StateValue): string => (typeof value === "string" ? value : (Object.keys(value)[0] ?? ""));

/**
 * Asks a lifecycle machine for the next status, which is its outermost state. Pure: no actor runs.
 * @returns the next status, or null when the machine does not allow `fact` anywhere in `status`
 */
export function advance<Status extends string>(machine: AnyStateMachine, status: Status, fact: string): Status | null {
  const node = machine.root.states[status];
  const event = { type: fact };
  for (const value of node ? stateValuesOf(node) : []) {
    const snapshot = machine.resolveState({ value, context: {} });
    if (snapshot.can(event)) return outermost(getNextSnapshot(machine, snapshot, event).value) as Status;
  }
  return null;
}
