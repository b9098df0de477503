/** Proof of the charts: every state and transition is in them, and what is exported makes the same machine again. */
import { describe, expect, it } from "vitest";
import { createMachine } from "xstate";
import { chartOf, configOf, sourceOf } from "#machines/chart.ts";
import { machines } from "#machines/index.ts";
import { declaredStates } from "./walk.ts";

describe.each(Object.entries(machines))("the chart of %s", (name, machine) => {
  const chart = chartOf(machine);

  it("has every state, each under its parent", () => {
    const paths = chart.states.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(chart.states.filter(({ kind }) => kind === "atomic" || kind === "final").map(({ path }) => path)).toEqual(
      declaredStates(machine),
    );
    for (const { parent } of chart.states) expect(["", ...paths]).toContain(parent);
    expect(chart.states.filter(({ initial, depth }) => initial && depth === 1)).toHaveLength(1);
  });

  it("leads nowhere but to its states, by names only", () => {
    const paths = new Set(chart.states.map(({ path }) => path));
    expect(chart.id).toBe(name);
    expect(chart.transitions.filter(({ from, to }) => (from !== "" && !paths.has(from)) || (to !== null && !paths.has(to)))).toEqual([]);
    const names = chart.transitions.flatMap(({ guard, actions }) => [guard ?? "", ...actions]);
    expect(names.filter((each) => each === "inline" || each.startsWith("xstate."))).toEqual([]);
  });

  it("is the same for the machine that its export makes", () => {
    const text = JSON.stringify(configOf(machine));
    const again = chartOf(createMachine(JSON.parse(text) as Parameters<typeof createMachine>[0]));
    const timeless = ({ transitions, ...rest }: typeof chart) => ({
      ...rest,
      transitions: transitions.map((one) => ({ ...one, delayMs: null })),
    });
    expect(timeless(again)).toEqual(timeless(chart));
  });

  it("is exported as the code an editor imports", () => {
    const source = sourceOf(machine);
    const json = /createMachine\((\{[^]*\})\);\n$/.exec(source)?.[1] ?? "";
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(configOf(machine))));
    expect(json).toContain(`"id": "${name}"`);
  });
});

describe("a transition", () => {
  const { transitions } = chartOf(machines.request);
  const find = (from: string, event: string, guard: string | null) =>
    transitions.find((one) => one.from === from && one.event === event && one.guard === guard);

  it("says its guard, where it leads and what it does", () => {
    expect(find("submitting", "send done", "isTooFrequent")).toMatchObject({ kind: "done", to: "coolingDown", actions: ["keepRefusal"] });
    expect(find("submitting", "send failed", null)).toMatchObject({ kind: "error", to: "unknown" });
    expect(find("editing", "", "resumes")).toMatchObject({ kind: "always", to: "asking" });
    expect(find("editing", "EDIT", null)).toMatchObject({ kind: "event", to: null });
  });

  it("says how long a delay is", () => {
    expect(find("coolingDown", "coolDown", null)).toMatchObject({ kind: "delay", delayMs: 3_000, to: "editing" });
  });
});
