/** Random stories of orders: what a member does with each, on which device, and the faults of every call. */
import type { Random } from "#tests/server/simulation/random.ts";
import type { Fault, Plan } from "./proxy.ts";

/** What happens to an order after it was placed, with its frequency. */
const TURNS = {
  /** A market order that is kept. */
  keep: 3,
  /** A limit order far from the market that is cancelled. */
  cancel: 5,
  /** A limit order far from the market that is amended and cancelled. */
  amend: 3,
  /** A market order that is closed. */
  close: 5,
  /** A market order that both devices close at once. */
  race: 2,
  /** A price off the tick, which is refused. */
  refused: 2,
  /** Confirmed twice by a double tap. */
  doubleTap: 3,
} as const;
export type Turn = keyof typeof TURNS;

export interface Story {
  n: number;
  turn: Turn;
  /** The device that places the order, and the one that continues. */
  devices: [first: number, second: number];
  /** Faults of the first command, of the second, and of the other device's command. */
  plans: [Plan, Plan, Plan];
}

const SENDS: Record<Exclude<Fault, "killed">, number> = {
  none: 10,
  dropped: 4,
  cutBefore: 6,
  delayed: 6,
  heldBack: 5,
  doubled: 6,
  echoed: 5,
  cutAfter: 8,
  replyLost: 6,
  replyLate: 6,
  pushFirst: 8,
  garbled: 3,
};
const ASKS = {
  none: 14,
  cutBefore: 3,
  cutAfter: 3,
  dropped: 1,
  garbled: 1,
  delayed: 2,
} as const;

function planOf(random: Random): Plan {
  const sends: Fault[] = [random.weighted(SENDS)];
  // A resend can have the next fault.
  while (random.once(4)) sends.push(random.weighted(SENDS));
  const asks: Fault[] = [];
  while (random.once(3)) asks.push(random.weighted(ASKS));
  return { sends, asks };
}

/** Draws stories; in `kills` of them, spread evenly, the broker is killed between commit and reply. */
export function drawStories(random: Random, count: number, kills: number): Story[] {
  const stories = Array.from({ length: count }, (_, n): Story => ({
    n,
    turn: random.weighted(TURNS),
    devices: [random.int(0, 1), random.int(0, 1)],
    plans: [planOf(random), planOf(random), planOf(random)],
  }));
  for (let kill = 0; kill < kills; kill += 1) {
    const story = stories[Math.floor(((kill + 0.5) * count) / kills)];
    if (story) story.plans[0] = { sends: ["killed"], asks: story.plans[0].asks };
  }
  return stories;
}
