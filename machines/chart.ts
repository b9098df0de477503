/** A lifecycle as data, read from its own definition: states, transitions, and the configuration other editors read. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";

/** One state; `path` joins the names of its parents: `polling.fresh`. */
export interface ChartState {
  path: string;
  name: string;
  /** The state it is part of; "" for the machine itself. */
  parent: string;
  depth: number;
  kind: AnyStateNode["type"];
  /** Whether its parent begins with it. */
  initial: boolean;
  tags: readonly string[];
  entry: readonly string[];
  exit: readonly string[];
  /** Names of the actors it runs while it lasts. */
  invokes: readonly string[];
}

/** One way from a state; `from` is "" where every state has it. */
export interface ChartTransition {
  from: string;
  /** The event, or of a delay its name, of an actor `send done`; "" where it happens at once. */
  event: string;
  kind: "event" | "delay" | "done" | "error" | "always";
  /** What the event is called while the machine runs. */
  type: string;
  guard: string | null;
  /** Of a delay, where its length is fixed. */
  delayMs: number | null;
  /** Where it leads; null where the state stays and only the actions happen. */
  to: string | null;
  /** Whether it leaves and enters the state anew. */
  reenter: boolean;
  actions: readonly string[];
}

export interface Chart {
  id: string;
  /** Parents before their parts, in the order of the definition. */
  states: readonly ChartState[];
  transitions: readonly ChartTransition[];
}

const pathOf = (node: AnyStateNode): string => node.path.join(".");

/** The name of a guard, an action or an actor: its own, or that it has none. */
function nameOf(one: unknown): string {
  if (typeof one === "string") return one;
  if ((typeof one === "object" || typeof one === "function") && one !== null && "type" in one) return String(one.type);
  return "inline";
}

const namesOf = (some: readonly unknown[]): string[] => some.map(nameOf);
/** Without what XState does itself, to begin and end a delay. */
const ownNamesOf = (some: readonly unknown[]): string[] => namesOf(some).filter((name) => !name.startsWith("xstate."));

function kindOf(type: string): Pick<ChartTransition, "kind" | "event"> {
  const [, what = "", name = ""] = /^xstate\.(done\.actor|error\.actor|done\.state|after)\.(.*)$/.exec(type) ?? [];
  if (what === "after") return { kind: "delay", event: name.split(".")[0] ?? name };
  if (what === "error.actor") return { kind: "error", event: `${name} failed` };
  if (what !== "") return { kind: "done", event: `${name} done` };
  return { kind: type === "" ? "always" : "event", event: type };
}

function transitionOf(machine: AnyStateMachine, definition: AnyTransitionDefinition): ChartTransition[] {
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

/** Every transition a state declares, in its own order: at once first, then events, actors, delays. */
function transitionsOf(machine: AnyStateMachine, node: AnyStateNode): ChartTransition[] {
  const definitions = [...(node.always ?? []), ...[...node.transitions.values()].flat()];
  return [...new Set(definitions)].flatMap((definition) => transitionOf(machine, definition));
}

const partsOf = (node: AnyStateNode): AnyStateNode[] => Object.values(node.states);

function stateOf(node: AnyStateNode): ChartState {
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

/** The states and transitions of a machine. */
export function chartOf(machine: AnyStateMachine): Chart {
  const nodes = (node: AnyStateNode): AnyStateNode[] => partsOf(node).flatMap((part) => [part, ...nodes(part)]);
  const all = nodes(machine.root);
  return {
    id: machine.id,
    states: all.map(stateOf),
    transitions: [machine.root, ...all].flatMap((node) => transitionsOf(machine, node)),
  };
}

/** The parts of a configuration that hold guards, actions or actors, whose functions have no place in a text. */
const NAMED = new Set(["guard", "actions", "entry", "exit"]);
/** What only code can say. */
const CODE = new Set(["context", "input", "output", "params", "assignment"]);

function plain(value: unknown, key: string): unknown {
  if (NAMED.has(key)) return Array.isArray(value) ? value.map((one) => ({ type: nameOf(one) })) : { type: nameOf(value) };
  if (typeof value === "function") return undefined;
  if (Array.isArray(value)) return value.map((one) => plain(one, ""));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => (CODE.has(name) ? [] : [[name, plain(one, name)]])));
}

/** The machine's configuration without code: what `createMachine` and the Stately editor read. */
export function configOf(machine: AnyStateMachine): object {
  return plain(machine.config, "") as object;
}

/** The same as a text that pastes into the Stately editor (Import, or the code panel). */
export function sourceOf(machine: AnyStateMachine): string {
  return `import { createMachine } from "xstate";\n\nexport const machine = createMachine(${JSON.stringify(configOf(machine), null, 2)});\n`;
}
