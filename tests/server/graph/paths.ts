/** Paths through a lifecycle, generated from its graph: the shortest path to every state, and from there through every transition. */
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { getAdjacencyMap, getShortestPaths, getSimplePaths } from "xstate/graph";
import { pathOf } from "#tests/machines/state-graph.ts";
import type { NamedEvents } from "#tests/machines/state-graph.ts";

/** One transition of the model, with the test's name of its event. */
export interface Edge {
  from: string;
  event: string;
  to: string;
}

/** A path from the initial state. */
export interface Path {
  name: string;
  edges: readonly Edge[];
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

export const nameOf = ({ from, event, to }: Edge): string => `${from} -- ${event} -> ${to}`;

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
  const edges = places.flatMap(({ state, transitions }) =>
    Object.values(transitions)
      .filter(({ event }) => state.can(event))
      .map(({ event, state: next }): Edge => ({ from: stateName(state), event: eventName(event), to: stateName(next) })),
  );
  const reached = getShortestPaths(machine, options) as unknown as Reached[];
  return { eventName, stateName, edges, reached, options };
}

const named = (edges: readonly Edge[]): Path => ({ name: edges.map(({ event }) => event).join(", "), edges });

/** Converts a path of xstate/graph, whose first step is the initialisation. */
function pathFrom(steps: readonly (readonly [event: string, state: string])[]): Path {
  return named(steps.slice(1).map(([event, to], at) => ({ from: steps[at]?.[1] ?? "", event, to })));
}

/**
 * One path for every reachable transition: the shortest to its source, then the transition. A transition that a longer path includes has no
 * path of its own.
 */
export function transitionPaths(machine: AnyStateMachine, events: NamedEvents, input?: unknown): Path[] {
  const { eventName, stateName, edges, reached } = graphOf(machine, events, input);
  const pathTo = new Map(
    reached.map(({ state, steps }) => [
      stateName(state),
      pathFrom(steps.map((step) => [eventName(step.event), stateName(step.state)])).edges,
    ]),
  );
  const all = edges.map((edge) => [...(pathTo.get(edge.from) ?? []), edge]);
  const text = (path: readonly Edge[]): string => path.map(nameOf).join("; ");
  const texts = all.map(text);
  return all.filter((path, at) => !texts.some((other, other_) => other_ !== at && other.startsWith(`${text(path)};`))).map(named);
}

/** Every reachable transition and state. */
export function reachable(machine: AnyStateMachine, events: NamedEvents, input?: unknown): { edges: string[]; states: string[] } {
  const { edges, reached, stateName } = graphOf(machine, events, input);
  return { edges: edges.map(nameOf).toSorted(), states: reached.map(({ state }) => stateName(state)).toSorted() };
}

/** Every path without cycles from the initial state to a final one. */
export function completePaths(machine: AnyStateMachine, events: NamedEvents, input?: unknown): Path[] {
  const { eventName, stateName, options } = graphOf(machine, events, input);
  const paths = getSimplePaths(machine, options) as unknown as Reached[];
  return paths
    .filter(({ state }) => state.status === "done")
    .map(({ steps }) => pathFrom(steps.map(({ event, state }) => [eventName(event), stateName(state)])));
}

/** A state's name without context. */
const withoutContext = (state: string): string => state.split(" ")[0] ?? state;
/** A transition's name without context. */
export const nameWithoutContext = ({ from, event, to }: Edge): string =>
  nameOf({ from: withoutContext(from), event, to: withoutContext(to) });

/** One path through every transition of a machine without final states: repeatedly to the nearest transition not taken yet. */
export function coveringPath(machine: AnyStateMachine, events: NamedEvents, input: unknown, context: Context): Path {
  const { edges, reached } = graphOf(machine, events, input, context);
  const first = reached.find(({ steps }) => steps.length <= 1);
  let at = first ? pathOf(first.state.value) + context(first.state) : "";
  const open = new Set(edges.map(nameWithoutContext));
  const taken: Edge[] = [];
  while (open.size > 0) {
    const next = nearest(edges, open, at);
    const last = next?.at(-1);
    if (!next || !last) throw new Error(`no path from ${at} to ${[...open].join("; ")}`);
    for (const edge of next) open.delete(nameWithoutContext(edge));
    taken.push(...next);
    at = last.to;
  }
  return named(taken);
}

/** The shortest path from a state through one of some transitions. */
function nearest(edges: readonly Edge[], open: ReadonlySet<string>, from: string): Edge[] | null {
  const queue: { at: string; path: Edge[] }[] = [{ at: from, path: [] }];
  const seen = new Set([from]);
  for (const { at, path } of queue) {
    const out = edges.filter((edge) => edge.from === at);
    const found = out.find((edge) => open.has(nameWithoutContext(edge)));
    if (found) return [...path, found];
    for (const edge of out) {
      if (seen.has(edge.to)) continue;
      seen.add(edge.to);
      queue.push({ at: edge.to, path: [...path, edge] });
    }
  }
  return null;
}
