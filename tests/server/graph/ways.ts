/** Paths through a lifecycle, generated from its graph: the shortest path to every state, and from there through every transition. */
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { getAdjacencyMap, getShortestPaths, getSimplePaths } from "xstate/graph";
import { pathOf } from "#tests/machines/state-graph.ts";
import type { NamedEvents } from "#tests/machines/state-graph.ts";

/** One transition of the model, with the test's name of its event. */
export interface Stride {
  from: string;
  event: string;
  to: string;
}

/** A path from the initial state. */
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

/** Context that guards depend on, appended to the state's name. */
type Context = (snapshot: AnyMachineSnapshot) => string;

export const nameOf = ({ from, event, to }: Stride): string => `${from} -- ${event} -> ${to}`;

/** The named transitions and the shortest paths of a graph; `context` distinguishes states with different guard results. */
function graphOf(machine: AnyStateMachine, events: NamedEvents, input: unknown, context: Context = () => "") {
  const eventName = (event: EventObject): string => Object.entries(events).find(([, one]) => one === event)?.[0] ?? event.type;
  const stateName = (snapshot: AnyMachineSnapshot): string => pathOf(snapshot.value) + context(snapshot);
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

/** Converts a path of xstate/graph, whose first step is the initialisation. */
function wayOf(steps: readonly (readonly [event: string, state: string])[]): Way {
  return named(steps.slice(1).map(([event, to], at) => ({ from: steps[at]?.[1] ?? "", event, to })));
}

/**
 * One path for every reachable transition: the shortest to its source, then the transition. A transition that a longer path includes has no
 * path of its own.
 */
export function waysThrough(machine: AnyStateMachine, events: NamedEvents, input?: unknown): Way[] {
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

/** Every reachable transition and state. */
export function everything(machine: AnyStateMachine, events: NamedEvents, input?: unknown): { strides: string[]; states: string[] } {
  const { strides, reached, stateName } = graphOf(machine, events, input);
  return { strides: strides.map(nameOf).toSorted(), states: reached.map(({ state }) => stateName(state)).toSorted() };
}

/** Every path without cycles from the initial state to a final one. */
export function wholeLives(machine: AnyStateMachine, events: NamedEvents, input?: unknown): Way[] {
  const { eventName, stateName, options } = graphOf(machine, events, input);
  const paths = getSimplePaths(machine, options) as unknown as Reached[];
  return paths
    .filter(({ state }) => state.status === "done")
    .map(({ steps }) => wayOf(steps.map(({ event, state }) => [eventName(event), stateName(state)])));
}

/** A state's name without context. */
const bare = (state: string): string => state.split(" ")[0] ?? state;
/** A transition's name without context. */
export const bareName = ({ from, event, to }: Stride): string => nameOf({ from: bare(from), event, to: bare(to) });

/** One path through every transition of a machine without final states: repeatedly to the nearest transition not taken yet. */
export function grandTour(machine: AnyStateMachine, events: NamedEvents, input: unknown, context: Context): Way {
  const { strides, reached } = graphOf(machine, events, input, context);
  const first = reached.find(({ steps }) => steps.length <= 1);
  let at = first ? pathOf(first.state.value) + context(first.state) : "";
  const open = new Set(strides.map(bareName));
  const tour: Stride[] = [];
  while (open.size > 0) {
    const next = nearest(strides, open, at);
    const last = next?.at(-1);
    if (!next || !last) throw new Error(`no path from ${at} to ${[...open].join("; ")}`);
    for (const stride of next) open.delete(bareName(stride));
    tour.push(...next);
    at = last.to;
  }
  return named(tour);
}

/** The shortest path from a state through one of some transitions. */
function nearest(strides: readonly Stride[], open: ReadonlySet<string>, from: string): Stride[] | null {
  const queue: { at: string; way: Stride[] }[] = [{ at: from, way: [] }];
  const seen = new Set([from]);
  for (const { at, way } of queue) {
    const out = strides.filter((stride) => stride.from === at);
    const found = out.find((stride) => open.has(bareName(stride)));
    if (found) return [...way, found];
    for (const stride of out) {
      if (seen.has(stride.to)) continue;
      seen.add(stride.to);
      queue.push({ at: stride.to, way: [...way, stride] });
    }
  }
  return null;
}
