/** Ways through a lifecycle, generated from its graph: the shortest to every state, and from there through every transition. */
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { getAdjacencyMap, getShortestPaths, getSimplePaths } from "xstate/graph";
import { pathOf } from "#tests/machines/walk.ts";
import type { Named } from "#tests/machines/walk.ts";

/** One step as the model has it: under the name its event has in the test. */
export interface Stride {
  from: string;
  event: string;
  to: string;
}

/** A way from the beginning. */
export interface Way {
  name: string;
  strides: readonly Stride[];
}

interface Place {
  state: AnyMachineSnapshot;
  transitions: Record<string, { event: EventObject; state: AnyMachineSnapshot }>;
}
interface Reached {
  state: AnyMachineSnapshot;
  steps: readonly { event: EventObject; state: AnyMachineSnapshot }[];
}

export const nameOf = ({ from, event, to }: Stride): string => `${from} -- ${event} -> ${to}`;

/** A graph's parts: how its states are told apart, and every stride there is. */
function graphOf(machine: AnyStateMachine, events: Named, input: unknown) {
  const eventName = (event: EventObject): string => Object.entries(events).find(([, one]) => one === event)?.[0] ?? event.type;
  const stateName = (snapshot: AnyMachineSnapshot): string => pathOf(snapshot.value);
  const options = {
    events: Object.values(events),
    serializeState: stateName as never,
    serializeEvent: (event: EventObject) => eventName(event),
    input,
  };
  const places = Object.values(getAdjacencyMap(machine, options)) as unknown as Place[];
  const strides = places.flatMap(({ state, transitions }) =>
    Object.values(transitions)
      .filter(({ event }) => state.can(event))
      .map(({ event, state: next }): Stride => ({ from: stateName(state), event: eventName(event), to: stateName(next) })),
  );
  const reached = getShortestPaths(machine, options) as unknown as Reached[];
  return { eventName, stateName, strides, reached, options };
}

const named = (strides: readonly Stride[]): Way => ({ name: strides.map(({ event }) => event).join(", "), strides });

/** A path of xstate/graph, whose first step is the beginning itself. */
function wayOf(steps: readonly (readonly [event: string, state: string])[]): Way {
  return named(steps.slice(1).map(([event, to], at) => ({ from: steps[at]?.[1] ?? "", event, to })));
}

/**
 * A way for every transition that a machine has in a state it can reach: the shortest to where it begins, then itself.
 * What a longer way passes anyway has none of its own.
 */
export function waysThrough(machine: AnyStateMachine, events: Named, input?: unknown): Way[] {
  const { eventName, stateName, strides, reached } = graphOf(machine, events, input);
  const wayTo = new Map(
    reached.map(({ state, steps }) => [
      stateName(state),
      wayOf(steps.map((step) => [eventName(step.event), stateName(step.state)])).strides,
    ]),
  );
  const all = strides.map((stride) => [...(wayTo.get(stride.from) ?? []), stride]);
  const text = (way: readonly Stride[]): string => way.map(nameOf).join("; ");
  const texts = all.map(text);
  return all.filter((way, at) => !texts.some((other, other_) => other_ !== at && other.startsWith(`${text(way)};`))).map(named);
}

/** Every transition of every state that can be reached, and every such state. */
export function everything(machine: AnyStateMachine, events: Named, input?: unknown): { strides: string[]; states: string[] } {
  const { strides, reached, stateName } = graphOf(machine, events, input);
  return { strides: strides.map(nameOf).toSorted(), states: reached.map(({ state }) => stateName(state)).toSorted() };
}

/** Every way without a detour from the beginning to an end. */
export function wholeLives(machine: AnyStateMachine, events: Named, input?: unknown): Way[] {
  const { eventName, stateName, options } = graphOf(machine, events, input);
  const paths = getSimplePaths(machine, options) as unknown as Reached[];
  return paths
    .filter(({ state }) => state.status === "done")
    .map(({ steps }) => wayOf(steps.map(({ event, state }) => [eventName(event), stateName(state)])));
}
