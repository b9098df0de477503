/** Lays out the drawing of a state machine: states as cards in order, and a line to each target beside them. */
import type { Diagram, DiagramState, DiagramTransition } from "#machines/diagram.ts";

/** All lengths in sixteenths of the root font size, so that the drawing scales with the text. */
export const HEAD = 36;
export const ROW = 24;
const FOOT = 8;
const GAP = 12;
/** Indentation of a child state's card. */
export const INSET = 8;
/** Distance between two lanes. */
export const LANE = 8;
const FIRST_LANE = 12;

export interface Card {
  state: DiagramState | null;
  /** Its own transitions, each one row below its head. */
  transitions: readonly DiagramTransition[];
  y: number;
  height: number;
  /** Its child states, in order. */
  parts: readonly Card[];
  depth: number;
}

/** All transitions to one state: from their rows, along one lane, into its head. */
export interface Line {
  to: string;
  lane: number;
  /** The ends of the lane. */
  top: number;
  bottom: number;
  head: { y: number; depth: number };
  rows: readonly { y: number; depth: number; from: string }[];
}

export interface Drawing {
  cards: readonly Card[];
  lines: readonly Line[];
  height: number;
  lanes: number;
  depth: number;
}

/** Tells whether a path is the state or one of its descendants. */
const within = (path: string, state: string): boolean => path === state || path.startsWith(`${state}.`);

/** How many transitions each sibling is away from the initial one; unreachable siblings are missing. */
function layers(siblings: readonly DiagramState[], transitions: readonly DiagramTransition[]): Map<string, number> {
  const holder = (path: string): string | undefined => siblings.find((one) => within(path, one.path))?.path;
  const first = siblings.find(({ initial }) => initial)?.path ?? siblings[0]?.path ?? "";
  const layer = new Map([[first, 0]]);
  const queue = [first];
  for (const from of queue) {
    for (const one of transitions) {
      const next = one.to !== null && one.from !== "" && within(one.from, from) ? holder(one.to) : undefined;
      if (next === undefined || layer.has(next)) continue;
      layer.set(next, (layer.get(from) ?? 0) + 1);
      queue.push(next);
    }
  }
  return layer;
}

function inOrder(siblings: readonly DiagramState[], transitions: readonly DiagramTransition[]): DiagramState[] {
  const layer = layers(siblings, transitions);
  const of = (one: DiagramState): number => layer.get(one.path) ?? Number.MAX_SAFE_INTEGER;
  return siblings.toSorted((a, b) => of(a) - of(b));
}

function cardsOf({ states, transitions }: Diagram, parent: string, top: number, depth: number): Card[] {
  let y = top;
  const siblings = states.filter((state) => state.parent === parent);
  return inOrder(siblings, transitions).map((state) => {
    const own = transitions.filter(({ from }) => from === state.path);
    const inside = y + HEAD + own.length * ROW;
    const parts = cardsOf({ id: "", states, transitions }, state.path, inside + (own.length > 0 ? FOOT : 0), depth + 1);
    const last = parts.at(-1);
    const end = last ? last.y + last.height + INSET : inside + (own.length > 0 ? FOOT : 0);
    const card: Card = { state, transitions: own, y, height: end - y, parts, depth };
    y = end + GAP;
    return card;
  });
}

const flat = (cards: readonly Card[]): Card[] => cards.flatMap((card) => [card, ...flat(card.parts)]);

/** The lines, shortest nearest to the cards; overlapping lines never share a lane. */
function linesOf(cards: readonly Card[]): Line[] {
  const rows = cards.flatMap(({ transitions, y, depth }) =>
    transitions.map((one, at) => ({ to: one.to, from: one.from, y: y + HEAD + at * ROW + ROW / 2, depth })),
  );
  const unplaced = cards.flatMap(({ state, y, depth }) => {
    const leading = rows.filter(({ to, from }) => state !== null && to === state.path && from !== to);
    if (state === null || leading.length === 0) return [];
    const head = { y: y + HEAD / 2, depth };
    const reach = [head.y, ...leading.map((row) => row.y)];
    return [{ to: state.path, top: Math.min(...reach), bottom: Math.max(...reach), head, rows: leading }];
  });
  const lanes: { top: number; bottom: number }[][] = [];
  const shortestFirst = unplaced.toSorted((a, b) => a.bottom - a.top - (b.bottom - b.top));
  return shortestFirst.map((line) => {
    const found = lanes.findIndex((lane) => lane.every((other) => line.bottom + LANE < other.top || line.top - LANE > other.bottom));
    const lane = found === -1 ? lanes.push([]) - 1 : found;
    lanes[lane]?.push(line);
    return { ...line, lane };
  });
}

/** Lay out a machine. */
export function layOut(diagram: Diagram): Drawing {
  const everywhere = diagram.transitions.filter(({ from }) => from === "");
  const top: Card[] =
    everywhere.length === 0
      ? []
      : [{ state: null, transitions: everywhere, y: 0, height: HEAD + everywhere.length * ROW + FOOT, parts: [], depth: 0 }];
  const begin = top[0] ? top[0].height + GAP : 0;
  const cards = [...top, ...cardsOf(diagram, "", begin, 0)];
  const all = flat(cards);
  const lines = linesOf(all);
  const last = cards.at(-1);
  return {
    cards,
    lines,
    height: last ? last.y + last.height : 0,
    lanes: Math.max(0, ...lines.map(({ lane }) => lane + 1)),
    depth: Math.max(0, ...all.map(({ depth }) => depth)),
  };
}

/** Width of the lines beside the cards, and of the area over the insets of nested cards. */
export const widthOf = ({ lanes, depth }: Drawing): { lines: number; insets: number } => ({
  lines: FIRST_LANE + lanes * LANE,
  insets: depth * INSET,
});

/** X positions of a card's edge and of a lane, measured from the outermost cards' edge less the insets. */
export const edgeOf = ({ depth }: Drawing, at: number): number => (depth - at) * INSET;
export const laneOf = ({ depth }: Drawing, lane: number): number => depth * INSET + FIRST_LANE + lane * LANE;
