/** The stories of five hundred orders: what a member does with each, on which device, and what happens to every call on its way. */
import type { Random } from "#tests/server/simulation/random.ts";
import type { Fault, Plan } from "./proxy.ts";

/** What becomes of an order after it was placed. */
const TURNS = {
  /** At market, and kept. */
  keep: 3,
  /** At a limit far away, and cancelled. */
  cancel: 5,
  /** At a limit far away, brought a step nearer, and cancelled. */
  amend: 3,
  /** At market, and sold again. */
  close: 5,
  /** At market, and sold by both devices at once. */
  race: 2,
  /** At a price the market does not know. */
  refused: 2,
  /** Confirmed twice by an impatient thumb. */
  doubleTap: 3,
} as const;
export type Turn = keyof typeof TURNS;

export interface Story {
  n: number;
  turn: Turn;
  /** Which device places it, and which goes on with it. */
  devices: [first: number, second: number];
  /** What happens to its calls: to the first command, the second, the other device's. */
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
  // Sent again, it may meet with the next misfortune.
  while (random.once(4)) sends.push(random.weighted(SENDS));
  const asks: Fault[] = [];
  while (random.once(3)) asks.push(random.weighted(ASKS));
  return { sends, asks };
}

/** Draw so many stories; in `kills` of them, spread over all, the broker is killed between its commit and its word. */
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
