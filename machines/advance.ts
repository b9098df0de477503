/** The judge: which status a fact leads to from another, read from the machine itself; null where it may not happen. */
import { getNextSnapshot } from "xstate";
import type { AnyStateMachine } from "xstate";

/**
 * Ask a lifecycle machine for the next status. Pure: no actor runs.
 * @returns the next status, or null when the machine does not allow `fact` in `status`
 */
export function advance<Status extends string>(machine: AnyStateMachine, status: Status, fact: string): Status | null {
  const snapshot = machine.resolveState({ value: status, context: {} });
  const event = { type: fact };
  if (!snapshot.can(event)) return null;
  return getNextSnapshot(machine, snapshot, event).value as Status;
}
