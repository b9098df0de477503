/** Tests machine diagrams: they contain every state and transition, and the export recreates the same machine. */
import { describe, expect, it } from "vitest";
import { createMachine } from "xstate";
import { diagramOf, configOf, sourceOf } from "#machines/diagram.ts";
import { machines } from "#machines/index.ts";
import { declaredStates } from "./state-graph.ts";

describe.each(Object.entries(machines))("the diagram of %s", (name, machine) => {
  const diagram = diagramOf(machine);

  it("has every state, each under its parent", () => {
    const paths = diagram.states.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(diagram.states.filter(({ kind }) => kind === "atomic" || kind === "final").map(({ path }) => path)).toEqual(
      declaredStates(machine),
    );
    for (const { parent } of diagram.states) expect(["", ...paths]).toContain(parent);
    expect(diagram.states.filter(({ initial, depth }) => initial && depth === 1)).toHaveLength(1);
  });

  it("has only transitions between its states, with named guards and actions", () => {
    const paths = new Set(diagram.states.map(({ path }) => path));
    expect(diagram.id).toBe(name);
    expect(diagram.transitions.filter(({ from, to }) => (from !== "" && !paths.has(from)) || (to !== null && !paths.has(to)))).toEqual([]);
    const names = diagram.transitions.flatMap(({ guard, actions }) => [guard ?? "", ...actions]);
    expect(names.filter((one) => one === "inline" || one.startsWith("xstate."))).toEqual([]);
  });

  it("is the same for the machine created from its export", () => {
    const text = JSON.stringify(configOf(machine));
    const recreated = diagramOf(createMachine(JSON.parse(text) as Parameters<typeof createMachine>[0]));
    const withoutDelays = ({ transitions, ...rest }: typeof diagram) => ({
      ...rest,
      transitions: transitions.map((one) => ({ ...one, delayMs: null })),
    });
    expect(withoutDelays(recreated)).toEqual(withoutDelays(diagram));
  });

  it("is exported as code the editor can import", () => {
    const source = sourceOf(machine);
    const json = /createMachine\((\{[^]*\})\);\n$/.exec(source)?.[1] ?? "";
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(configOf(machine))));
    expect(json).toContain(`"id": "${name}"`);
  });
});

describe("a transition", () => {
  const { transitions } = diagramOf(machines.request);
  const find = (from: string, event: string, guard: string | null) =>
    transitions.find((one) => one.from === from && one.event === event && one.guard === guard);

  it("has its guard, target and actions", () => {
    expect(find("submitting", "send done", "isTooFrequent")).toMatchObject({ kind: "done", to: "coolingDown", actions: ["keepRefusal"] });
    expect(find("submitting", "send failed", null)).toMatchObject({ kind: "error", to: "unknown" });
    expect(find("editing", "", "resumes")).toMatchObject({ kind: "always", to: "asking" });
    expect(find("editing", "EDIT", null)).toMatchObject({ kind: "event", to: null });
  });

  it("has the length of its delay", () => {
    expect(find("coolingDown", "coolDown", null)).toMatchObject({ kind: "delay", delayMs: 3_000, to: "editing" });
  });
});
