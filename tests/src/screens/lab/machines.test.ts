/** Tests the machines lab: the drawing contains every state and transition without overlapping lines, and the log drops the oldest steps. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { describe, expect, it, vi } from "vitest";
import { diagramOf } from "#machines/diagram.ts";
import { machines } from "#machines/index.ts";
import { layOut } from "#src/screens/lab/machine-layout.ts";
import type { Card } from "#src/screens/lab/machine-layout.ts";
import { StepRing, stateOf, statesIn } from "#src/screens/lab/machine-live.ts";

vi.mock("#src/streams/worker-link.ts", () => ({
  marketApi: () => new Promise(() => undefined),
  onWorkerMessage: () => undefined,
  post: () => undefined,
}));

const flat = (cards: readonly Card[]): Card[] => cards.flatMap((card) => [card, ...flat(card.parts)]);

describe.each(Object.values(machines).map((machine) => [machine.id, machine] as const))("the drawing of %s", (_name, machine) => {
  const diagram = diagramOf(machine);
  const drawing = layOut(diagram);
  const cards = flat(drawing.cards);

  it("has a card for every state and a row for every transition", () => {
    const states = cards.flatMap(({ state }) => state?.path ?? []);
    expect(states.toSorted()).toEqual(diagram.states.map(({ path }) => path).toSorted());
    expect(cards.flatMap(({ transitions }) => transitions)).toHaveLength(diagram.transitions.length);
  });

  it("starts with the initial state and stacks the cards", () => {
    expect(drawing.cards.find(({ state }) => state !== null)?.state?.initial).toBe(true);
    const below = (some: readonly Card[]): void => {
      for (const [at, card] of some.entries()) {
        const next = some[at + 1];
        if (next) expect(card.y + card.height).toBeLessThan(next.y);
        for (const part of card.parts) expect(part.y + part.height).toBeLessThanOrEqual(card.y + card.height);
        below(card.parts);
      }
    };
    below(drawing.cards);
    expect(drawing.height).toBe(Math.max(...drawing.cards.map(({ y, height }) => y + height)));
  });

  it("draws one line into every state with incoming transitions, without overlaps", () => {
    const targets = new Set(diagram.transitions.flatMap(({ from, to }) => (to === null || to === from ? [] : [to])));
    expect(drawing.lines.map(({ to }) => to).toSorted()).toEqual([...targets].toSorted());
    for (const line of drawing.lines) {
      const others = drawing.lines.filter((other) => other !== line && other.lane === line.lane);
      for (const other of others) expect(line.bottom < other.top || line.top > other.bottom).toBe(true);
    }
  });
});

describe("the log", () => {
  const step = (event: string, state: unknown = "a") => ({ at: 1, machine: "m", actor: "1", name: "", event, payload: null, state });

  it("is newest first and drops the oldest", () => {
    const ring = new StepRing(3);
    for (const event of ["one", "two", "three", "four"]) ring.push(step(event));
    expect(ring.entries.map(({ event }) => event)).toEqual(["four", "three", "two"]);
  });

  it("counts repeated steps", () => {
    const ring = new StepRing(3);
    for (const event of ["RECEIVED", "RECEIVED", "RECEIVED", "OFFLINE"]) ring.push(step(event));
    expect(ring.entries.map(({ event, times }) => [event, times])).toEqual([
      ["OFFLINE", 1],
      ["RECEIVED", 3],
    ]);
    ring.clear();
    expect(ring.entries).toEqual([]);
  });

  it("describes a pending order by the state names of its machine", () => {
    const trigger = { kind: "stop" as const, price: 1 };
    const paths = new Set(diagramOf(machines.order).states.map(({ path }) => path));
    const states = [
      stateOf({ status: "pending", trigger, filledLots: 0 }),
      stateOf({ status: "pending", trigger: null, filledLots: 0 }),
      stateOf({ status: "pending", trigger: null, filledLots: 1 }),
      stateOf({ status: "holding", trigger: null, filledLots: 1 }),
    ].flatMap((state) => statesIn(state).at(-1) ?? []);
    expect(states).toEqual(["pending.conditional", "pending.queued", "pending.partlyFilled", "holding"]);
    expect(states.filter((state) => !paths.has(state))).toEqual([]);
  });

  it("lists every state of a nested value", () => {
    expect(statesIn({ polling: "fresh" })).toEqual(["polling", "polling.fresh"]);
    expect(statesIn("live")).toEqual(["live"]);
  });
});
