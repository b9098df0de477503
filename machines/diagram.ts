/** A machine as data, read from its definition: states, transitions, and the configuration for the Stately editor. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";

/** One state; `path` joins its parents' names and its own: `polling.fresh`. */
export interface DiagramState {
  path: string;
  name: string;
  /** Path of the parent state; "" for the machine itself. */
  parent: string;
  depth: number;
  kind: AnyStateNode["type"];
  /** Whether it is its parent's initial state. */
  initial: boolean;
  tags: readonly string[];
  entry: readonly string[];
  exit: readonly string[];
  /** Names of the actors it invokes. */
  invokes: readonly string[];
}

/** One transition; `from` is "" for a transition of the machine's root. */
export interface DiagramTransition {
  from: string;
  /** The event; for a delay its name; for an actor e.g. `send done`; "" for an eventless transition. */
  event: string;
  kind: "event" | "delay" | "done" | "error" | "always";
  /** XState's event type at run time. */
  type: string;
  guard: string | null;
  /** Length of a fixed delay; null otherwise. */
  delayMs: number | null;
  /** Target path; null for a transition that only runs actions. */
  to: string | null;
  /** Whether it exits and re-enters the state. */
  reenter: boolean;
  actions: readonly string[];
}

export interface Diagram {
  id: string;
  /** Parents before their children, in definition order. */
  states: readonly DiagramState[];
  transitions: readonly DiagramTransition[];
}

const pathOf = (node: AnyStateNode): string => node.path.join(".");

/** The name of a guard, action or actor; `inline` if it has none. */
function nameOf(one: unknown): string {
  if (typeof one === "string") return one;
  if ((typeof one === "object" || typeof one === "function") && one !== null && "type" in one) return String(one.type);
  return "inline";
}

const namesOf = (some: readonly unknown[]): string[] => some.map(nameOf);
/** Omits XState's internal actions, which start and cancel delays. */
const ownNamesOf = (some: readonly unknown[]): string[] => namesOf(some).filter((name) => !name.startsWith("xstate."));

function kindOf(type: string): Pick<DiagramTransition, "kind" | "event"> {
  const [, what = "", name = ""] = /^xstate\.(done\.actor|error\.actor|done\.state|after)\.(.*)$/.exec(type) ?? [];
  if (what === "after") return { kind: "delay", event: name.split(".")[0] ?? name };
  if (what === "error.actor") return { kind: "error", event: `${name} failed` };
  if (what !== "") return { kind: "done", event: `${name} done` };
  return { kind: type === "" ? "always" : "event", event: type };
}

function transitionOf(machine: AnyStateMachine, definition: AnyTransitionDefinition): DiagramTransition[] {
  const { eventType: type, guard, target, source, actions, reenter } = definition;
  const { kind, event } = kindOf(type);
  const delay: unknown = kind === "delay" ? (machine.implementations.delays[event] ?? Number(event)) : null;
  const each = {
    from: pathOf(source),
    event,
    kind,
    type,
    guard: guard === undefined ? null : nameOf(guard),
    delayMs: typeof delay === "number" && Number.isFinite(delay) ? delay : null,
    reenter,
    actions: namesOf(actions),
  };
  if (target === undefined || target.length === 0) return [{ ...each, to: null }];
  return target.map((node) => ({ ...each, to: pathOf(node) }));
}

/** Every transition a state declares: eventless ones first, then events, actors and delays. */
function transitionsOf(machine: AnyStateMachine, node: AnyStateNode): DiagramTransition[] {
  const definitions = [...(node.always ?? []), ...[...node.transitions.values()].flat()];
  return [...new Set(definitions)].flatMap((definition) => transitionOf(machine, definition));
}

const childrenOf = (node: AnyStateNode): AnyStateNode[] => Object.values(node.states);

function stateOf(node: AnyStateNode): DiagramState {
  return {
    path: pathOf(node),
    name: node.key,
    parent: node.parent ? pathOf(node.parent) : "",
    depth: node.path.length,
    kind: node.type,
    initial: node.parent?.initial.target.includes(node) ?? false,
    tags: node.tags,
    entry: ownNamesOf(node.entry),
    exit: ownNamesOf(node.exit),
    invokes: node.invoke.map(({ src }) => nameOf(src)),
  };
}

/** Reads the states and transitions of a machine. */
export function diagramOf(machine: AnyStateMachine): Diagram {
  const descendantsOf = (node: AnyStateNode): AnyStateNode[] => childrenOf(node).flatMap((child) => [child, ...descendantsOf(child)]);
  const all = descendantsOf(machine.root);
  return {
    id: machine.id,
    states: all.map(stateOf),
    transitions: [machine.root, ...all].flatMap((node) => transitionsOf(machine, node)),
  };
}

/** Configuration keys that hold guards or actions, which are serialised by name. */
const NAMED_KEYS = new Set(["guard", "actions", "entry", "exit"]);
/** Configuration keys that hold code and are omitted. */
const CODE_KEYS = new Set(["context", "input", "output", "params", "assignment"]);

function serializable(value: unknown, key: string): unknown {
  if (NAMED_KEYS.has(key)) return Array.isArray(value) ? value.map((one) => ({ type: nameOf(one) })) : { type: nameOf(value) };
  if (typeof value === "function") return undefined;
  if (Array.isArray(value)) return value.map((one) => serializable(one, ""));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => (CODE_KEYS.has(name) ? [] : [[name, serializable(one, name)]])));
}

/** The machine's configuration without code, readable by `createMachine` and the Stately editor. */
export function configOf(machine: AnyStateMachine): object {
  return serializable(machine.config, "") as object;
}

/** The configuration as source text to paste into the Stately editor (Import, or the code panel). */
export function sourceOf(machine: AnyStateMachine): string {
  return `import { createMachine } from "xstate";\n\nexport const machine = createMachine(${JSON.stringify(configOf(machine), null, 2)});\n`;
}
